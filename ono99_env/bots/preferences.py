"""Playing by an order of preference, and what every scripted bot does beyond the limit.

In the points formats a card over the limit can be played to go out (R17). Bots never do that while
another play is legal: it costs 25 points and the round. When they must, the card leaves the hand
before the hand is scored (R18), so they get rid of the one that would cost most; among the cards
that cost the same (specials, which bust only where ``bust_counts`` has lifted the total) Minus Ten
goes last, because it would help the others.
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.cards import Action
from ono99_env.engine import legal, words
from ono99_env.engine.compile import compiled
from ono99_env.engine.types import RulesRecord, State, Whole, Word

NONE = -1
"""In place of an action: there is none."""

_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)

_COSTLIEST_FIRST = np.array(
    [
        *(Action.REVERSE, Action.PLAY_TWO, Action.HOLD, Action.MINUS_TEN),
        *range(Action.N10, Action.N0 - 1, -1),
    ],
    np.int64,
)


@compiled
def cards_within_limit(view: State, rules: RulesRecord) -> Word:
    """The set of cards that the player to act may play without busting."""
    return view.legal_plays & legal.fitting_cards(rules, np.int64(view.total))


@compiled
def preferred(order: NDArray[np.int64], view: State, rules: RulesRecord) -> Whole:
    """The first action of an order that is legal and no bust; if there is none, the best bust.

    Args:
        order: Actions, most preferred first; all 17, or a bust may be chosen too early.
        view: The redacted record of the seat to act.
        rules: The rules of the game.
    """
    cards = cards_within_limit(view, rules)
    for action in order:
        if action == _DISCARD_FOUR:
            if view.may_discard_four:
                return action
        elif words.count_in_hand(cards, action) != 0:
            return action
    return choose_bust(view)


@compiled
def choose_bust(view: State) -> Whole:
    """The card to bust with: the one that would cost most if it stayed in hand (R18)."""
    for card in _COSTLIEST_FIRST:
        if words.count_in_hand(view.legal_plays, card) != 0:
            return card
    return np.int64(NONE)


@compiled
def danger_scale(view: State, rules: RulesRecord) -> Whole:
    """The running total, moved as if the limit were 98, which the bots' thresholds are for."""
    return np.int64(view.total) - np.int64(rules.highest_total) + 98
