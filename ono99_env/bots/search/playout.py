"""Playing a round out fast: everyone plays the highest number that fits, and keeps the helpers.

The order is that of the bot `highest`, computed from the words of cards instead of looked up. Where
nothing fits and a player must bust (R17), the highest number is the one to get rid of, too.
"""

import numpy as np

from ono99_env.cards import Action, Card
from ono99_env.engine import chance, legal, words
from ono99_env.engine.compile import compiled, inlined
from ono99_env.engine.state import TO_ACT
from ono99_env.engine.types import RulesRecord, State, Whole

_NO_CARDS = np.uint64(0)
_NUMBERS = np.uint64((1 << 4 * Card.ONO99) - 1)
_HELPERS = np.array([Card.REVERSE, Card.PLAY_TWO, Card.MINUS_TEN, Card.HOLD], np.int64)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_ONO99 = int(Card.ONO99)

MOST_PLAYS = 1000
"""Plays after which a playout is left as it is: with some reduced decks a round never ends."""


@inlined
def choose_fast(state: State, rules: RulesRecord) -> Whole:
    """The action of the player to act in a playout."""
    fitting = state.legal_plays & legal.fitting_cards(rules, np.int64(state.total))
    if fitting == _NO_CARDS and state.may_discard_four:
        return np.int64(_DISCARD_FOUR)
    cards = state.legal_plays if fitting == _NO_CARDS else fitting
    numbers = cards & _NUMBERS
    if numbers != _NO_CARDS:
        return words.nth_in_set(numbers, words.hand_size(numbers) - 1)
    for card in _HELPERS:
        if words.count_in_hand(cards, card):
            return card
    return np.int64(_DISCARD_FOUR if state.may_discard_four else _ONO99)


@compiled
def play_out(state: State, rules: RulesRecord, action: Whole) -> None:
    """Play an action and then the rest of the round; the deal of a next round may have followed."""
    round_number = state.round_number
    for _ in range(MOST_PLAYS):
        chance.step(state, rules, action)
        if state.phase != TO_ACT or state.round_number != round_number:
            return
        action = choose_fast(state, rules)
