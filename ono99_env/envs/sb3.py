"""The native vector environment of Stable-Baselines3 (needs the extra ``train``)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from inspect import getmembers
from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env.envs.arguments import (
    RulesArgument,
    check_reset_options,
    resolve_player_counts,
    resolve_rules,
)
from ono99_env.envs.spaces import ActionSpace, observation_space
from ono99_env.game.legality import OnIllegal
from ono99_env.messages.extras import brought_by
from ono99_env.observation.chosen_features import Features, layout_of
from ono99_env.tables.episodes import Episodes
from ono99_env.tables.opponents import Opponents

with brought_by("train", "ono99_env.envs.sb3"):
    from stable_baselines3.common.vec_env import VecMonitor
    from stable_baselines3.common.vec_env.base_vec_env import (
        VecEnv,
        VecEnvIndices,
        VecEnvStepReturn,
    )


class TablesVecEnv(VecEnv):
    """Base of vector environments of tables: masks in one array, no attribute by table."""

    render_mode: str | None = None
    _next_seed: int | None = None

    @abstractmethod
    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions at every table, int8, shape (num_envs, 17)."""

    @abstractmethod
    def state_dict(self) -> dict[str, Any]:
        """Return all that the environment goes on from, between two steps.

        Returns:
            Arrays, numbers and strings, in dictionaries by name.
        """

    @abstractmethod
    def load_state_dict(self, state: Mapping[str, Any]) -> NDArray[np.float32]:
        """Continue exactly where another environment made with the same arguments was.

        Args:
            state: What its `state_dict` gave.

        Returns:
            Its last observations, shape (num_envs, features).
        """

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed that the next `reset` starts from.

        Args:
            seed: The seed; without one it is drawn.

        Returns:
            The seed of the batch, once for each table.
        """
        self._next_seed = drawn_seed() if seed is None else seed
        return [self._next_seed] * self.num_envs

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """Refuse options: `reset` has none.

        Raises:
            ValueError: If there is one.
        """
        for each in options if isinstance(options, list) else [options]:
            check_reset_options(each)
        super().set_options(options)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> Any:
        """Call ``action_masks`` for all tables at once; there is no other method by table.

        Returns:
            One array with a row per table, which serves as the list that SB3 expects.
        """
        if method_name != "action_masks":
            raise AttributeError(f"the tables have no method {method_name!r}; only 'action_masks'")
        masks = self.action_masks()
        return masks if indices is None else masks[list(self._get_indices(indices))]

    def has_attr(self, attr_name: str) -> bool:
        """Return whether `get_attr` or `env_method` knows a name."""
        return attr_name == "action_masks" or hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute, the same for every table."""
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refuse: tables have no attributes of their own."""
        raise AttributeError(f"the tables cannot set {attr_name!r}: make a new environment instead")

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """Return that no table is wrapped: tables are no environments of their own."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return no images."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Do nothing: nothing has to be released."""


class EpisodesVecEnv(TablesVecEnv):
    """Many tables, one learner seat at each, whose infos hold what `Monitor` writes.

    Args:
        episodes: The episodes of the learner.
    """

    def __init__(self, episodes: Episodes) -> None:
        self._episodes, self.rules = episodes, episodes.rules
        self._actions = np.zeros(len(episodes), np.int64)
        self._is_dealt = False
        super().__init__(len(episodes), observation_space(episodes.features), ActionSpace())

    def reset(self) -> NDArray[np.float32]:
        """Deal new games at all tables; return observations, shape (num_envs, features)."""
        self._episodes.reset(seed=self._next_seed)
        self._next_seed = None
        self._is_dealt = True
        self.reset_infos = self._infos()
        return self._episodes.observation.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for `step_wait`.

        Raises:
            ResetNeeded: Before the first `reset`.
        """
        self._check_dealt()
        self._actions = np.asarray(actions).reshape(-1)

    def step_wait(self) -> VecEnvStepReturn:
        """Take the actions at every table; see `VecEnv.step_wait`."""
        episodes = self._episodes
        done, rows = episodes.step_and_reset(self._actions)
        final_observation = episodes.final_observation[rows]
        infos = self._infos()
        for table, observation in zip(done.tolist(), final_observation, strict=True):
            infos[table].update(self._ended_info(table, observation))
        dones = episodes.terminated | episodes.truncated
        return episodes.observation.copy(), episodes.rewards.copy(), dones, infos

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions at every table, int8, shape (num_envs, 17).

        Raises:
            ResetNeeded: Before the first `reset`.
        """
        self._check_dealt()
        return self._episodes.action_mask.copy()

    def state_dict(self) -> dict[str, Any]:
        """Return all that the environment goes on from; see `TablesVecEnv.state_dict`."""
        return self._episodes.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> NDArray[np.float32]:
        """Continue where another was; see `TablesVecEnv.load_state_dict`."""
        self._episodes.load_state_dict(state)
        self._is_dealt = True
        return self._episodes.observation.copy()

    def _check_dealt(self) -> None:
        if not self._is_dealt:
            raise gymnasium.error.ResetNeeded("no game has been dealt; call reset() first")

    def _infos(self) -> list[dict[str, Any]]:
        return [{"action_mask": mask} for mask in self.action_masks()]

    def _ended_info(self, table: int, observation: NDArray[np.float32]) -> dict[str, Any]:
        """Return what the info of a table whose episode ended holds besides the mask."""
        episodes = self._episodes
        outcome = episodes.outcome_info(table)
        return {
            **outcome,
            "terminal_observation": observation,
            "TimeLimit.truncated": bool(episodes.truncated[table]),
            "episode": {"r": float(episodes.rewards[table]), "l": outcome["length"], "t": 0.0},
        }


class Ono99VecEnv(VecMonitor, TablesVecEnv):
    """Many tables of ONO 99, one learner seat at each, for Stable-Baselines3.

    ``MaskablePPO("MlpPolicy", Ono99VecEnv("2022", num_envs=256))`` takes it as it is: masks come
    from `action_masks` through ``env_method``. Like every SB3 vector environment it deals anew in
    the step in which an episode ends, and gives the last observation as ``terminal_observation``.
    Every info of an ended episode also holds ``episode`` (return, length), as `Monitor` writes it,
    and ``winner``, ``place``, ``length`` and ``seat``, see `Ono99Env`. It is itself a `VecMonitor`,
    so that SB3 trusts these returns; another one around it can write them to a file.

    Args:
        rules: `Rules`, a preset's name, or the path of a YAML file.
        num_envs: How many tables run side by side.
        opponents: Bots, or names that `load_bot` takes; drawn at random for each other seat of
            each game.
        seat: The learner's seat, or ``"random"`` to draw it for each game.
        num_players: Seats at the table, or a list of counts to draw from for each game.
        illegal: What an illegal action does: ``"raise"`` or ``"lose"``.
        seed: Start of all randomness; without one it is drawn.
        features: What observations hold: ``"full"``, ``"core"``, or names of slices.
        **overrides: Fields of `Rules`.

    Raises:
        ValueError: If an argument is impossible; the message names it.
    """

    def __init__(
        self,
        rules: RulesArgument = "2022",
        num_envs: int = 256,
        opponents: Opponents = ("random",),
        seat: int | Literal["random"] = "random",
        num_players: int | Sequence[int] | None = None,
        illegal: OnIllegal = "raise",
        seed: int | None = None,
        features: Features = "full",
        **overrides: Any,
    ) -> None:
        seed = drawn_seed() if seed is None else seed
        counts = resolve_player_counts(num_players)
        self.rules = resolve_rules(rules, max(counts) if counts else None, **overrides)
        episodes = Episodes(
            self.rules,
            num_envs,
            opponents,
            seat,
            counts,
            illegal=illegal,
            seed=seed,
            features=features,
        )
        self.layout = layout_of(episodes.features)
        """The features of an observation by name, with their places in it."""
        super().__init__(EpisodesVecEnv(episodes))

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what SB3 keeps about the class: it cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name != "class_attributes"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the state of a copied environment."""
        vars(self).update(state)
        self.class_attributes = dict(getmembers(type(self)))

    @property
    def _tables(self) -> EpisodesVecEnv:
        assert isinstance(self.venv, EpisodesVecEnv)
        return self.venv

    def reset(self) -> NDArray[np.float32]:
        """Deal new games at all tables; return observations, shape (num_envs, features)."""
        observations = self._tables.reset()
        self.reset_infos = self._tables.reset_infos
        return observations

    def step_wait(self) -> VecEnvStepReturn:
        """Take the actions at every table; see `VecEnv.step_wait`."""
        return self._tables.step_wait()  # its infos say already what `VecMonitor` would write

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions at every table, int8, shape (num_envs, 17).

        Raises:
            ResetNeeded: Before the first `reset`.
        """
        return self._tables.action_masks()

    def state_dict(self) -> dict[str, Any]:
        """Return all that the environment goes on from; see `TablesVecEnv.state_dict`."""
        return self._tables.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> NDArray[np.float32]:
        """Continue where another was; see `TablesVecEnv.load_state_dict`."""
        return self._tables.load_state_dict(state)


def drawn_seed() -> int:
    """Return a seed drawn from the operating system's randomness, at least 0 and below 2**63."""
    return int(np.random.default_rng().integers(2**63))
