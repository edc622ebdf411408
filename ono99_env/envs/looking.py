"""The compiled part of the environments: act at a table, and look at it for one seat."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.cards import MAX_PLAYERS
from ono99_env.engine import batch, chance, legal
from ono99_env.engine.compile import entry_point
from ono99_env.engine.state import STATE, TO_ACT, TRUNCATED
from ono99_env.engine.types import RulesArray, Seatings, States, Whole
from ono99_env.features import COMPACT_OBSERVATION, MASK, OBSERVATION
from ono99_env.observing import COUNTS, observe_compactly
from ono99_env.table_steps import DONE, NO_ACTION
from ono99_env.views import hide, write_mask, write_view

SOMEBODY_IS_OUT = -1
"""What `advance_table` returns when a seat has left the game, or the game is over."""

ILLEGAL = -2
"""What `advance_table` returns when the action is not legal; nothing has changed then."""


@entry_point
def advance_table(
    games: States,
    rules: RulesArray,
    action: Whole,
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
        view, counts = games.copy(), np.empty(1, COUNTS)
        write_view(
            *(view[0], rules[0], state.current_player, counts[0]),
            *(observation.view(OBSERVATION)[0], mask.view(MASK)[0]),
        )
        if state.in_match == in_match:
            return np.int64(state.current_player)
    return SOMEBODY_IS_OUT


@entry_point
def look(
    games: States,
    rules: RulesArray,
    seat: Whole,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
) -> None:
    """Write the observation and the mask of one seat at one table."""
    view, counts = games.copy(), np.empty(1, COUNTS)
    write_view(
        *(view[0], rules[0], seat, counts[0]),
        *(observation.view(OBSERVATION)[0], mask.view(MASK)[0]),
    )


@entry_point
def look_at_tables(
    games: States,
    rules: RulesArray,
    tables: NDArray[np.int64],
    observers: NDArray[np.int64],
    observation: NDArray[np.float32],
    action_mask: NDArray[np.int8],
) -> None:
    """Write the observation and the mask of one seat at each of the given tables."""
    view, counts = np.empty(1, STATE), np.empty(1, COUNTS)
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    for table in tables:
        view[0] = games[table]
        write_view(
            *(view[0], rules[0], observers[table], counts[0]),
            *(vectors[table, 0], masks[table, 0]),
        )


@entry_point
def look_compactly_at_tables(
    games: States,
    rules: RulesArray,
    tables: NDArray[np.int64],
    observers: NDArray[np.int64],
    observation: NDArray[np.int16],
    action_mask: NDArray[np.int8],
) -> None:
    """Write the compact observation and the mask of one seat at each of the given tables."""
    view, counts = np.empty(1, STATE), np.empty(1, COUNTS)
    vectors, masks = observation.view(COMPACT_OBSERVATION), action_mask.view(MASK)
    for table in tables:
        view[0] = games[table]
        hide(view[0], observers[table])
        observe_compactly(view[0], rules[0], observers[table], counts[0], vectors[table, 0])
        write_mask(view[0], masks[table, 0])


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
    seatings: Seatings,
    learner_seats: NDArray[np.int64],
    rewards: NDArray[np.float32],
    terminated: NDArray[np.bool_],
    truncated: NDArray[np.bool_],
    done: NDArray[np.int64],
) -> Whole:
    """Write reward and ends of the learner's seat at every table.

    Args:
        games: All tables, shape (tables,).
        seatings: Who plays at each, and what it waits for.
        learner_seats: The learner's seat at each.
        rewards: Written: 0 while the episode runs.
        terminated: Written: the learner is out, or the game is over.
        truncated: Written: the game was cut short while the learner was in it (R22).
        done: Filled from the front with the tables whose episode ended.

    Returns:
        How many episodes ended.
    """
    count = 0
    returns = np.empty(MAX_PLAYERS)
    for table in range(len(games)):
        rewards[table], terminated[table], truncated[table] = 0.0, False, False
        if seatings[table].status == DONE:
            state, seat = games[table], learner_seats[table]
            batch.write_returns(state, returns)
            rewards[table] = returns[seat]
            is_in = (np.int64(state.in_match) >> seat) & 1
            truncated[table] = state.phase == TRUNCATED and is_in != 0
            terminated[table] = not truncated[table]
            done[count] = table
            count += 1
    return count
