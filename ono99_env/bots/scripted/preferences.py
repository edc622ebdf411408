"""Orders of preference among actions, and the card that scripted bots bust with.

In the points formats a player can go out by a card over the limit (R17). Bots never do that while
another play is legal: it costs 25 points and the round. When they must, they play the card that
would cost most if it stayed in hand (R18). Special cards cost the same (and bust only where
``bust_counts`` has lifted the total): of these Minus Ten goes last, because it helps the others.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.scripted.situation import Turn
from ono99_env.engine import legal, words
from ono99_env.engine.records import CHIPS
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import RulesRecord, Whole, Word
from ono99_env.rules.cards import NUM_ACTIONS, NUM_CARDS, Action

NONE = -1
"""In place of an action."""

_LIMIT_OF_THRESHOLDS = 98
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_HALF = NUM_CARDS // 2
"""Cards that one row of a table of preference is indexed with."""
_LOW_HALF = (1 << _HALF) - 1

_ACTION_BITS = 5
_ACTION_ONLY = (1 << _ACTION_BITS) - 1
_NOTHING = int(NUM_ACTIONS) << _ACTION_BITS
"""An entry of a table of preference that stands for no choice; it is greater than all others."""

assert NUM_ACTIONS <= 1 << _ACTION_BITS, "an entry must hold every action"

_COSTLIEST_FIRST = np.array(
    [
        Action.REVERSE,
        Action.PLAY_TWO,
        Action.HOLD,
        Action.MINUS_TEN,
        *range(Action.N10, Action.N0 - 1, -1),
    ],
    np.int64,
)


def tabulate_preference(order: Iterable[int]) -> NDArray[np.int16]:
    """Tabulate an order of preference, so that choosing by it takes neither loop nor branch.

    Each entry is the preferred action of a set, with its place in the order in front, so that the
    least of several entries is the best::

        bit    9 8 7 6 5 | 4 3 2 1 0
                 place   |   action

    Args:
        order: All 17 actions, most preferred first.

    Returns:
        Shape (3, 256). Row 0 is indexed with a set of the cards 0 to 7, row 1 with a set of the
        cards 8 to 15, row 2 with 1 if four ONO 99 cards may be discarded.
    """
    entries = {int(action): place << _ACTION_BITS | action for place, action in enumerate(order)}
    table = np.full((3, 1 << _HALF), _NOTHING, np.int16)
    for half in range(2):
        for card in range(_HALF):
            # The sets whose highest card this is: those of lower cards, with this card added.
            of_lower_cards = table[half, : 1 << card]
            entry = entries[half * _HALF + card]
            table[half, 1 << card : 2 << card] = np.minimum(of_lower_cards, entry)
    table[2, 1] = entries[_DISCARD_FOUR]
    table.flags.writeable = False
    return table


@inlined
def cards_within_limit(turn: Turn, rules: RulesRecord) -> Word:
    """Return the set of cards that the player to act may play without busting."""
    if rules.format <= CHIPS:
        return turn.legal_plays
    return turn.legal_plays & legal.fitting_cards(rules, turn.total)


@inlined
def choose_preferred(table: NDArray[np.int16], turn: Turn, rules: RulesRecord) -> Whole:
    """Choose the first action of an order that is legal and no bust, or else a card to bust with.

    Args:
        table: The order, as `tabulate_preference` returns it.
        turn: The turn of the player to act.
        rules: The rules of the game.
    """
    cards = words.bits_of_set(cards_within_limit(turn, rules))
    low = table[0, words.index(cards & _LOW_HALF)]
    high = table[1, words.index(cards >> _HALF)]
    best = np.int64(min(min(low, high), table[2, words.index(turn.may_discard_four)]))
    return choose_bust(turn) if best == _NOTHING else best & _ACTION_ONLY


@compiled
def choose_bust(turn: Turn) -> Whole:
    """Choose the card to bust with: the one that would cost most if it stayed in hand (R18)."""
    for card in _COSTLIEST_FIRST:
        if words.count_in_hand(turn.legal_plays, card) != 0:
            return card
    return np.int64(NONE)


@inlined
def danger_scale(turn: Turn, rules: RulesRecord) -> Whole:
    """Return the running total on the scale of the bots' thresholds, where the limit is 98."""
    return turn.total - np.int64(rules.highest_total) + _LIMIT_OF_THRESHOLDS
