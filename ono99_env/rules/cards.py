"""Cards and actions: the vocabulary of the game (R1), shared by every other module."""

from enum import IntEnum
from functools import cached_property
from typing import Self

from ono99_env.messages.suggestions import known_names
from ono99_env.messages.text import shown_value


class _Labelled(IntEnum):
    """An integer with the lower-case name that files and messages use."""

    @cached_property
    def label(self) -> str:
        """The name used in snapshots, rule files and messages, for example ``"minus_ten"``."""
        return self.name.removeprefix("N").lower() if self <= 10 else self.name.lower()

    @classmethod
    def from_label(cls, label: str) -> Self:
        """Find a member by its label.

        Args:
            label: A name as `label` gives it, for example ``"7"`` or ``"play_two"``.

        Raises:
            ValueError: If no member has this label; the message lists those that exist.
        """
        for member in cls:
            if member.label == label:
                return member
        known = known_names(str(label), [member.label for member in cls])
        raise ValueError(f"{shown_value(label)} is not a known {cls.__name__.lower()}{known}")


class Card(_Labelled):
    """A kind of card; its integer is the card id of R1."""

    N0 = 0
    N1 = 1
    N2 = 2
    N3 = 3
    N4 = 4
    N5 = 5
    N6 = 6
    N7 = 7
    N8 = 8
    N9 = 9
    N10 = 10
    ONO99 = 11
    REVERSE = 12
    MINUS_TEN = 13
    PLAY_TWO = 14
    HOLD = 15

    @property
    def added(self) -> int:
        """What playing the card adds to the running total (R1), before any floor (R9)."""
        if self <= Card.N10:
            return int(self)
        return -10 if self is Card.MINUS_TEN else 0

    @property
    def points(self) -> int:
        """What the card costs when left in hand at the end of a round (R18)."""
        if self <= Card.N10:
            return int(self)
        return 20 if self is Card.ONO99 else 15


class Action(_Labelled):
    """A decision: play the card of that id, or discard four ONO 99 cards (R12)."""

    N0 = 0
    N1 = 1
    N2 = 2
    N3 = 3
    N4 = 4
    N5 = 5
    N6 = 6
    N7 = 7
    N8 = 8
    N9 = 9
    N10 = 10
    ONO99 = 11
    REVERSE = 12
    MINUS_TEN = 13
    PLAY_TWO = 14
    HOLD = 15
    DISCARD_FOUR_ONO99 = 16


NUM_CARDS = len(Card)
"""Kinds of card: 16."""

NUM_ACTIONS = len(Action)
"""Size of the action space, the same in every edition: 17."""

MAX_PLAYERS = 8
"""The most seats any edition has."""

MAX_DECK = 127
"""The largest deck: the engine counts the cards of a pile in seven bits."""

MAX_HAND_SIZE = 7
"""The largest hand: the engine counts the cards of a hand in three bits."""
