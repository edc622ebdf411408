"""The learner of a run on a cluster, with the surface of Stable-Baselines3 that a `Run` uses."""

import shutil
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from ray.exceptions import RayError
from ray.rllib.core import DEFAULT_MODULE_ID
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.logger import Logger

from training.distributed.algorithm import LeaguePPO
from training.distributed.cluster_config import DistributedConfig
from training.distributed.rllib_settings import algorithm_config
from training.learner.fine_tuning import take_networks
from training.run.logs import DECISIONS
from training.self_play.distribution import LeanMaskablePolicy

Result = TypeVar("Result")

_GAMES_IN_MEAN = 10_000
_MOST_RESTARTS = 10
"""How often the learners may be lost in a row without an update in between."""


class ClusterLearner:
    """RLlib's algorithm as a `Run` uses a learner.

    When a process that learns is lost with its machine, all are started anew from the state after
    the last update: the update is repeated and nothing else is.

    Args:
        config: The config of the run. Ray must be connected.

    Raises:
        UsageError: If ``init_from`` cannot be used.
    """

    logger: Logger

    def __init__(self, config: DistributedConfig) -> None:
        self.config = config
        self.ep_info_buffer: deque[dict[str, float]] = deque(maxlen=_GAMES_IN_MEAN)
        """Returns of recent games with bots, as Stable-Baselines3 keeps them."""
        torch.set_num_threads(config.num_threads)
        self.algorithm = self._build()
        if config.init_from is not None:
            take_networks(self.policy, config)
            self.algorithm.learner_group.set_weights(
                {DEFAULT_MODULE_ID: self.algorithm.module.get_state()}
            )
        self._remember()

    @property
    def policy(self) -> LeanMaskablePolicy:
        """The policy as it was after the last update."""
        return self.algorithm.module.policy

    @property
    def num_timesteps(self) -> int:
        """Decisions that were trained on."""
        return self.algorithm.decisions

    def set_logger(self, logger: Logger) -> None:
        """Set where to log."""
        self.logger = logger

    def learn(
        self,
        total_timesteps: int,
        callback: Sequence[BaseCallback],
        reset_num_timesteps: bool = False,
    ) -> None:
        """Train; see `MaskablePPO.learn`.

        Args:
            total_timesteps: Decisions to train on.
            callback: Called before and after each iteration.
            reset_num_timesteps: Never done.
        """
        watchers = CallbackList(list(callback))
        watchers.init_callback(self)  # type: ignore[arg-type] # has what they use of a learner
        watchers.on_training_start({}, {})
        end = self.num_timesteps + total_timesteps
        while self.num_timesteps < end:
            watchers.on_rollout_start()
            if not watchers.on_step():
                break
            self._iterate()
            watchers.on_step()
            watchers.on_rollout_end()
        watchers.on_training_end()

    def save(self, path: Path) -> None:
        """Write RLlib's checkpoint.

        Args:
            path: A folder, which is made anew.
        """
        shutil.rmtree(path, ignore_errors=True)
        self._try(lambda: self.algorithm.save_to_path(str(path.absolute())))

    def restore(self, path: Path) -> None:
        """Continue from RLlib's checkpoint; games in progress are dealt anew.

        Args:
            path: Its folder.
        """
        self.algorithm.restore_from_path(str(path.absolute()))
        self._remember()

    def stop(self) -> None:
        """End all processes."""
        self.algorithm.stop()

    def _build(self) -> LeaguePPO:
        algorithm: LeaguePPO = algorithm_config(self.config).build_algo()
        return algorithm

    def _remember(self) -> None:
        """Keep what new learners would continue from, unless the learner is in this process."""
        has_learners = self.config.cluster.num_learners > 0
        self._state = self.algorithm.get_state() if has_learners else None

    def _try(self, action: Callable[[], Result]) -> Result:
        """Call the algorithm; if its learners are lost, call it again with new ones."""
        for _ in range(_MOST_RESTARTS):
            try:
                return action()
            except RayError:
                if self._state is None:
                    raise
                self.algorithm.stop()
                self.algorithm = self._build()
                self.algorithm.set_state(self._state)
        return action()

    def _train(self) -> Mapping[str, Any]:
        result: Mapping[str, Any] = self.algorithm.train()
        self._remember()
        return result

    def _iterate(self) -> None:
        start, before = time.monotonic(), self.num_timesteps
        result = self._try(self._train)
        self.ep_info_buffer.extend({"r": each} for each in self.algorithm.returns)
        self._log(result, (self.num_timesteps - before) / (time.monotonic() - start))

    def _log(self, result: Mapping[str, Any], rate: float) -> None:
        record = self.logger.record
        record(DECISIONS, self.num_timesteps)
        record("time/fps", int(rate))
        record("cluster/env_runners", self._runners())
        if self.algorithm.returns:
            record("rollout/ep_rew_mean", float(np.mean(self.algorithm.returns)))
        for name, value in result["learners"][DEFAULT_MODULE_ID].items():
            if isinstance(value, float) and np.isfinite(value):
                record(f"train/{name}", float(value))
        league = self.algorithm.league
        if league.size:
            record("league/snapshots", league.size)
            record("league/lowest_win_rate", league.win_rates.min())
            record("league/mean_win_rate", league.win_rates.mean())
        self.logger.dump(self.num_timesteps)

    def _runners(self) -> int:
        """Return how many processes play, as far as is known."""
        group = self.algorithm.env_runner_group
        return int(group.num_healthy_remote_env_runners()) or 1
