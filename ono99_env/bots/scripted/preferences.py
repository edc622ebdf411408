"""Playing by an order of preference, and what every scripted bot does beyond the limit.

In the points formats a card over the limit can be played to go out (R17). Bots never do that while
another play is legal: it costs 25 points and the round. When they must, the card leaves the hand
before the hand is scored (R18), so they get rid of the one that would cost most; among the cards
that cost the same (specials, which bust only where ``bust_counts`` has lifted the total) Minus Ten
goes last, because it would help the others.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.scripted.situation import Turn
from ono99_env.engine import legal, words
from ono99_env.engine.records import CHIPS
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import RulesRecord, Whole, Word
from ono99_env.rules.cards import Action

NONE = -1
"""In place of an action: there is none."""

_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_NOTHING = 32 * 17
"""Stands in a table of preference where there is nothing to choose."""

_COSTLIEST_FIRST = np.array(
    [
        *(Action.REVERSE, Action.PLAY_TWO, Action.HOLD, Action.MINUS_TEN),
        *range(Action.N10, Action.N0 - 1, -1),
    ],
    np.int64,
)


def preference(order: Iterable[int]) -> NDArray[np.int16]:
    """Tabulate an order of preference, so that choosing by it takes neither loop nor branch.

    Args:
        order: All 17 actions, most preferred first.

    Returns:
        Shape (3, 256): the best of each set of the cards 0 to 7, of the cards 8 to 15, and of the
        discard of four ONO 99 cards if there is one; each as 32 times its place in the order plus
        the action, so that the least is the best.
    """
    codes = {int(action): 32 * place + int(action) for place, action in enumerate(order)}
    table = np.full((3, 256), _NOTHING, np.int16)
    for half in range(2):
        for bit in range(8):
            without = table[half, : 1 << bit]
            table[half, 1 << bit : 2 << bit] = np.minimum(without, codes[8 * half + bit])
    table[2, 1] = codes[_DISCARD_FOUR]
    table.flags.writeable = False
    return table


@inlined
def cards_within_limit(turn: Turn, rules: RulesRecord) -> Word:
    """Return the set of cards that the player to act may play without busting."""
    if rules.format <= CHIPS:
        return turn.legal_plays
    return turn.legal_plays & legal.fitting_cards(rules, turn.total)


@inlined
def preferred(table: NDArray[np.int16], turn: Turn, rules: RulesRecord) -> Whole:
    """Return the first action of an order that is legal and no bust; if there is none, the best bust.

    Args:
        table: The order, as `preference` tabulates it.
        turn: The turn of the player to act.
        rules: The rules of the game.
    """
    cards = words.bits_of_set(cards_within_limit(turn, rules))
    low, high = table[0, words.index(cards & 255)], table[1, words.index(cards >> 8)]
    best = np.int64(min(min(low, high), table[2, words.index(turn.may_discard_four)]))
    return choose_bust(turn) if best == _NOTHING else best & 31


@compiled
def choose_bust(turn: Turn) -> Whole:
    """Return the card to bust with: the one that would cost most if it stayed in hand (R18)."""
    for card in _COSTLIEST_FIRST:
        if words.count_in_hand(turn.legal_plays, card) != 0:
            return card
    return np.int64(NONE)


@inlined
def danger_scale(turn: Turn, rules: RulesRecord) -> Whole:
    """Return the running total, moved as if the limit were 98, which the bots' thresholds are for."""
    return turn.total - np.int64(rules.highest_total) + 98
