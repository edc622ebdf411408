"""Which of the learner's actions are not legal."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.jit.compile import as_argument, called_from_python
from ono99_env.messages.errors import IllegalActionError


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
    action_mask: NDArray[np.int8], actions: NDArray[np.int64], offenders: NDArray[np.int64]
) -> int:
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
