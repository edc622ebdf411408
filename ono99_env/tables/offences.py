"""Which of the learner's actions are not legal."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal
from ono99_env.jit.compile import as_argument, called_from_python
from ono99_env.jit.types import Seatings, States
from ono99_env.messages.errors import IllegalActionError
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.tables.table_loop import LEARNER_TO_ACT


def checked(actions: NDArray[np.int64], num_tables: int) -> NDArray[np.int64]:
    """The actions as compiled functions take them: one integer a table.

    Raises:
        ValueError: If there are not as many actions as tables.
        IllegalActionError: If they are no integers.
    """
    actions = np.asarray(actions)
    if actions.shape != (num_tables,):
        raise ValueError(f"actions must have shape ({num_tables},), not {actions.shape}")
    if actions.dtype.kind not in "iu":
        raise IllegalActionError(f"actions must be integers, not {actions.dtype}")
    return as_argument(actions, np.int64)


@called_from_python
def find_offenders(
    games: States, seatings: Seatings, actions: NDArray[np.int64], offenders: NDArray[np.int64]
) -> int:
    """List the tables whose action is not legal, by the records of the games.

    The action masks do not count: whoever is given them without a copy can reach their memory.

    Args:
        games: All tables, shape (tables,).
        seatings: Who plays at each, shape (tables,).
        actions: What was chosen, shape (tables,); any integers.
        offenders: Filled from the front, shape (tables,).

    Returns:
        How many there are.
    """
    count = 0
    for table in range(len(actions)):
        action = actions[table]
        is_due = seatings[table].status == LEARNER_TO_ACT
        is_action = 0 <= action < NUM_ACTIONS
        if not (is_due and is_action and legal.is_legal(games[table], action)):
            offenders[count] = table
            count += 1
    return count
