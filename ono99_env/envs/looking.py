"""The compiled part of the environments: act at a table, and look at it for one seat."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import batch, chance, legal
from ono99_env.engine.compile import entry_point
from ono99_env.engine.state import TO_ACT, TRUNCATED
from ono99_env.engine.types import RulesArray, States, Whole
from ono99_env.tables import DONE
from ono99_env.views import write_view

NO_ACTION = -1
"""Tells `advance_table` to look only."""

SOMEBODY_IS_OUT = -1
"""What `advance_table` returns when a seat has left the game, or the game is over."""

ILLEGAL = -2
"""What `advance_table` returns when the action is not legal; nothing has changed then."""


@entry_point
def advance_table(
    games: States,
    rules: RulesArray,
    action: Whole,
    scratch: States,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
) -> Whole:
    """Apply an action, 0 to 16 or `NO_ACTION`, at one table; look at it for the seat to act.

    Returns:
        The seat to act, `SOMEBODY_IS_OUT`, or `ILLEGAL`.
    """
    state = games[0]
    in_match = np.int64(state.in_match)
    if action != NO_ACTION:
        if not legal.is_legal(state, action):
            return ILLEGAL
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


@entry_point
def find_offenders(
    action_mask: NDArray[np.int8], actions: NDArray[np.int64], offenders: NDArray[np.int64]
) -> Whole:
    """List the tables whose action is not legal.

    Args:
        action_mask: What is legal, shape (tables, 17).
        actions: What was chosen, shape (tables,); any integers.
        offenders: Filled from the front, shape (tables,).

    Returns:
        How many there are.
    """
    count = 0
    for table in range(len(actions)):
        action = actions[table]
        if action < 0 or action >= action_mask.shape[1] or action_mask[table, action] == 0:
            offenders[count] = table
            count += 1
    return count


@entry_point
def settle_tables(
    games: States,
    status: NDArray[np.int8],
    learner_seats: NDArray[np.int64],
    returns: NDArray[np.float64],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    done: NDArray[np.int64],
) -> Whole:
    """Write reward and ends of the learner's seat at every table.

    Args:
        games: All tables, shape (tables,).
        status: What each waits for (`ono99_env.tables`).
        learner_seats: The learner's seat at each.
        returns: Scratch, shape (8,).
        rewards: Written: 0 while the episode runs.
        terminated: Written: the learner is out, or the game is over.
        truncated: Written: the game was cut short while the learner was in it (R22).
        done: Filled from the front with the tables whose episode ended.

    Returns:
        How many episodes ended.
    """
    count = 0
    for table in range(len(games)):
        rewards[table], terminated[table], truncated[table] = 0.0, False, False
        if status[table] == DONE:
            state, seat = games[table], learner_seats[table]
            batch.write_returns(state, returns)
            rewards[table] = returns[seat]
            is_in = (np.int64(state.in_match) >> seat) & 1
            truncated[table] = state.phase == TRUNCATED and is_in != 0
            terminated[table] = not truncated[table]
            done[count] = table
            count += 1
    return count
