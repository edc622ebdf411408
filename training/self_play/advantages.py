"""Generalised advantage estimation along each seat's own timeline.

Schulman et al., "High-dimensional continuous control using generalized advantage estimation", 2016
(arXiv:1506.02438). A table's decisions are those of several seats in turn; each seat's are an
episode of their own, which ends when the seat is out or the game is left. What a seat wins or loses
while others act is the reward of its last decision before.

The last decision of a seat that is still playing when the rollout ends is *open*: whether the seat
survives until its next decision is not known yet. Its value ends the sums of the seat's earlier
decisions. The open decision is *carried* into the next rollout and gets its advantage there, so
every reward reaches its decision, across the end of a rollout too.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import Whole

NO_ROW = -1
"""In place of a row, where a seat has none."""

_REWARD = 0
"""What the seat got since the decision that is looked at."""
_IS_KNOWN = 1
"""1 if what follows that decision is known: another decision, the seat's end or the game's."""
_NEXT_VALUE, _NEXT_ADVANTAGE = 2, 3
"""Value and advantage of the seat's next decision; 0 if there is none in the game."""


class DecisionRows(NamedTuple):
    """The decisions of a rollout, and those that are carried into it.

    Rows are numbered: step times tables + table for the decisions of the rollout, then, after all
    of them, table times 8 + seat for those that may be carried into it.
    """

    seats: NDArray[np.int64]
    """Who decided, shape (steps, tables)."""
    rewards: NDArray[np.float32]
    """What each seat got after that decision and before the table's next, shape (steps, tables,
    8)."""
    game_over: NDArray[np.bool_]
    """Whether the game was left after that decision, shape (steps, tables)."""
    carried: NDArray[np.bool_]
    """Whether a decision of the last rollout is still open, shape (tables, 8)."""
    values: NDArray[np.float32]
    """Value estimate of every row, shape (steps * tables + tables * 8,)."""


@called_from_python
def estimate_advantages(
    decisions: DecisionRows,
    gamma: float,
    gae_lambda: float,
    advantages: NDArray[np.float32],
    open_rows: NDArray[np.int64],
) -> None:
    """Write the advantage of every decision that is not open.

    Args:
        decisions: The decisions.
        gamma: Discount for each of a seat's own decisions.
        gae_lambda: Weight of the later terms, for each of a seat's own decisions.
        advantages: Written, like ``decisions.values``; rows that are open stay as they are.
        open_rows: Written: the row that is open for each seat or `NO_ROW`, shape (tables, 8).
    """
    num_steps, num_tables = decisions.seats.shape
    num_seats = decisions.rewards.shape[2]
    timelines = np.zeros((num_seats, 4), np.float32)
    for table in range(num_tables):
        timelines[:] = 0.0
        open_rows[table] = NO_ROW
        for step in range(num_steps - 1, -1, -1):
            if decisions.game_over[step, table]:
                timelines[:] = 0.0
                timelines[:, _IS_KNOWN] = 1.0
            timelines[:, _REWARD] += decisions.rewards[step, table]
            seat, row = decisions.seats[step, table], step * num_tables + table
            value = decisions.values[row]
            if _write_advantage(row, value, timelines[seat], gamma, gae_lambda, advantages):
                open_rows[table, seat] = row
        for seat in range(num_seats):
            row = num_steps * num_tables + table * num_seats + seat
            value = decisions.values[row]
            if decisions.carried[table, seat] and _write_advantage(
                row, value, timelines[seat], gamma, gae_lambda, advantages
            ):
                open_rows[table, seat] = row


@compiled
def _write_advantage(
    row: Whole,
    value: float,
    timeline: NDArray[np.float32],
    gamma: float,
    gae_lambda: float,
    advantages: NDArray[np.float32],
) -> bool:
    """Write the advantage of a seat's decision, and go back on its timeline to the one before.

    Returns:
        Whether the decision is open; nothing is written then.
    """
    # A loss arrives when the seat is out, and a win when the game is over: nothing comes after.
    is_open = bool(timeline[_IS_KNOWN] == 0.0 and timeline[_REWARD] == 0.0)
    if not is_open:
        delta = timeline[_REWARD] + gamma * timeline[_NEXT_VALUE] - value
        advantages[row] = delta + gamma * gae_lambda * timeline[_NEXT_ADVANTAGE]
        timeline[_NEXT_ADVANTAGE] = advantages[row]
    timeline[_NEXT_VALUE] = value
    timeline[_REWARD] = 0.0
    timeline[_IS_KNOWN] = 1.0
    return is_open
