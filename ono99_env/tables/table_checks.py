"""Checks of the arrays that callers give: once a batch, before anything is changed.

Compiled code does not check where it reads and writes. An array that fits costs one compiled pass.
Only if something is wrong does Python work out which entry and what to say.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal
from ono99_env.game.legality import illegal_action_error
from ono99_env.jit.compile import as_argument, called_from_python
from ono99_env.jit.types import Rosters, States
from ono99_env.messages.errors import IllegalActionError
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.rules.rules import Rules
from ono99_env.tables.table_loop import LEARNER, LEARNER_TO_ACT, MOST_DEALS, World

_FITS = -1
"""What the compiled checks return if nothing is wrong."""


def integers(name: str, values: Any, shape: tuple[int, ...] | None = None) -> NDArray[np.int64]:
    """Return whole numbers as compiled functions take them.

    Args:
        name: What the caller calls them.
        values: Integers of any type, not truth values.
        shape: What they must have; None: one dimension.

    Raises:
        ValueError: If they are anything else.
    """
    array = np.asarray(values)
    is_shaped = array.ndim == 1 if shape is None else array.shape == shape
    if not is_shaped:
        raise ValueError(f"{name} must have shape {shape or '(k,)'}, not {array.shape}")
    if array.dtype.kind not in "iu" and array.size:
        raise ValueError(f"{name} must be integers, not {array.dtype}")
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name}: {array.max()} is too large")
    return as_argument(array, np.int64)


def table_indices(values: Any, num_tables: int) -> NDArray[np.int64]:
    """Return indices of tables, each of which exists and is named once.

    Raises:
        ValueError: If not; the message names the first.
    """
    tables = integers("tables", values)
    index = find_wrong_table(tables, num_tables)
    if index == _FITS:
        return tables
    table = tables[index]
    if 0 <= table < num_tables:
        raise ValueError(f"tables[{index}]: table {table} is named twice")
    raise ValueError(f"tables[{index}]: must be from 0 to {num_tables - 1}, not {table}")


def seeds_of(values: Any, shape: tuple[int]) -> NDArray[np.uint64]:
    """Return seeds, 0 to 2**64 - 1, as compiled functions take them.

    Raises:
        ValueError: If they are anything else.
    """
    array = np.asarray(values)
    if array.dtype != np.uint64:
        array = integers("seeds", values, shape)
        if (array < 0).any():
            index = int(np.argmax(array < 0))
            raise ValueError(f"seeds[{index}]: must be from 0 to 2**64 - 1, not {array[index]}")
    elif array.shape != shape:
        raise ValueError(f"seeds must have shape {shape}, not {array.shape}")
    return as_argument(array, np.uint64)


def holders_of(values: Any, num_games: int) -> NDArray[np.int8]:
    """Return the holders of the seats of that many games, as compiled functions take them.

    Raises:
        ValueError: If they have another shape or type, or do not fit into a byte.
    """
    array = np.asarray(values)
    if array.dtype != np.int8 or array.shape != (num_games, MAX_PLAYERS):
        array = integers("holders", array, (num_games, MAX_PLAYERS))
        if array.size and not -128 <= array.min() <= array.max() <= 127:
            raise ValueError("holders: must be -1 for the learner or the index of a bot")
    return as_argument(array, np.int8)


def check_deal(
    num_players: NDArray[np.int64], holders: NDArray[np.int8], counts: list[int], num_bots: int
) -> None:
    """Refuse player counts that the rules do not allow, and holders that there are not.

    Raises:
        ValueError: Naming the argument and the first wrong index.
    """
    index = find_wrong_deal(num_players, holders, sum(1 << count for count in counts), num_bots)
    if index == _FITS:
        return
    wrong = np.flatnonzero(~np.isin(num_players, counts))
    if len(wrong):
        raise ValueError(
            f"num_players[{wrong[0]}]: must be one of {counts} by these rules, "
            f"not {num_players[wrong[0]]}"
        )
    rows, seats = np.nonzero((holders < LEARNER) | (holders >= num_bots))
    if len(rows):
        raise ValueError(
            f"holders[{rows[0]}, {seats[0]}]: must be {LEARNER} for the learner or one of "
            f"{num_bots} bots, from 0, not {holders[rows[0], seats[0]]}"
        )


def check_actions(
    games: States,
    rosters: Rosters,
    tables: NDArray[np.int64],
    actions: NDArray[np.int64],
    rules: Rules,
) -> None:
    """Refuse actions where the learner is not to act, and illegal ones.

    Raises:
        RuntimeError: If the learner is not to act at a table.
        IllegalActionError: Naming the first illegal action.
    """
    index = find_wrong_action(games, rosters, tables, actions)
    if index == _FITS:
        return
    table = tables[index]
    if rosters["status"][table] != LEARNER_TO_ACT:
        raise RuntimeError("the learner is not to act at every table; deal new games first")
    error = illegal_action_error(games[table], rules, int(actions[index]))
    raise IllegalActionError(f"actions[{index}], table {table}: {error}")


def no_decision_error() -> ValueError:
    """Return the error for rules under which games end before the learner can play a card."""
    return ValueError(
        f"rules: none of {MOST_DEALS} games lasted until the learner could play a card"
    )


def checked_actions(actions: Any, num_tables: int) -> NDArray[np.int64]:
    """Return one integer per table as compiled functions take them; they may be illegal.

    Raises:
        ValueError: If there are not as many actions as tables.
        IllegalActionError: If they are no integers.
    """
    array = np.asarray(actions)
    if array.shape != (num_tables,):
        raise ValueError(f"actions must have shape ({num_tables},), not {array.shape}")
    if array.dtype.kind not in "iu":
        raise IllegalActionError(f"actions must be integers, not {array.dtype}")
    return as_argument(array, np.int64)


@called_from_python
def find_illegal_actions(
    world: World, actions: NDArray[np.int64], offenders: NDArray[np.int64]
) -> int:
    """List the tables whose action is not legal, by the records of the games.

    The action masks do not count: a caller who holds them without a copy can write to their memory.

    Args:
        world: All tables, as a bare tuple.
        actions: The chosen actions, shape (tables,); any integers.
        offenders: Filled from the front, shape (tables,).

    Returns:
        How many there are.
    """
    games, _, _, rosters, _ = world
    count = 0
    for table in range(len(actions)):
        action = actions[table]
        is_due = rosters[table].status == LEARNER_TO_ACT
        is_action = 0 <= action < NUM_ACTIONS
        if not (is_due and is_action and legal.is_legal(games[table], action)):
            offenders[count] = table
            count += 1
    return count


@called_from_python
def find_wrong_table(tables: NDArray[np.int64], num_tables: int) -> int:
    """Return the first index of a table that does not exist or was named before, or `_FITS`."""
    is_sorted, last = True, -1
    for index in range(len(tables)):
        if tables[index] < 0 or tables[index] >= num_tables:
            return index
        is_sorted = is_sorted and tables[index] > last
        last = tables[index]
    if is_sorted:
        return _FITS
    seen = np.zeros(num_tables, np.bool_)
    for index in range(len(tables)):
        if seen[tables[index]]:
            return index
        seen[tables[index]] = True
    return _FITS


@called_from_python
def find_wrong_deal(
    num_players: NDArray[np.int64], holders: NDArray[np.int8], counts: int, num_bots: int
) -> int:
    """Return the first index of a deal that is impossible, or `_FITS`.

    Args:
        num_players: Seats of each game, shape (k,).
        holders: Holder of each seat, shape (k, 8).
        counts: Set of the possible numbers of seats, as bits.
        num_bots: How many bots may hold seats.
    """
    for index in range(len(num_players)):
        count = num_players[index]
        if count < 0 or count > MAX_PLAYERS or not (counts >> count) & 1:
            return index
        for seat in range(MAX_PLAYERS):
            if holders[index, seat] < LEARNER or holders[index, seat] >= num_bots:
                return index
    return _FITS


@called_from_python
def find_wrong_action(
    games: States, rosters: Rosters, tables: NDArray[np.int64], actions: NDArray[np.int64]
) -> int:
    """Return the first index of an action that may not be taken now, or `_FITS`."""
    for index in range(len(tables)):
        table = tables[index]
        if rosters[table].status != LEARNER_TO_ACT:
            return index
        if not legal.is_legal(games[table], actions[index]):
            return index
    return _FITS
