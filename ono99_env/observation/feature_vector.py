"""The observation vector: its counts scaled, and the numbers that do not fit into bytes.

The layout is in layout.py. counts.py writes the entries as bytes. A loop that the compiler turns
into vector instructions scales them. Slots that are empty before and after are zeros and are
skipped. The numbers that do not fit into a byte are written last.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import words
from ono99_env.engine.records import CHIPS
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.instructions import CACHE_LINE, prefetch
from ono99_env.jit.types import (
    RulesRecord,
    Scales,
    ScalesArray,
    State,
    Unscaled,
    Vector,
    Whole,
    Word,
)
from ono99_env.observation.counts import count_all, has, seat_of, seats_by_slot
from ono99_env.observation.layout import (
    FEATURES,
    IN_ROUND,
    OBSERVATION,
    OBSERVATION_SIZE,
    PLAY_SIZE,
    POINTS,
    SHOWN_PLAYS,
    SLOT_SIZE,
)
from ono99_env.rules.cards import MAX_PLAYERS, NUM_CARDS

_ONE = np.float32(1.0)
HALFWAY_ROUNDS = np.float32(50)
HALFWAY_RESHUFFLES = np.float32(10)

_SEATS = FEATURES["seats"].start
_FACE_UP = FEATURES["face_up_hands"].start
_RECENT = FEATURES["recent_plays"].start

_BLOCK = 32
"""Entries are written in multiples of this, so that vector instructions leave no rest."""


@inlined
def whole_vectors(vectors: NDArray[np.float32], scales: ScalesArray) -> NDArray[np.void]:
    """Return vectors as records, shape (rows, 1); none if only some features are chosen."""
    if scales[0].choice.size:
        return np.empty((0, OBSERVATION_SIZE), np.float32).view(OBSERVATION)
    return vectors.view(OBSERVATION)


class Earlier(NamedTuple):
    """What a vector still shows of an earlier observation and the next one must overwrite."""

    has_more_slots: bool
    """Whether slots that are empty now show a seat."""
    shows_hands: bool
    """Whether a hand but the observer's may be shown."""


@inlined
def earlier_in(vector: Vector, num_players: Whole) -> Earlier:
    """Return what a vector shows from before, for an observer at a table of that many players.

    Only the hands of seats that are out are shown, and these have the last slots: so the last seat
    of the earlier observation tells whether there were any.
    """
    players = np.int64(num_players)
    has_more_slots = players < MAX_PLAYERS and vector.seats[np.uint64(players), 0] != 0
    shows_hands = vector.seats[np.uint64(players - 1), IN_ROUND] == 0
    return Earlier(bool(has_more_slots), bool(shows_hands))


@compiled
def observe(
    view: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    unscaled: Unscaled,
    earlier: Earlier,
    vector: Vector,
) -> None:
    """Write the whole observation from a redacted record.

    Args:
        view: What the observer may know.
        rules: The rules of the game.
        scales: The scales that belong to them.
        observer: The observing seat.
        unscaled: Scratch, a record of `UNSCALED`: zeros at first, then as an earlier call left it.
        earlier: What `vector` shows from before, see `earlier_in`.
        vector: Written, a record of `ono99_env.observation.layout.OBSERVATION`.
    """
    slots = seats_by_slot(view, observer)
    count_all(view, rules, observer, slots, unscaled)
    last = seat_of(slots, np.uint64(view.num_players - 1))
    hands = earlier.has_more_slots or earlier.shows_hands or has(view.in_round, last) == 0
    if earlier.has_more_slots or view.num_players > 4:
        scale_slots(MAX_PLAYERS, hands, unscaled, scales, vector)
    elif view.num_players > 2:
        scale_slots(4, hands, unscaled, scales, vector)
    else:
        scale_slots(2, hands, unscaled, scales, vector)
    write_numbers(view, rules, scales, vector)
    if rules.format > CHIPS:
        write_points(view, scales, slots, vector)


