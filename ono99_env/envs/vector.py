"""The native Gymnasium vector environment: thousands of tables in one compiled step."""

from collections.abc import Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ono99_env.envs.arguments import (
    RulesArgument,
    check_reset_options,
    resolve_player_counts,
    resolve_rules,
)
from ono99_env.envs.spaces import (
    ActionSpace,
    batched_box,
    compact_observation_space,
    observation_space,
)
from ono99_env.envs.step_limit import StepLimit
from ono99_env.game.legality import OnIllegal
from ono99_env.observation.chosen_features import Features, layout_of
from ono99_env.tables.episode_runner import Ended
from ono99_env.tables.episodes import Episodes
from ono99_env.tables.opponents import Opponents

Arrays = tuple[
    NDArray[np.float32],
    NDArray[np.float64],
    NDArray[np.bool_],
    NDArray[np.bool_],
    dict[str, Any],
]


class Ono99VectorEnv(VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[Any]]):
    """Many tables of `Ono99Env` at once.

    ```python
    envs = gymnasium.make_vec(
        "ono99/Ono99-v0", num_envs=1024, vectorization_mode="vector_entry_point", num_players=4
    )
    ```

    Arguments, `features`, spaces, masks and rewards are those of `Ono99Env`; besides, `num_players`
    may be a list: one of the counts is drawn for each game. ``infos["action_mask"]`` has shape
    (num_envs, 17). With ``copy=False`` `reset` and `step` return the environment's own arrays: this
    is faster, but the next call overwrites them. `num_threads` threads step the tables: results do
    not depend on it, and it helps with many thousands of tables. With ``compact=True`` observations
    are bytes, an eighth of the size: records of `ono99_env.observation.COMPACT`, of which
    `Views.of_compact` makes the vectors.

    The autoreset mode is ``SAME_STEP``: when an episode ends, the observation returned is already
    the first of the next one, and ``infos["final_obs"][i]`` (where ``infos["_final_obs"][i]``) is
    the last of the old one.

    With `max_episode_steps` an episode that still runs after so many steps is truncated.

    Version history: v0, first version.
    """

    metadata = {  # noqa: RUF012 - the form that Gymnasium prescribes
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        rules: RulesArgument = "2022",
        num_players: int | Sequence[int] | None = None,
        opponents: Opponents = ("random",),
        seat: int | Literal["random"] = "random",
        illegal: OnIllegal = "raise",
        copy: bool = True,
        num_threads: int = 1,
        compact: bool = False,
        max_episode_steps: int | None = None,
        features: Features = "full",
        **overrides: Any,
    ) -> None:
        self._limit = StepLimit(max_episode_steps, num_envs)
        counts = resolve_player_counts(num_players)
        self.rules = resolve_rules(rules, max(counts) if counts else None, **overrides)
        self._episodes = Episodes(
            self.rules,
            num_envs,
            opponents,
            seat,
            counts,
            illegal=illegal,
            num_threads=num_threads,
            compact=compact,
            features=features,
        )
        self.layout = layout_of(self._episodes.features)
        """The features of an observation by name, with their places in it."""
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode.SAME_STEP  # some libraries look here, not in metadata
        self.single_observation_space = (
            compact_observation_space() if compact else observation_space(self._episodes.features)
        )
        self.single_action_space = ActionSpace()
        self.observation_space = batched_box(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._final_infos = FinalInfos(self._episodes, copy)
        self._has_all_masks = np.ones(num_envs, np.bool_)
        self._is_seeded = False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal new games at all tables, or at those of ``options["reset_mask"]``.

        Args:
            seed: One number for the whole batch: all randomness follows from it.
            options: ``{"reset_mask": bool array (num_envs,)}`` to reset some tables only.

        Returns:
            Observations, shape (num_envs, 466), and ``{"action_mask": int8 (num_envs, 17)}``.

        Raises:
            ValueError: If `seed` is a list, since the batch has one generator, or an option is
                unknown.
        """
        check_reset_options(options, known=["reset_mask"])
        if isinstance(seed, list):
            raise ValueError("seed must be one integer for the whole batch, not a list")
        super().reset(seed=seed)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        self._is_seeded = True
        mask = (options or {}).get("reset_mask")
        tables = None if mask is None else self._tables_of(mask)
        self._episodes.reset(tables, seed=seed)
        self._limit.begin(tables)
        return self._given(self._episodes.observation), self._infos()

    def step(self, actions: NDArray[np.int64]) -> Arrays:
        """Take an action at every table; tables whose episode ends are dealt anew at once.

        Args:
            actions: Shape (num_envs,).

        Returns:
            Observations (num_envs, 466), rewards, terminated and truncated (num_envs,), and infos.

        Raises:
            IllegalActionError: If an action is not legal and ``illegal="raise"``; nothing changes.
            ResetNeeded: Before `reset`.
        """
        self._check_dealt()
        episodes = self._episodes
        ended = episodes.step_and_reset(actions)
        late = self._limit.count_step(ended.tables)
        if len(late):
            ended = episodes.truncate(late, ended)
        final_infos = self._final_infos.of(ended) if len(ended.tables) else {}
        return (
            self._given(episodes.observation),
            episodes.rewards.astype(np.float64),
            self._given(episodes.terminated),
            self._given(episodes.truncated),
            self._infos() | final_infos,
        )

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions at every table, int8, shape (num_envs, 17).

        Raises:
            ResetNeeded: Before the first `reset`.
        """
        self._check_dealt()
        return self._episodes.action_mask.copy()

    def _check_dealt(self) -> None:
        if not self._is_seeded:
            raise gymnasium.error.ResetNeeded("no game has been dealt; call reset() first")

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._given(self._episodes.action_mask),
            "_action_mask": self._given(self._has_all_masks),
        }

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array of the environment's own as the caller gets it: copied, or read only."""
        return array.copy() if self._copy else read_only(array)

    def _tables_of(self, mask: Any) -> NDArray[np.int64]:
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(
                f"reset_mask must be a bool array of shape ({self.num_envs},), not one of shape "
                f"{mask.shape} and type {mask.dtype}"
            )
        return np.flatnonzero(mask)


class FinalInfos:
    """Make the infos ``final_obs`` and ``final_info`` of a step.

    Args:
        episodes: The episodes that end.
        copy: Whether every step gets arrays of its own, or those of the last one are written anew:
            these are to be read only.
    """

    _done: NDArray[np.int64]

    def __init__(self, episodes: Episodes, copy: bool) -> None:
        self._episodes, self._copy = episodes, copy
        self._clear()

    def of(self, ended: Ended) -> dict[str, Any]:
        """Return the infos of a step that has ended at least one episode."""
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
            "final_info": {"action_mask": self._given(self._masks), "_action_mask": is_done},
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
