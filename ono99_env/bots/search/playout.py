"""The policy of playouts: rules of thumb that are fast and look only at the player's hand.

- Four ONO 99 cards are discarded, and an ONO 99 that may be played is played.
- The highest number that fits goes first. The helpers (0, Reverse, Play Two, Minus Ten, Hold) are
  kept until no number fits; their order depends on the room below the limit.
- A player who owes two cards near the limit begins with a Minus Ten, to make room for the second.

The orders are the best of some dozens that were tried against the bot `highest` at two to six
players. The policy plays all seats of a playout, in which no hand is hidden.
"""

import numpy as np

from ono99_env.engine import legal, step, words
from ono99_env.engine.records import TO_ACT
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import Action, Card

_NO_CARDS = np.uint64(0)
_NUMBERS = words.card_set(*range(Card.N1, Card.N10 + 1))
_ONO99 = int(Card.ONO99)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)

_OBLIGED = 2
_HELPERS = np.array(
    [
        [Card.MINUS_TEN, Card.HOLD, Card.N0, Card.REVERSE, Card.PLAY_TWO],
        [Card.N0, Card.PLAY_TWO, Card.HOLD, Card.REVERSE, Card.MINUS_TEN],
        [Card.MINUS_TEN, Card.REVERSE, Card.PLAY_TWO, Card.HOLD, Card.N0],
    ],
    np.int64,
)
_LATE_ROOM = 13
_OBLIGED_ROOM = 10

MOST_PLAYOUT_PLAYS = 1000
"""Plays after which a playout stops: with some reduced decks a round never ends."""


@inlined
def choose_fast(state: State, rules: RulesRecord) -> Whole:
    """Choose the action of the player to act in a playout."""
    if state.may_discard_four:
        return np.int64(_DISCARD_FOUR)
    cards = state.legal_plays & legal.fitting_cards(rules, np.int64(state.total))
    if cards == _NO_CARDS:  # only busting is left (R17)
        cards = state.legal_plays
    if words.count_in_hand(cards, _ONO99):
        return np.int64(_ONO99)
    room = np.int64(rules.highest_total) - np.int64(state.total)
    numbers = cards & _NUMBERS
    obliged = state.plays_owed == 2 and room <= _OBLIGED_ROOM
    if numbers != _NO_CARDS and not obliged:
        return highest_of(numbers)
    order = _OBLIGED if obliged else np.int64(room <= _LATE_ROOM)
    for place in range(_HELPERS.shape[1]):
        if words.count_in_hand(cards, _HELPERS[order, place]):
            return _HELPERS[order, place]
    return highest_of(numbers)


@inlined
def highest_of(cards: Word) -> Whole:
    """Return the card of the highest id in a set."""
    return words.nth_in_set(cards, words.set_size(cards) - 1)


@compiled
def play_out(state: State, rules: RulesRecord, action: Whole) -> None:
    """Play an action and then the rest of the round; the next round may then be dealt already."""
    round_number = state.round_number
    for _ in range(MOST_PLAYOUT_PLAYS):
        step.step(state, rules, action)
        if state.phase != TO_ACT or state.round_number != round_number:
            return
        action = choose_fast(state, rules)
