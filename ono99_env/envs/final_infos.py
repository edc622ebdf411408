"""What the infos of environments say of episodes that have ended."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.tables.episode_outcome import OUTCOME, OUTCOME_NAMES
from ono99_env.tables.episode_runner import Ended
from ono99_env.tables.episodes import Episodes


class FinalInfos:
    """Make the infos of steps that end episodes.

    Args:
        episodes: The episodes that end.
        copy: Whether every step gets arrays of its own, or those of the last one are written anew:
            these are to be read only.
    """

    _done: NDArray[np.int64]

    def __init__(self, episodes: Episodes, copy: bool) -> None:
        self._episodes, self._copy = episodes, copy
        self._clear()

    def of_outcomes(self, tables: NDArray[np.int64]) -> dict[str, Any]:
        """Return the infos of how games ended at some tables, as Gymnasium batches them."""
        if not len(tables):
            return {}
        num_envs = len(self._episodes)
        outcomes, is_known = np.zeros(num_envs, OUTCOME), np.zeros(num_envs, np.bool_)
        outcomes[tables] = self._episodes.outcomes[tables]
        is_known[tables] = True
        is_known = self._given(is_known)
        infos: dict[str, Any] = {name: self._given(outcomes[name]) for name in OUTCOME_NAMES}
        return infos | {f"_{name}": is_known for name in OUTCOME_NAMES}

    def of(self, ended: Ended, decided: NDArray[np.int64]) -> dict[str, Any]:
        """Return the infos ``final_obs`` and ``final_info`` of a step that has dealt anew.

        Args:
            ended: Where it ended at least one episode.
            decided: Which of these tables the game has an outcome at, shape (k,).
        """
        if self._copy:
            self._clear()
        else:
            self._final_obs[self._done] = None
            self._is_done[self._done] = False
        self._final_obs[ended.tables] = self._rows_apart(ended.rows)
        self._is_done[ended.tables] = True
        self._done = ended.tables
        final_obs, is_done = self._given(self._final_obs), self._given(self._is_done)
        return {
            "final_obs": final_obs,
            "_final_obs": is_done,
            "final_info": {
                "action_mask": self._given(self._masks),
                "_action_mask": is_done,
                **self.of_outcomes(decided),
            },
            "_final_info": is_done,
        }

    def __getstate__(self) -> dict[str, Any]:
        """Leave the views of rows out: a copied object must make them of its own arrays."""
        return {**vars(self), "_has_row": np.zeros_like(self._has_row)}

    def _clear(self) -> None:
        num_envs = len(self._episodes)
        self._final_obs = np.full(num_envs, None)
        self._is_done = np.zeros(num_envs, np.bool_)
        self._masks = np.zeros_like(self._episodes.action_mask)
        self._done = np.zeros(0, np.int64)
        self._rows, self._has_row = np.full(num_envs, None), np.zeros(num_envs, np.bool_)

    def _rows_apart(self, rows: NDArray[np.int64]) -> NDArray[np.object_]:
        """Return one array a table, as Gymnasium's own vector environments do; shape (k,)."""
        if self._copy:
            return rows_apart(self._episodes.final_observation[rows])
        shown = read_only(self._episodes.final_observation)
        for row in rows[~self._has_row[rows]].tolist():
            self._rows[row] = shown[row]
        self._has_row[rows] = True
        return self._rows[rows]

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array if self._copy else read_only(array)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view of an array that others are to read only."""
    shown = array.view()
    shown.flags.writeable = False
    return shown


def rows_apart(array: NDArray[Any]) -> NDArray[np.object_]:
    """Return the rows of an array, shape (k, n), as objects, shape (k,)."""
    rows = np.empty(len(array), dtype=object)
    for index, row in enumerate(array):
        rows[index] = row
    return rows
