"""The compiled part of the environments: act at a table, and look at it for one seat."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal, step
from ono99_env.engine.records import TO_ACT
from ono99_env.jit.compile import called_from_python, inlined
from ono99_env.jit.types import (
    Compact,
    Counts,
    Mask,
    RulesArray,
    RulesRecord,
    State,
    States,
    Vector,
    Whole,
)
from ono99_env.observation.counts import COUNTS
from ono99_env.observation.layout import MASK, OBSERVATION, OBSERVATION_SIZE
from ono99_env.observation.views import COMPACT, write_compactly, write_view
from ono99_env.tables.table_loop import NO_ACTION

SOMEBODY_IS_OUT = -1
"""What `advance_table` returns when a seat has left the game, or the game is over."""

ILLEGAL = -2
"""What `advance_table` returns when the action is not legal; nothing has changed then."""

NO_VECTORS = np.zeros((0, OBSERVATION_SIZE), np.float32)
NO_RECORDS = np.zeros((0, COMPACT.itemsize), np.uint8)
"""In place of the observations, full or compact, that are not asked for."""


@called_from_python
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
        step.step(state, rules[0], action)
    if state.phase == TO_ACT:
        view, counts = games.copy(), np.zeros(1, COUNTS)
        write_view(
            *(view[0], rules[0], state.current_player, counts[0]),
            *(observation.view(OBSERVATION)[0], mask.view(MASK)[0]),
        )
        if state.in_match == in_match:
            return np.int64(state.current_player)
    return SOMEBODY_IS_OUT


@called_from_python
def look(
    games: States,
    rules: RulesArray,
    seat: Whole,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
) -> None:
    """Write the observation and the mask of one seat at one table."""
    view, counts = games.copy(), np.zeros(1, COUNTS)
    write_view(
        *(view[0], rules[0], seat, counts[0]),
        *(observation.view(OBSERVATION)[0], mask.view(MASK)[0]),
    )


@called_from_python
def look_at_tables(
    games: States,
    rules: RulesArray,
    tables: NDArray[np.int64],
    observers: NDArray[np.int64],
    rows: NDArray[np.int64],
    observation: NDArray[np.float32],
    compact: NDArray[np.uint8],
    action_mask: NDArray[np.int8],
) -> None:
    """Write what one seat sees and may do at each of the given tables.

    Args:
        games: All tables, shape (tables,).
        rules: The rules of all games.
        tables: Which tables, shape (k,).
        observers: The observing seat at each table, shape (tables,).
        rows: Where to write what, shape (k,).
        observation: Zeros or earlier observations, shape (rows, features), or (0, features).
        compact: The same as bytes of `ono99_env.observation.views.COMPACT`, shape (rows, bytes) or
            (0, bytes).
        action_mask: Shape (rows, 17).
    """
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    records = compact.view(COMPACT)
    view, counts = np.empty(1, COMPACT), np.zeros(1, COUNTS)
    for index in range(len(tables)):
        table, row = tables[index], rows[index]
        state, seat, mask = games[table], observers[table], masks[row, 0]
        if len(compact):
            write_compactly(state, seat, records[row, 0], mask)
        else:
            write_fully(state, rules[0], seat, view[0], counts[0], vectors[row, 0], mask)


@inlined
def write_fully(
    state: State,
    rules: RulesRecord,
    observer: Whole,
    view: Compact,
    counts: Counts,
    vector: Vector,
    mask: Mask,
) -> None:
    """Write the vector of what the observer may know of a game, and the mask."""
    view.state = state
    write_view(view.state, rules, observer, counts, vector, mask)
