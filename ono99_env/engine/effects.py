"""What each card does to the total and the turn (R1, R7, R8), tabulated once.

Which card comes next cannot be predicted, so the compiled engine looks the effects up instead of
branching on them. `additions` says what a card does to the total, `cards_by_headroom` when it fits,
`turn_after` and `turning` who is up next. What depends on the turn has an entry for each card,
number of cards owed and number of players left::

    place = card + OWED_STEP * cards owed (1 or 2) + PLAYER_STEP * players left (0 to 8)
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.words import card_set
from ono99_env.rules.cards import MAX_PLAYERS, NUM_CARDS, Card
from ono99_env.rules.rules import Rules

_MOST_OWED = 2
OWED_STEP = NUM_CARDS
PLAYER_STEP = OWED_STEP * _MOST_OWED
NUM_EFFECTS = OWED_STEP + PLAYER_STEP * (MAX_PLAYERS + 1)

LEAST_HEADROOM, MOST_HEADROOM = -11, 10
"""With less room below the limit no card fits, with more room all do (R4)."""

PASSED_ON_BYTE, SECOND_PLAY_BYTE, ONO99_PLAYED_BYTE = 1, 2, 3
"""Bytes of an entry of `turn_after`; `plays_owed` is byte 0."""


def additions() -> list[int]:
    """R1, R12: tabulate what each action adds to the total; the discard of four adds 0."""
    return [*(card.added for card in Card), 0]


def cards_by_headroom() -> list[int]:
    """R4: tabulate the set of cards that fit, by headroom from the least to the most.

    A card whose effect on the total an option changes must be changed here and in `additions`.
    """
    return [
        int(card_set(*(card for card in Card if card.added <= headroom)))
        for headroom in range(LEAST_HEADROOM, MOST_HEADROOM + 1)
    ]


def tabulate(effect: Callable[[Rules, Card, bool, bool], int], rules: Rules) -> NDArray[np.int64]:
    """Tabulate one effect, shape (`NUM_EFFECTS`,)."""
    table = np.zeros(NUM_EFFECTS, np.int64)
    for card in Card:
        for owed in (1, _MOST_OWED):
            for left in range(MAX_PLAYERS + 1):
                place = card + OWED_STEP * owed + PLAYER_STEP * left
                table[place] = effect(rules, card, owed == _MOST_OWED, left == 2)
    return table


def answers(rules: Rules, card: Card, owes_two: bool, heads_up: bool) -> bool:
    """R7, R8: return whether the card passes an obligation on."""
    if card is Card.REVERSE and heads_up:
        return owes_two and rules.reverse_deflects_heads_up
    return owes_two and card.label in rules.play_two_answers


def plays_left(rules: Rules, card: Card, owes_two: bool, heads_up: bool) -> int:
    """R7: return how many cards the player still has to play in this turn."""
    return int(owes_two and not answers(rules, card, owes_two, heads_up))


def plays_passed_on(rules: Rules, card: Card, owes_two: bool, heads_up: bool) -> int:
    """R7: return how many cards the next player owes once this turn is over."""
    return 2 if card is Card.PLAY_TWO or answers(rules, card, owes_two, heads_up) else 1


def turning(rules: Rules, card: Card, owes_two: bool, heads_up: bool) -> int:
    """R8: return what the direction is multiplied by."""
    return -1 if card is Card.REVERSE and not heads_up else 1


def turn_after(rules: Rules, card: Card, owes_two: bool, heads_up: bool) -> int:
    """R7, R11: return where the turn stands after the card.

    Returns:
        Four bytes that describe whoever is up then, the player or the next one::

            byte          3             2            1               0
            field   ono99_played   second_play   plays_passed_on   plays_owed

            0x00_00_02_02   a Play Two ends the turn: the next player owes two cards
            0x00_01_01_01   first of two owed cards: the same player owes the second one
    """
    left = plays_left(rules, card, owes_two, heads_up)
    passed_on = plays_passed_on(rules, card, owes_two, heads_up)
    ono99_played = left > 0 and card is Card.ONO99
    return (
        (left or passed_on)
        | passed_on << 8 * PASSED_ON_BYTE
        | left << 8 * SECOND_PLAY_BYTE
        | ono99_played << 8 * ONO99_PLAYED_BYTE
    )
