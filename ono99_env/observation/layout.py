"""The layout of the observation vector: a table of named slices, and its version.

Everything a seat may know (R21) is in the vector. Seats appear as *slots*, relative to the
observer: slot 0 is the observer, then come the seats still in the round, in playing order from the
observer (so slot 1 acts after the observer), then the seats that are out, in the same order. Slots
without a seat are all zeros. Every value lies in [-1, 1].

The values are written elsewhere: flags and small counts, such as `headroom`, in counts.py, all
other numbers in feature_vector.py. The docstring of each function there names its features.
"""

from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

import numpy as np

from ono99_env.messages.suggestions import known_names
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS, NUM_CARDS

OBSERVATION_VERSION = 1
"""Version of the layout. It changes with the meaning of any entry; bot files record it."""

SHOWN_PLAYS = 2
"""Latest plays of each seat in the observation."""

PLAY_SIZE = 9
"""Entries that describe one play: see the feature ``recent_plays``."""

SLOT_SIZE = 11
"""Entries that describe one seat: see the feature ``seats``."""

IN_ROUND = 1
"""Place of the flag of a seat that is in the round among them."""

CARDS_HELD, CHIPS_HELD, POINTS = 8, 9, 10
"""Places of numbers among them; the others are flags."""

NUMBER_ON_CARD = 1
"""Place of the number on the card among the entries of a play; the others are flags."""

NUMBER_PARTS = 7
"""Parts of a number on a card, each 1/70: every tenth is then exact."""

HEADROOM_SIZE = 12
"""Entries of the feature ``headroom``."""


@dataclass(frozen=True)
class Feature:
    """A named slice of the observation vector."""

    name: str
    start: int
    size: int
    description: str
    shape: tuple[int, ...]
    """How the slice is arranged: (`size`,), or by slot first."""

    @property
    def slice(self) -> slice:
        """Return where it lies in the vector: ``observation[..., feature.slice]``."""
        return slice(self.start, self.start + self.size)


_LAYOUT = (
    ("hand", (NUM_CARDS,), "Own cards by card id: count / hand_size."),
    ("legal", (NUM_ACTIONS,), "1 for each action that the observer may take now."),
    (
        "total",
        (1,),
        "Running total / (highest_total + 80), clipped; a bust can take it over the limit.",
    ),
    (
        "headroom",
        (HEADROOM_SIZE,),
        "One-hot of highest_total - total: 0 to 10, or more; all 0 when over the limit (R17).",
    ),
    (
        "turn",
        (3,),
        "The player to act: owes two cards; is due the second of two; has played an ONO 99.",
    ),
    ("direction", (1,), "1 clockwise, -1 counter-clockwise."),
    ("num_players", (MAX_PLAYERS - 1,), "One-hot of the seats at the table, 2 to 8."),
    ("players_left", (MAX_PLAYERS,), "One-hot of the players still in the round, 1 to 8."),
    ("format", (4,), "One-hot: single_round, chips, points_last_standing, points_lowest."),
    (
        "progress",
        (3,),
        "round / (round + 50); reshuffles / (reshuffles + 10); plays in the round / max_plays "
        "(200 if none), clipped.",
    ),
    ("pile_sizes", (2,), "Draw pile and discard pile: cards / size of the deck."),
    (
        "discarded",
        (NUM_CARDS,),
        "Cards played since the last reshuffle: count / count in the deck.",
    ),
    (
        "unseen",
        (NUM_CARDS,),
        "Cards that may be in the draw pile or in hidden hands: count / count in the deck.",
    ),
    (
        "seats",
        (MAX_PLAYERS, SLOT_SIZE),
        "For each slot: there is a seat; it is in the round; in the match; to act; the dealer; "
        "played last; busted in this round; went out first; cards held / hand_size; chips / chips "
        "at the start; points / target_points (clipped).",
    ),
    (
        "face_up_hands",
        (MAX_PLAYERS, NUM_CARDS),
        "For each slot but the observer's: the hand of a seat that is out, if it lies face up: "
        "count / hand_size.",
    ),
    (
        "recent_plays",
        (MAX_PLAYERS, SHOWN_PLAYS, PLAY_SIZE),
        "For each slot its two latest plays in this round, newest first, each as: there is one; "
        "number on the card / 10; ONO 99; Reverse; Minus Ten; Play Two; Hold; discard of four "
        "ONO 99; bust.",
    ),
)


class Features(dict[str, Feature]):
    """Features by name; an unknown name is answered with the nearest one."""

    def __missing__(self, name: str) -> Feature:
        """Raise a `KeyError` that names the known features."""
        raise KeyError(f"there is no feature {name!r}{known_names(str(name), self)}")


def _with_offsets() -> Features:
    features, start = Features(), 0
    for name, shape, description in _LAYOUT:
        features[name] = Feature(name, start, prod(shape), description, shape)
        start += prod(shape)
    return features


FEATURES = _with_offsets()
"""Every feature by name, in the order of the vector."""

OBSERVATION_SIZE = sum(feature.size for feature in FEATURES.values())
"""Length of the observation vector, the same for every edition and number of players."""


def packed_record(fields: dict[str, tuple[Any, ...]], entry: str) -> np.dtype[np.void]:
    """Return a record of the given fields that shows all its entries as ``entries``, too."""
    formats: list[np.dtype[Any]] = [np.dtype(form) for form in fields.values()]
    offsets = [0, *accumulate(form.itemsize for form in formats)]
    layout: Any = {
        "names": [*fields, "entries"],
        "formats": [*formats, (entry, (OBSERVATION_SIZE,))],
        "offsets": [*offsets[:-1], 0],
    }
    return np.dtype((np.record, np.dtype(layout)))


OBSERVATION = packed_record({f.name: (np.float32, f.shape) for f in FEATURES.values()}, "f4")
"""An observation vector as a record with a field a feature, and all of them as ``entries``.

``vectors.view(OBSERVATION)`` shows float32 vectors, shape (..., `OBSERVATION_SIZE`), as records.
"""

MASK = np.dtype((np.record, [("cards", "u8", (2,)), ("discard_four", "i1")]))
"""An action mask, 17 bytes, as a record: the sixteen cards as two words, and the last action."""
