"""The native vector environment of Stable-Baselines3 (needs the extra ``train``)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices, VecEnvStepReturn

from ono99_env.envs.arguments import (
    RulesArgument,
    check_reset_options,
    resolve_player_counts,
    resolve_rules,
)
from ono99_env.envs.spaces import ActionSpace, observation_space
from ono99_env.game.legality import OnIllegal
from ono99_env.observation.chosen_features import Features, layout_of
from ono99_env.tables.episodes import Episodes
from ono99_env.tables.opponents import Opponents
from ono99_env.tables.saved_tables import saved_array


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
            raise AttributeError(
                f"{type(self).__name__} has no method {method_name!r}; only 'action_masks'"
            )
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
        raise AttributeError(
            f"{type(self).__name__} cannot set {attr_name!r}: make a new environment instead"
        )

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """Return whether tables are wrapped: only by `Monitor`, as infos hold ``episode``."""
        is_monitor = wrapper_class.__name__ == "Monitor"
        return [is_monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """Return no images."""
        return [None] * self.num_envs

    def close(self) -> None:
        """Do nothing: nothing has to be released."""


class Ono99VecEnv(TablesVecEnv):
    """Many tables of ONO 99, one learner seat at each, for Stable-Baselines3.

    ``MaskablePPO("MlpPolicy", Ono99VecEnv("2022", num_envs=256))`` takes it as it is: masks come
    from `action_masks` through ``env_method``. Like every SB3 vector environment it deals anew in
    the step in which an episode ends, and gives the last observation as ``terminal_observation``.
    Every info of an ended episode also holds ``episode`` (return, length), as `Monitor` writes it.

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
        self._episodes = Episodes(
            self.rules,
            num_envs,
            opponents,
            seat,
            counts,
            illegal=illegal,
            seed=seed,
            features=features,
        )
        self.layout = layout_of(self._episodes.features)
        """The features of an observation by name, with their places in it."""
        self._actions = np.zeros(num_envs, np.int64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._is_dealt = False
        super().__init__(num_envs, observation_space(self._episodes.features), ActionSpace())

    def reset(self) -> NDArray[np.float32]:
        """Deal new games at all tables; return observations, shape (num_envs, features)."""
        self._episodes.reset(seed=self._next_seed)
        self._next_seed = None
        self._is_dealt = True
        self._lengths[:] = 0
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
        self._lengths += 1
        infos = self._infos()
        for table, observation in zip(done.tolist(), final_observation, strict=True):
            infos[table].update(self._ended_info(table, observation))
        self._lengths[done] = 0
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
        return {"episodes": self._episodes.state_dict(), "lengths": self._lengths.copy()}

    def load_state_dict(self, state: Mapping[str, Any]) -> NDArray[np.float32]:
        """Continue where another was; see `TablesVecEnv.load_state_dict`."""
        lengths = saved_array("lengths", state["lengths"], np.int64, self.num_envs)
        self._episodes.load_state_dict(state["episodes"])
        self._lengths[:] = lengths
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
        return {
            "terminal_observation": observation,
            "TimeLimit.truncated": bool(episodes.truncated[table]),
            "episode": {
                "r": float(episodes.rewards[table]),
                "l": int(self._lengths[table]),
                "t": 0.0,
            },
        }


def drawn_seed() -> int:
    """Return a seed drawn from the operating system's randomness, at least 0 and below 2**63."""
    return int(np.random.default_rng().integers(2**63))
