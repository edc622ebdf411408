"""The observation as formulas: how to compute each entry of the vector from plain data.

A program in another language needs no second implementation of the observation. It reads what
`describe_encoding` returns, as JSON, and evaluates the formulas over the view of a seat
(`ono99_env.game.plain_view`). The numbers in the formulas are the scales that the compiled code
uses, and tests compare every entry bit for bit.

A formula is a number, a string, or a list of an operator and its operands:

    ["view", *path]    what the path leads to in the view; "*" in a path is the seat of the slot.
                       A missing entry is 0, true is 1 and false is 0
    ["seat"]           the seat of the slot
    ["+", a, b]        also "-", "min" and "max"
    ["*", a, b]        the product, rounded to float32; "/" the quotient, likewise
    ["=", a, b]        1 if both are equal, else 0; null equals only null
    ["in", a, b]       1 if the list b contains a, else 0
    ["count", a, b]    how often the list a contains b
    ["sum", a]         the sum of the values of the object a
    ["lookup", a, b]   the value of the key a in the literal object b, 0 if there is none
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.observation.feature_vector import HALFWAY_RESHUFFLES, HALFWAY_ROUNDS
from ono99_env.observation.layout import (
    CARDS_HELD,
    CHIPS_HELD,
    FEATURES,
    HEADROOM_SIZE,
    NUMBER_ON_CARD,
    NUMBER_PARTS,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    SHOWN_PLAYS,
    Feature,
)
from ono99_env.observation.scales import scales_array
from ono99_env.rules.cards import MAX_PLAYERS, Action, Card
from ono99_env.rules.rules import Rules

Formula = int | float | str | list[Any]
"""See the docstring of the module."""

FLAG, SHARE, SIGN, SIGNED_SHARE = "0 or 1", "0 to 1", "-1 or 1", "-1 to 1"
"""The values that an entry takes."""

FORMATS = ("single_round", "chips", "points_last_standing", "points_lowest")
PER_SLOT = ("seats", "face_up_hands", "recent_plays")
"""Features with the same entries for each slot."""


class Entry(NamedTuple):
    """One entry of the observation vector."""

    meaning: str
    values: str
    """One of `FLAG`, `SHARE`, `SIGN` and `SIGNED_SHARE`."""
    formula: Formula


class Source(NamedTuple):
    """What the formulas of one feature are made of."""

    rules: Rules
    scales: NDArray[np.float32]
    """The scale of each of its entries, flat."""
    scales_of_numbers: Any
    """The record of `ono99_env.observation.scales.SCALES`."""


def describe_encoding(rules: Rules | None = None) -> dict[str, Any]:
    """Return how to compute the observation vector, as JSON-serialisable data.

    Args:
        rules: The rules of the game; default: the 2022 edition with four players.

    Returns:
        The version and size of the observation, the actions by id, the slots, and for each feature
        its place, whether it repeats for each slot (`per_slot`), and its entries in order, each
        with its meaning, the values that it takes, and its formula.
    """
    rules = Rules() if rules is None else rules
    return {
        "observation_version": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
        "rules": rules.model_dump(mode="json"),
        "actions": [action.label for action in Action],
        "slots": MAX_PLAYERS,
        "features": [
            {
                "name": feature.name,
                "start": feature.start,
                "size": feature.size,
                "per_slot": feature.name in PER_SLOT,
                "description": feature.description,
                "entries": [entry._asdict() for entry in entries_of(feature, rules)],
            }
            for feature in FEATURES.values()
        ],
    }


def entries_of(feature: Feature, rules: Rules) -> list[Entry]:
    """Return the entries of a feature in order; of one that repeats, those of one slot."""
    scales = scales_array(rules)[0]
    return _ENTRIES[feature.name](Source(rules, scales.entries[feature.slice], scales))


def _hand(source: Source) -> list[Entry]:
    return _card_shares(source, ["view", "hand"])


def _legal(source: Source) -> list[Entry]:
    return [
        Entry(action.label, FLAG, ["in", action.label, ["view", "legal_actions"]])
        for action in Action
    ]


def _total(source: Source) -> list[Entry]:
    share = ["*", ["view", "total"], float(source.scales_of_numbers.per_total)]
    return [Entry("running total", SIGNED_SHARE, ["max", -1, ["min", 1, share]])]


def _headroom(source: Source) -> list[Entry]:
    most = HEADROOM_SIZE - 1
    left = ["min", most, ["-", source.rules.highest_total, ["view", "total"]]]
    names = [*map(str, range(most)), f"{most} or more"]
    return [Entry(name, FLAG, ["=", room, left]) for room, name in enumerate(names)]


def _turn(source: Source) -> list[Entry]:
    return [
        Entry("owes two cards", FLAG, ["=", 2, ["view", "plays_owed"]]),
        Entry("is due the second of two", FLAG, ["view", "second_play"]),
        Entry("has played an ONO 99", FLAG, ["view", "ono99_played_this_turn"]),
    ]


def _direction(source: Source) -> list[Entry]:
    return [Entry("direction", SIGN, ["view", "direction"])]


def _num_players(source: Source) -> list[Entry]:
    eliminated = ["view", "eliminated"]
    players = ["+", ["count", eliminated, 0], ["count", eliminated, 1]]
    return [Entry(str(n), FLAG, ["=", n, players]) for n in range(2, MAX_PLAYERS + 1)]


def _players_left(source: Source) -> list[Entry]:
    left = ["count", ["view", "eliminated"], 0]
    return [Entry(str(n), FLAG, ["=", n, left]) for n in range(1, MAX_PLAYERS + 1)]


def _format(source: Source) -> list[Entry]:
    return [Entry(name, FLAG, int(name == source.rules.format)) for name in FORMATS]


def _progress(source: Source) -> list[Entry]:
    rounds, reshuffles = ["view", "round"], ["view", "history", "reshuffles"]
    plays = ["*", ["view", "history", "plays"], float(source.scales_of_numbers.per_play)]
    return [
        Entry("round", SHARE, ["/", rounds, ["+", rounds, int(HALFWAY_ROUNDS)]]),
        Entry("reshuffles", SHARE, ["/", reshuffles, ["+", reshuffles, int(HALFWAY_RESHUFFLES)]]),
        Entry("plays in the round", SHARE, ["min", 1, plays]),
    ]


def _pile_sizes(source: Source) -> list[Entry]:
    deck = sum(source.rules.deck.values())
    discarded = ["sum", ["view", "discard_pile"]]
    return [
        Entry("draw pile", SHARE, ["/", ["view", "draw_pile_size"], deck]),
        Entry("discard pile", SHARE, ["/", discarded, deck]),
    ]


def _discarded(source: Source) -> list[Entry]:
    return _card_shares(source, ["view", "discard_pile"])


def _unseen(source: Source) -> list[Entry]:
    return _card_shares(source, ["view", "unseen"])


def _seats(source: Source) -> list[Entry]:
    seat, scales = ["seat"], source.scales
    points: Formula = 0
    if source.rules.format.startswith("points"):
        scale = float(source.scales_of_numbers.per_point)
        points = ["min", 1, ["*", ["view", "points", "*"], scale]]
    cards = ["*", ["view", "hand_sizes", "*"], float(scales[CARDS_HELD])]
    chips = ["*", ["view", "chips", "*"], float(scales[CHIPS_HELD])]
    return [
        Entry("there is a seat", FLAG, 1),
        Entry("it is in the round", FLAG, ["=", 0, ["view", "eliminated", "*"]]),
        Entry("in the match", FLAG, ["view", "in_match", "*"]),
        Entry("to act", FLAG, ["=", seat, ["view", "current_player"]]),
        Entry("the dealer", FLAG, ["=", seat, ["view", "dealer"]]),
        Entry("played last", FLAG, ["=", seat, ["view", "last_player"]]),
        Entry("busted in this round", FLAG, ["view", "history", "busted", "*"]),
        Entry("went out first", FLAG, ["=", seat, ["view", "history", "first_out"]]),
        Entry("cards held", SHARE, cards),
        Entry("chips", SHARE, chips),
        Entry("points", SHARE, points),
    ]


def _face_up_hands(source: Source) -> list[Entry]:
    return _card_shares(source, ["view", "face_up_hands", "*"])


def _recent_plays(source: Source) -> list[Entry]:
    scale = float(source.scales[NUMBER_ON_CARD])
    return [
        entry
        for age in range(SHOWN_PLAYS)
        for entry in _play(["view", "history", "recent_plays", "*", age], age, scale)
    ]


def _play(play: Formula, age: int, scale: float) -> list[Entry]:
    """Return the entries of one play; its name has the prefix ``bust:`` for a bust."""
    which = "latest play" if age == 0 else "play before"
    labels = [action.label for action in Action]
    numbers = {str(number): NUMBER_PARTS * number for number in range(11)}
    tables: dict[str, dict[str, int]] = {
        "there is one": dict.fromkeys(labels, 1),
        "number on the card": numbers,
        **{action.label: {action.label: 1} for action in Action if action >= Action.ONO99},
    }
    entries = [
        Entry(f"{which}: {name}", FLAG, ["lookup", play, _also_busts(table)])
        for name, table in tables.items()
    ]
    number = entries[NUMBER_ON_CARD]
    entries[NUMBER_ON_CARD] = Entry(number.meaning, SHARE, ["*", number.formula, scale])
    busts = {f"bust:{label}": 1 for label in labels}
    return [*entries, Entry(f"{which}: bust", FLAG, ["lookup", play, busts])]


def _also_busts(table: dict[str, int]) -> dict[str, int]:
    return table | {f"bust:{label}": value for label, value in table.items()}


def _card_shares(source: Source, cards: list[Any]) -> list[Entry]:
    """Return the counts of an object of cards, each times its scale."""
    return [
        Entry(card.label, SHARE, ["*", [*cards, card.label], float(source.scales[card])])
        for card in Card
    ]


_ENTRIES: dict[str, Callable[[Source], list[Entry]]] = {
    "hand": _hand,
    "legal": _legal,
    "total": _total,
    "headroom": _headroom,
    "turn": _turn,
    "direction": _direction,
    "num_players": _num_players,
    "players_left": _players_left,
    "format": _format,
    "progress": _progress,
    "pile_sizes": _pile_sizes,
    "discarded": _discarded,
    "unseen": _unseen,
    "seats": _seats,
    "face_up_hands": _face_up_hands,
    "recent_plays": _recent_plays,
}
