"""The limit on the steps of an episode (Gymnasium's ``max_episode_steps``)."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.messages.values import is_whole_number

_NOWHERE = np.zeros(0, np.int64)


class StepLimit:
    """Count the steps of the episodes at many tables.

    Args:
        max_episode_steps: After how many steps an episode is to be truncated; None for no limit,
            which counts nothing.
        num_envs: How many tables there are.

    Raises:
        ValueError: If the limit is neither None nor a whole number from 1.
    """

    def __init__(self, max_episode_steps: int | None, num_envs: int) -> None:
        if max_episode_steps is not None and (
            not is_whole_number(max_episode_steps) or max_episode_steps < 1
        ):
            raise ValueError(
                f"max_episode_steps must be None or at least 1, not {max_episode_steps!r}"
            )
        self._limit = max_episode_steps
        self._lengths = np.zeros(num_envs, np.int64)

    def begin(self, tables: NDArray[np.int64] | None = None) -> None:
        """Begin episodes at some tables, by default at all."""
        if self._limit is not None:
            self._lengths[slice(None) if tables is None else tables] = 0

    def count_step(self, ended: NDArray[np.int64]) -> NDArray[np.int64]:
        """Count a step at every table.

        Args:
            ended: The tables whose episode ended in it, shape (k,).

        Returns:
            The other tables whose episode has reached the limit, shape (n,). New episodes begin
            at these and at the ended ones.
        """
        if self._limit is None:
            return _NOWHERE
        self._lengths += 1
        self._lengths[ended] = 0
        late = np.flatnonzero(self._lengths >= self._limit)
        self._lengths[late] = 0
        return late