@inlined
def fetch(vector: Vector, num_players: Whole) -> None:
    """Fetch the parts of a vector that `observe` is going to write soon into the cache."""
    players = np.int64(num_players)
    first_end = 4 * (_SEATS + players * SLOT_SIZE)
    second, second_end = 4 * _RECENT, 4 * (_RECENT + players * SHOWN_PLAYS * PLAY_SIZE)
    for byte in range(0, first_end, CACHE_LINE):
        prefetch(vector, byte)
    for byte in range(second, second_end, CACHE_LINE):
        prefetch(vector, byte)


@inlined
def scale_slots(
    slots: int, hands: bool, unscaled: Unscaled, scales: Scales, vector: Vector
) -> None:
    """Write all entries before the slots, and those of that many slots, with or without hands.

    Loops run faster with bounds that the compiler knows, so callers give a constant for `slots`.
    """
    scale(0, _SEATS + slots * SLOT_SIZE, unscaled, scales, vector)
    if hands:
        scale(_FACE_UP, slots * NUM_CARDS, unscaled, scales, vector)
    scale(_RECENT, slots * SHOWN_PLAYS * PLAY_SIZE, unscaled, scales, vector)


@inlined
def scale(first: int, size: int, unscaled: Unscaled, scales: Scales, vector: Vector) -> None:
    """Write at least `size` entries, in whole blocks of `_BLOCK`."""
    written = (size + _BLOCK - 1) // _BLOCK * _BLOCK
    for place in range(written):
        entry = np.uint64(min(first, OBSERVATION_SIZE - written) + place)
        vector.entries[entry] = np.float32(unscaled.entries[entry]) * scales.entries[entry]


@inlined
def write_numbers(view: State, rules: RulesRecord, scales: Scales, vector: Vector) -> None:
    """Write the features ``total``, ``progress`` and ``pile_sizes``."""
    vector.total[0] = clipped_total(view, scales)
    progress = saturated_progress(view, scales)
    for place in range(3):
        vector.progress[place] = progress[place]
    draw_pile, discard_pile = pile_shares(view, rules)
    vector.pile_sizes[0], vector.pile_sizes[1] = draw_pile, discard_pile


@inlined
def clipped_total(view: State, scales: Scales) -> np.float32:
    """Return the feature ``total``."""
    return max(-_ONE, min(_ONE, np.float32(view.total) * scales.per_total))


@inlined
def saturated_progress(view: State, scales: Scales) -> tuple[Any, Any, Any]:
    """Return the feature ``progress``."""
    rounds, reshuffles = np.float32(view.round_number), np.float32(view.reshuffles)
    return (
        rounds / (rounds + HALFWAY_ROUNDS),
        reshuffles / (reshuffles + HALFWAY_RESHUFFLES),
        min(_ONE, np.float32(view.plays) * scales.per_play),
    )


@inlined
def pile_shares(view: State, rules: RulesRecord) -> tuple[Any, Any]:
    """Return the feature ``pile_sizes``."""
    deck_size = np.float32(words.pile_size(rules.deck))
    draw_pile = words.pile_size(view.draw_pile) - num_hidden(view)
    return draw_pile / deck_size, words.pile_size(view.discard_pile) / deck_size


@inlined
def num_hidden(view: State) -> Whole:
    """Return how many of the unseen cards are in hands."""
    hidden = np.int64(0)
    for seat in range(MAX_PLAYERS):
        hidden += np.int64(view.hidden_cards[seat])
    return hidden


@inlined
def write_points(view: State, scales: Scales, slots: Word, vector: Vector) -> None:
    """Write the points of the feature ``seats``; formats without points leave them 0."""
    for slot in range(view.num_players):
        held = points_held(view, scales, seat_of(slots, slot))
        vector.seats[np.uint64(slot), POINTS] = held


@inlined
def points_held(view: State, scales: Scales, seat: Word) -> np.float32:
    """Return the points of a seat as they stand in the feature ``seats``."""
    return min(_ONE, np.float32(view.points[seat]) * scales.per_point)
