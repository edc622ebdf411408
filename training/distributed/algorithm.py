"""PPO of RLlib on rollouts of native self-play, with a league of past snapshots."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import ray
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.algorithms.ppo import PPO
from ray.rllib.core import DEFAULT_MODULE_ID
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.policy.sample_batch import MultiAgentBatch, SampleBatch
from ray.rllib.utils.metrics import (
    ENV_RUNNER_RESULTS,
    ENV_RUNNER_SAMPLING_TIMER,
    EPISODE_RETURN_MEAN,
    LEARNER_RESULTS,
    LEARNER_UPDATE_TIMER,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    SYNCH_WORKER_WEIGHTS_TIMER,
    TIMERS,
)

from training.distributed.cluster_config import DistributedConfig
from training.distributed.env_runner import RUN, network_of
from training.distributed.rl_module import MaskedModule
from training.distributed.rollout import Order, PolicySnapshot, Rollout, shuffle_rows
from training.networks.policy_network import PolicyNetwork
from training.self_play.league import League

LEAGUE = "league"
"""Where the state of the algorithm has what RLlib's does not."""


class LeaguePPO(PPO):
    """PPO in self-play: the processes that play are `SelfPlayRunner`s.

    An iteration collects ``num_envs * ppo.n_steps`` decisions from as many processes as are alive,
    so what is learned does not depend on how many there are. Its checkpoints hold the league too.
    """

    def setup(self, config: AlgorithmConfig) -> None:
        """See `Algorithm.setup`."""
        super().setup(config)
        self.run_config: DistributedConfig = self.config.env_config[RUN]
        self_play = self.run_config.self_play
        assert self_play is not None
        seed = self.run_config.seed
        self.league = League(self_play.max_snapshots, 0, self_play.pfsp_power, seed)
        self.decisions = 0
        """Decisions that were trained on."""
        self.next_snapshot = self_play.decisions_between_snapshots
        """Decisions after which the next snapshot is taken."""
        self.returns: Sequence[float] = ()
        """What the learner's seats got in the games with bots of the last iteration."""
        self._rng = np.random.default_rng(seed)

    def training_step(self) -> None:
        """See `Algorithm.training_step`."""
        self._take_snapshot()
        with self.metrics.log_time((TIMERS, ENV_RUNNER_SAMPLING_TIMER)):
            rollouts = self.collect()
        with self.metrics.log_time((TIMERS, LEARNER_UPDATE_TIMER)):
            self.learn_from(rollouts)
        with self.metrics.log_time((TIMERS, SYNCH_WORKER_WEIGHTS_TIMER)):
            self.share_weights()

    def share_weights(self) -> None:
        """Give the learners' weights to all processes that play."""
        self.env_runner_group.sync_weights(
            from_worker_or_learner_group=self.learner_group, inference_only=True
        )

    def get_state(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """See `Checkpointable.get_state`."""
        state: dict[str, Any] = super().get_state(*args, **kwargs)
        state[LEAGUE] = {
            "decisions": self.decisions,
            "next_snapshot": self.next_snapshot,
            "league": self.league.state_dict(),
            "snapshots": [self._snapshot(place) for place in range(self.league.size)],
            "rng": self._rng.bit_generator.state,
        }
        return state

    def set_state(self, state: dict[str, Any]) -> None:
        """See `Checkpointable.set_state`."""
        super().set_state(state)
        saved = state.get(LEAGUE)
        if saved is None:
            return
        self.decisions, self.next_snapshot = saved["decisions"], saved["next_snapshot"]
        snapshots = {each.taken_after: each for each in saved["snapshots"]}
        self.league.load_state_dict(
            saved["league"], lambda taken_after: network_of(self.module, snapshots[taken_after])
        )
        self._rng.bit_generator.state = saved["rng"]

    @property
    def module(self) -> MaskedModule:
        """The module as it was after the last iteration, in this process."""
        module: MaskedModule = self.env_runner.module
        return module

    def _take_snapshot(self) -> None:
        self_play = self.run_config.self_play
        assert self_play is not None
        if self.decisions >= self.next_snapshot:
            self.league.add(PolicyNetwork(self.module.policy), self.decisions)
            self.next_snapshot = self.decisions + self_play.decisions_between_snapshots

    def _snapshot(self, place: int) -> PolicySnapshot:
        weights = self.league.bots[place].copy.state_dict()
        return PolicySnapshot(
            int(self.league.taken_after[place]),
            {name: tensor.numpy() for name, tensor in weights.items()},
        )

    def _order(self) -> Order:
        self_play = self.run_config.self_play
        assert self_play is not None
        places = self.league.choose(self_play.snapshots_at_once)
        return Order(self.decisions, {place: self._snapshot(place) for place in places})

    def collect(self) -> list[Rollout]:
        """Let the processes that are alive play until there is enough for an update.

        Raises:
            RuntimeError: If none of them plays for as long as ``cluster.patience`` says.
        """
        run, rollouts, decisions = self.run_config, list[Rollout](), 0
        order = self._order()
        order_ref = ray.put(order)
        waiting_since = time.monotonic()
        while decisions < run.num_envs * run.ppo.n_steps:
            played = self._play_once(order, order_ref)
            if played:
                waiting_since = time.monotonic()
            elif time.monotonic() - waiting_since > run.cluster.patience:
                raise RuntimeError(
                    f"no process has played for {run.cluster.patience} s (cluster.patience): see "
                    "above why the last ones ended. The last checkpoint is whole"
                )
            else:
                time.sleep(1.0)
                self.restore_env_runners(self.env_runner_group)
            rollouts += played
            decisions += sum(rollout.decisions for rollout in played)
        return rollouts

    def _play_once(self, order: Order, order_ref: Any) -> list[Rollout]:
        group = self.env_runner_group
        if not group.num_remote_env_runners():
            return [self.env_runner.sample(order)]
        played: list[Rollout] = group.foreach_env_runner(
            "sample", kwargs={"order": order_ref}, local_env_runner=False
        )
        return played

    def learn_from(self, rollouts: Sequence[Rollout]) -> None:
        """Let the learners make an update, and count what was played."""
        run = self.run_config
        self.decisions += sum(rollout.decisions for rollout in rollouts)
        columns = shuffle_rows(rollouts, self._rng)
        num_rows = len(columns[Columns.OBS])
        learners = max(1, run.cluster.num_learners)
        minibatches = max(1, round(num_rows / run.ppo.batch_size))
        results = self.learner_group.update(
            batch=_as_batch(columns),
            timesteps={NUM_ENV_STEPS_SAMPLED_LIFETIME: self.decisions},
            num_epochs=run.ppo.n_epochs,
            minibatch_size=num_rows // learners // minibatches,
            # Learners wait for each other at every step: all must take the same number of them.
            num_total_minibatches=minibatches * run.ppo.n_epochs,
            shuffle_batch_per_epoch=True,
        )
        self.metrics.aggregate(results, key=LEARNER_RESULTS)
        self._count(rollouts)

    def _count(self, rollouts: Sequence[Rollout]) -> None:
        for rollout in rollouts:
            self.league.add_counts(rollout.counts)
        self.returns = [each for rollout in rollouts for each in rollout.returns]
        self.metrics.log_value(
            (ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME),
            sum(rollout.decisions for rollout in rollouts),
            reduce="lifetime_sum",
        )
        if self.returns:
            mean = float(np.mean(self.returns))
            self.metrics.log_value((ENV_RUNNER_RESULTS, EPISODE_RETURN_MEAN), mean, window=1)


def _as_batch(columns: Mapping[str, Any]) -> MultiAgentBatch:
    """Return the rows as RLlib's learners take them, with advantages of mean 0 and deviation 1."""
    advantages = columns[Postprocessing.ADVANTAGES]
    batch = {
        **columns,
        Postprocessing.ADVANTAGES: (advantages - advantages.mean()) / (advantages.std() + 1e-8),
        # The loss makes a distribution of these, and looks at it only for a penalty that is off.
        Columns.ACTION_DIST_INPUTS: np.zeros((len(advantages), 1), np.float32),
    }
    return MultiAgentBatch({DEFAULT_MODULE_ID: SampleBatch(batch)}, len(advantages))
