"""What the vector environment tells of episodes that have ended."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.envs.episodes import Episodes


class FinalInfos:
    """Makes the infos ``final_obs`` and ``final_info`` of a step.

    Args:
        episodes: The episodes that end.
        copy: Whether every step gets arrays of its own, or those of the last one are written anew.
    """

    def __init__(self, episodes: Episodes, copy: bool) -> None:
        self._episodes, self._copy = episodes, copy
        self._clear()

    def of(self, done: NDArray[np.int64]) -> dict[str, Any]:
        """The infos of a step that has ended episodes.

        Args:
            done: At which tables, shape (k,), k > 0; not dealt anew yet.
        """
        if self._copy:
            self._clear()
        else:
            self._final_obs[self._done] = None
            self._is_done[self._done] = False
        self._final_obs[done] = self._last_observations(done)
        self._is_done[done] = True
        self._done = done
        return {
            "final_obs": self._final_obs,
            "_final_obs": self._is_done,
            "final_info": {"action_mask": self._masks, "_action_mask": self._is_done},
            "_final_info": self._is_done,
        }

    def __getstate__(self) -> dict[str, Any]:
        """Views of rows would be cut off from their array in a pickled or copied object."""
        return {**vars(self), "_rows": np.empty(0, dtype=object)}

    def _clear(self) -> None:
        num_envs = len(self._episodes)
        self._final_obs = np.empty(num_envs, dtype=object)
        self._is_done = np.zeros(num_envs, np.bool_)
        self._masks = np.zeros_like(self._episodes.action_mask)
        self._done = np.zeros(0, np.int64)
        self._rows = np.empty(0, dtype=object)

    def _last_observations(self, done: NDArray[np.int64]) -> NDArray[np.object_]:
        """One array a table, as Gymnasium's own vector environments give them; shape (k,)."""
        if len(done) > len(self._rows):
            self._array = self._episodes.empty_observation(len(done))
            self._no_actions = np.zeros((len(done), self._masks.shape[1]), np.int8)
            self._rows = np.empty(len(done), dtype=object)
            for index, row in enumerate(self._array):
                self._rows[index] = row
        # Who is out of a game, or whose game is over, may do nothing: these masks are zeros.
        self._episodes.look(done, np.arange(len(done)), self._array, self._no_actions)
        return self._rows[: len(done)]
