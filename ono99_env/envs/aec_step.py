"""The compiled step of the AEC environment: act at one table, and look at it for the next agent."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal, step
from ono99_env.engine.records import TO_ACT
from ono99_env.jit.compile import called_from_python
from ono99_env.jit.types import Whole
from ono99_env.observation.counts import UNSCALED
from ono99_env.observation.layout import MASK
from ono99_env.observation.look import COMPACT, Batch, write_observation
from ono99_env.tables.table_loop import NO_ACTION, REFUSED

SOMEBODY_IS_OUT = -1
"""What `step_table` returns when a seat has left the game, or the game is over."""


@called_from_python
def step_table(
    batch: Batch,
    action: Whole,
    observation: NDArray[np.float32],
    action_mask: NDArray[np.int8],
) -> Whole:
    """Apply an action, 0 to 16 or `NO_ACTION`, at one table; look at it for the seat to act.

    Args:
        batch: One game, as a bare tuple.
        action: What the current player does.
        observation: Zeros, shape (features,): written if a player is to act.
        action_mask: Likewise, shape (17,).

    Returns:
        The seat to act, `SOMEBODY_IS_OUT`, or `REFUSED`.
    """
    games, rules, scales = batch
    state = games[0]
    in_match = np.int64(state.in_match)
    if action != NO_ACTION:
        if not legal.is_legal(state, action):
            return REFUSED
        step.step(state, rules[0], action)
    if state.phase == TO_ACT:
        redacted, unscaled = np.empty(1, COMPACT), np.zeros(1, UNSCALED)
        write_observation(
            state,
            rules[0],
            scales[0],
            state.current_player,
            redacted[0],
            unscaled[0],
            observation.reshape(1, -1),
            action_mask.view(MASK)[0],
        )
        if state.in_match == in_match:
            return np.int64(state.current_player)
    return SOMEBODY_IS_OUT
