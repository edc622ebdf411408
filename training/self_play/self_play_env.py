"""Self-play tables as a vector environment of Stable-Baselines3."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from ono99_env.envs.sb3 import TablesVecEnv
from ono99_env.envs.spaces import ActionSpace, observation_space
from training.self_play.mixed_tables import AnyTables
from training.self_play.self_play_tables import learner_seats


class SelfPlayVecEnv(TablesVecEnv):
    """The tables of `SelfPlayPPO`: one environment per table, one decision of one seat per step.

    A step's reward is that of the seat that acted, and its done says that the table's game was
    left. Neither is enough to learn from, since others are paid too: `SelfPlayPPO` reads `tables`.

    Args:
        tables: The tables.
    """

    def __init__(self, tables: AnyTables) -> None:
        self.tables = tables
        self._actions = np.zeros(len(tables), np.int64)
        self._infos: list[dict[str, Any]] = [{} for _ in range(len(tables))]
        super().__init__(len(tables), observation_space(), ActionSpace())

    def reset(self) -> NDArray[np.float32]:
        """Deal new games at all tables; returns observations, shape (num_envs, features)."""
        self.tables.reset(self._next_seed)
        self._next_seed = None
        return self.tables.observation.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = np.asarray(actions, np.int64).reshape(-1)

    def step_wait(self) -> VecEnvStepReturn:
        """Take the decisions at every table; see `VecEnv.step_wait`."""
        seats = self.tables.seats.copy()
        self.tables.step(self._actions)
        rewards = self.tables.rewards[np.arange(self.num_envs), seats]
        return self.tables.observation, rewards, self.tables.game_over, self._infos

    def finished_episodes(self) -> list[dict[str, Any]]:
        """Return infos of the games left in the last step, for the mean that is logged.

        Only games with a bot count, for among its own seats the learner always breaks even.
        """
        games, holders = self.tables.left_games, self.tables.left_holders
        if not len(games):
            return []
        held = learner_seats(holders, games)
        is_mixed = held.sum(axis=1) < games["num_players"]
        returns = (self.tables.left_returns * held).sum(axis=1) / held.sum(axis=1)
        pairs = zip(returns[is_mixed], games["plays"][is_mixed], strict=True)
        return [{"episode": {"r": float(r), "l": int(plays), "t": 0.0}} for r, plays in pairs]

    def state_dict(self) -> dict[str, Any]:
        """Return all that the environment continues from; see `TablesVecEnv.state_dict`."""
        return self.tables.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> NDArray[np.float32]:
        """Continue where another was; see `TablesVecEnv.load_state_dict`."""
        self.tables.load_state_dict(state)
        return self.tables.observation.copy()

    def action_masks(self) -> NDArray[np.int8]:
        """Return the legal actions of the seats to act, int8, shape (num_envs, 17)."""
        return self.tables.action_mask
