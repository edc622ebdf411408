"""What the vector environment tells of episodes that have ended."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class FinalInfos:
    """Makes the infos ``final_obs`` and ``final_info`` of a step.

    Args:
        observation: What the learner sees at each table, shape (num_envs, features).
        action_mask: What it may do, shape (num_envs, 17).
        copy: Whether every step gets arrays of its own, or the last one's are written anew.
    """

    def __init__(
        self, observation: NDArray[Any], action_mask: NDArray[np.int8], copy: bool
    ) -> None:
        self._observation, self._action_mask, self._copy = observation, action_mask, copy
        self._clear()

    def of(self, done: NDArray[np.int64]) -> dict[str, Any]:
        """The infos of a step that has ended episodes, whose tables show their last positions.

        Args:
            done: At which tables, shape (k,), k > 0.
        """
        if self._copy:
            self._clear()
        else:
            self._final_obs[self._done] = None
            self._is_done[self._done] = False
            self._masks[self._done] = 0
        self._take_rows(done)
        self._final_obs[done] = self._rows[: len(done)]
        self._is_done[done] = True
        self._masks[done] = self._action_mask[done]
        self._done = done
        return {
            "final_obs": self._final_obs,
            "_final_obs": self._is_done,
            "final_info": {"action_mask": self._masks, "_action_mask": self._is_done},
            "_final_info": self._is_done,
        }

    def __getstate__(self) -> dict[str, Any]:
        """Views of rows would be cut off from their array in a pickled or copied object."""
        return {**vars(self), "_taken": self._observation[:0], "_rows": np.empty(0, dtype=object)}

    def _clear(self) -> None:
        num_envs = len(self._observation)
        self._final_obs = np.empty(num_envs, dtype=object)
        self._is_done = np.zeros(num_envs, np.bool_)
        self._masks = np.zeros_like(self._action_mask)
        self._done = np.zeros(0, np.int64)
        self._taken = self._observation[:0]
        self._rows = np.empty(0, dtype=object)

    def _take_rows(self, done: NDArray[np.int64]) -> None:
        """Copy the last observations; Gymnasium's vector environments give separate objects."""
        if len(done) > len(self._taken):
            self._taken = np.empty_like(self._observation, shape=(len(done), *self._observation.shape[1:]))
            self._rows = np.empty(len(done), dtype=object)
            for index, row in enumerate(self._taken):
                self._rows[index] = row
        np.take(self._observation, done, axis=0, out=self._taken[: len(done)], mode="clip")
