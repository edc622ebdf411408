"""What the vector environment tells of episodes that have ended."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.tables.episodes import Episodes


class FinalInfos:
    """Makes the infos ``final_obs`` and ``final_info`` of a step.

    Args:
        episodes: The episodes that end.
        copy: Whether every step gets arrays of its own, or those of the last one are written anew:
            these are to be read only.
    """

    _done: NDArray[np.int64]

    def __init__(self, episodes: Episodes, copy: bool) -> None:
        self._episodes, self._copy = episodes, copy
        self._clear()

    def of(self, done: NDArray[np.int64], rows: NDArray[np.int64]) -> dict[str, Any]:
        """The infos of a step that has ended episodes.

        Args:
            done: At which tables, shape (k,), k > 0.
            rows: Rows of ``final_observation`` with what the learner saw last there, shape (k,).
        """
        if self._copy:
            self._clear()
        else:
            self._final_obs[self._done] = None
            self._is_done[self._done] = False
        self._final_obs[done] = self._separate(rows)
        self._is_done[done] = True
        self._done = done
        final_obs, is_done = self._given(self._final_obs), self._given(self._is_done)
        return {
            "final_obs": final_obs,
            "_final_obs": is_done,
            "final_info": {"action_mask": self._given(self._masks), "_action_mask": is_done},
            "_final_info": is_done,
        }

    def __getstate__(self) -> dict[str, Any]:
        """Views of rows would be cut off from their array in a pickled or copied object."""
        return {**vars(self), "_has_row": np.zeros_like(self._has_row)}

    def _clear(self) -> None:
        num_envs = len(self._episodes)
        self._final_obs = np.full(num_envs, None)
        self._is_done = np.zeros(num_envs, np.bool_)
        self._masks = np.zeros_like(self._episodes.action_mask)
        self._done = np.zeros(0, np.int64)
        self._rows, self._has_row = np.full(num_envs, None), np.zeros(num_envs, np.bool_)

    def _separate(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        """One array a table, as Gymnasium's own vector environments give them; shape (k,)."""
        if self._copy:
            return separate(self._episodes.final_observation[rows])
        shown = read_only(self._episodes.final_observation)
        for row in rows[~self._has_row[rows]].tolist():
            self._rows[row] = shown[row]
        self._has_row[rows] = True
        return self._rows[rows]

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array if self._copy else read_only(array)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view of an array that others are to read only."""
    shown = array.view()
    shown.flags.writeable = False
    return shown


def separate(array: NDArray[Any]) -> NDArray[np.object_]:
    """The rows of an array, shape (k, n), as objects, shape (k,)."""
    rows = np.empty(len(array), dtype=object)
    for index, row in enumerate(array):
        rows[index] = row
    return rows
