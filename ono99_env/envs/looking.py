"""The compiled part of the environments: act at a table, and look at it for one seat."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import chance
from ono99_env.engine.compile import entry_point
from ono99_env.engine.state import TO_ACT
from ono99_env.engine.types import RulesArray, States, Whole
from ono99_env.views import write_view

SOMEBODY_IS_OUT = -1
"""What `advance_table` returns when a seat has left the game, or the game is over."""


@entry_point
def advance_table(
    games: States,
    rules: RulesArray,
    action: Whole,
    scratch: States,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
) -> Whole:
    """Apply an action (none if negative) at one table, and look at it for the seat to act.

    Returns:
        The seat to act, or -1 if somebody has left the game or it is over.
    """
    state = games[0]
    in_match = np.int64(state.in_match)
    if action >= 0:
        chance.step(state, rules[0], action)
    if state.phase == TO_ACT:
        scratch[0] = state
        write_view(scratch[0], rules[0], state.current_player, observation, mask)
        if state.in_match == in_match:
            return np.int64(state.current_player)
    return SOMEBODY_IS_OUT


@entry_point
def look(
    games: States,
    rules: RulesArray,
    seat: Whole,
    scratch: States,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
) -> None:
    """Write the observation and the mask of one seat at one table."""
    scratch[0] = games[0]
    write_view(scratch[0], rules[0], seat, observation, mask)


@entry_point
def look_at_tables(
    games: States,
    rules: RulesArray,
    tables: NDArray[np.int64],
    observers: NDArray[np.int64],
    scratch: States,
    observation: NDArray[np.float32],
    action_mask: NDArray[np.int8],
) -> None:
    """Write the observation and the mask of one seat at each of the given tables."""
    for table in tables:
        scratch[0] = games[table]
        write_view(
            *(scratch[0], rules[0], observers[table], observation[table], action_mask[table])
        )
