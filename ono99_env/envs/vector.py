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
    resolve_autoreset_mode,
    resolve_player_counts,
    resolve_rules,
)
from ono99_env.envs.final_infos import FinalInfos, read_only
from ono99_env.envs.spaces import (
    ActionSpace,
    batched_box,
    compact_observation_space,
    observation_space,
)
from ono99_env.envs.step_limit import StepLimit
from ono99_env.game.legality import OnIllegal
from ono99_env.observation.chosen_features import Features, layout_of
from ono99_env.observation.layout import Feature
from ono99_env.rules.rules import Rules
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
    is faster, but the next call overwrites them, and they are read-only, which Gymnasium's vector
    wrappers `FlattenObservation` and `VectorizeTransformObservation` cannot use. `num_threads`
    threads step the tables: results do not depend on it, and it helps with many thousands of
    tables. With ``compact=True`` observations are bytes, an eighth of the size: records of
    `ono99_env.observation.COMPACT`, of which
    `Views.of_compact` makes the vectors.

    `autoreset_mode` is one of Gymnasium's, or its name:

    - ``"SameStep"`` (default): when an episode ends, the observation returned is already the first
      of the next one, and ``infos["final_obs"][i]`` (where ``infos["_final_obs"][i]``) is the last
      of the old one. The infos of the old one are in ``infos["final_info"]``.
    - ``"NextStep"``: the next step deals anew there, whatever the action; its reward is 0. Most of
      Gymnasium's vector wrappers want this mode.
    - ``"Disabled"``: the caller deals anew there by ``reset(options={"reset_mask": ...})`` before
      the next step.

    The games are the same in every mode, unless a bot that is not compiled draws at random. When an
    episode ends, the infos hold ``winner``, ``place``, ``length`` and ``seat`` of `Ono99Env`, each
    int64 of shape (num_envs,), to be read where its mask (``_winner``, ...) is true.

    With `max_episode_steps` an episode that still runs after so many steps is truncated. Its game
    has no outcome: the masks are false there.

    Version history: v0, first version.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - the form that Gymnasium prescribes
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
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        features: Features = "full",
        **overrides: Any,
    ) -> None:
        self.autoreset_mode: AutoresetMode = resolve_autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._limit = StepLimit(max_episode_steps, num_envs)
        counts = resolve_player_counts(num_players)
        self.rules: Rules = resolve_rules(rules, max(counts) if counts else None, **overrides)
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
        self.layout: dict[str, Feature] = layout_of(self._episodes.features)
        """The features of an observation by name, with their places in it."""
        self.num_envs = num_envs
        self.single_observation_space: gymnasium.Space[Any] = (
            compact_observation_space() if compact else observation_space(self._episodes.features)
        )
        self.single_action_space: gymnasium.Space[Any] = ActionSpace()
        self.observation_space: gymnasium.Space[Any] = batched_box(
            self.single_observation_space, num_envs
        )
        self.action_space: gymnasium.Space[Any] = batch_space(self.single_action_space, num_envs)
        self._copy = copy
        self._final_infos = FinalInfos(self._episodes, copy)
        self._has_all_masks = np.ones(num_envs, np.bool_)
        self._is_resting = np.zeros(num_envs, np.bool_)
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
        self._is_resting[slice(None) if tables is None else tables] = False
        return self._given(self._episodes.observation), self._infos()

    def step(self, actions: NDArray[np.int64]) -> Arrays:
        """Take an action at every table; where an episode ends, `autoreset_mode` says what follows.

        Args:
            actions: Shape (num_envs,).

        Returns:
            Observations (num_envs, 466), rewards, terminated and truncated (num_envs,), and infos.

        Raises:
            IllegalActionError: If an action is not legal and ``illegal="raise"``; nothing changes.
            ResetNeeded: Before `reset`, and in the mode ``"Disabled"`` where an episode has ended.
        """
        self._check_dealt()
        is_same_step = self.autoreset_mode is AutoresetMode.SAME_STEP
        final_infos = self._step_and_deal(actions) if is_same_step else self._step_or_deal(actions)
        episodes = self._episodes
        return (
            self._given(episodes.observation),
            episodes.rewards.astype(np.float64),
            self._given(episodes.terminated),
            self._given(episodes.truncated),
            self._infos() | final_infos,
        )

    def _step_and_deal(self, actions: NDArray[np.int64]) -> dict[str, Any]:
        """Step, and deal anew at once where an episode ends; return the infos of these."""
        ended = self._episodes.step_and_reset(actions)
        decided = ended.tables
        late = self._limit.count_step(decided)
        if len(late):
            ended = self._episodes.truncate(late, ended)
        return self._final_infos.of(ended, decided) if len(ended.tables) else {}

    def _step_or_deal(self, actions: NDArray[np.int64]) -> dict[str, Any]:
        """Step, or deal anew where an episode ended before; return the infos of those that end."""
        is_resting, episodes = self._is_resting, self._episodes
        if self.autoreset_mode is AutoresetMode.DISABLED and is_resting.any():
            raise gymnasium.error.ResetNeeded(
                f"the episode has ended at {is_resting.sum()} tables, first {is_resting.argmax()}; "
                f"call reset(options={{'reset_mask': terminated | truncated}}) first"
            )
        ended = episodes.step_or_deal(actions, is_resting)
        late = self._limit.count_step(np.concatenate([ended, np.flatnonzero(is_resting)]))
        episodes.truncated[late] = True
        self._is_resting = episodes.terminated | episodes.truncated
        final_infos = self._final_infos
        return final_infos.of_outcomes(final_infos.mask(ended)) if len(ended) else {}

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
