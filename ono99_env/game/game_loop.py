"""The compiled part of `Game`: one call plays an action with all chance, and tells what was dealt.

With one game, what a call costs is finding the types of its arguments. Arrays of bytes take half as
long as arrays of records, so a game is one: its record, and behind it the cards of the last call.
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal, step
from ono99_env.engine.records import RULES, STATE
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import Whole

DEALT = STATE.itemsize
"""Where the cards of the last call begin."""

MOST_DEALT = 64
"""Cards dealt in one call at most: a deal of a round to eight seats fits."""

MEMORY_SIZE = DEALT + MOST_DEALT
"""Bytes of a game with the cards of the last call."""

ILLEGAL = -1
"""In place of a number of cards: the action is not legal, and nothing was changed."""

MISSED_DRAW = 1 << 16
"""Added to the number of cards if the replacement draw was missed (R20)."""


@called_from_python
def play(memory: NDArray[np.int8], rules: NDArray[np.int8], action: Whole) -> int:
    """Play an action for the current player, let chance decide (R20), go on as `deal_due_cards`.

    Returns:
        The number of cards dealt, plus `MISSED_DRAW`; or `ILLEGAL`.
    """
    state, rules_record = memory[:DEALT].view(STATE)[0], rules.view(RULES)[0]
    if not legal.is_legal(state, action):
        return ILLEGAL
    step.begin_action(state, rules_record, action)
    if step.draw_is_missed(state, rules_record):
        state.draws_due = 0
        return MISSED_DRAW + go_on(memory, rules)
    return go_on(memory, rules)


@called_from_python
def deal_due_cards(memory: NDArray[np.int8], rules: NDArray[np.int8]) -> int:
    """Deal from the game's own generator until a player must act, or `MOST_DEALT` cards are dealt.

    Args:
        memory: The game, shape (`MEMORY_SIZE`,); the cards dealt are written behind the record.
        rules: The bytes of a `RULES` record.

    Returns:
        The number of cards dealt; after `MOST_DEALT`, more may be due.
    """
    return go_on(memory, rules)


@compiled
def go_on(memory: NDArray[np.int8], rules: NDArray[np.int8]) -> int:
    """Do as `deal_due_cards`."""
    state, rules_record = memory[:DEALT].view(STATE)[0], rules.view(RULES)[0]
    num_dealt = 0
    while num_dealt < MOST_DEALT and step.needs_card(state, rules_record):
        card = step.random_card(state)
        step.deal_card(state, card)
        memory[DEALT + num_dealt] = card
        num_dealt += 1
    return num_dealt
