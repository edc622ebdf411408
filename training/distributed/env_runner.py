"""The process that plays: native self-play tables as an RLlib `EnvRunner`.

RLlib's own runner builds an episode object for each seat and passes every decision through
connectors in Python. This one plays many tables at once with the compiled engine, computes
advantages on each seat's own timeline (`training.self_play.advantages`) and returns rows to train
on.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
import ray
import torch
from gymnasium.spaces import Box, Space
from ray.rllib.core import COMPONENT_RL_MODULE, DEFAULT_MODULE_ID
from ray.rllib.core.columns import Columns
from ray.rllib.env.env_runner import EnvRunner
from ray.rllib.evaluation.postprocessing import Postprocessing
from ray.rllib.utils.checkpoints import Checkpointable
from ray.rllib.utils.metrics import WEIGHTS_SEQ_NO

from ono99_env import load_bot
from ono99_env.envs.spaces import ActionSpace
from ono99_env.observation.layout import FEATURES
from training.distributed.cluster_config import DistributedConfig
from training.distributed.rl_module import ACTION_MASK, MaskedModule, quick_distributions
from training.distributed.rollout import Order, PolicySnapshot, Rollout
from training.networks.policy_network import PolicyNetwork
from training.self_play.buffer import SelfPlayBuffer
from training.self_play.league import League
from training.self_play.mixed_tables import make_tables
from training.self_play.seat_draw import SeatDraw
from training.self_play.self_play_env import SelfPlayVecEnv

Components = str | Collection[str] | None

RUN = "run"
"""Where RLlib's ``env_config`` holds the config of the run: that of the process that starts all,
which has checked it."""


class SelfPlayRunner(EnvRunner, Checkpointable):
    """Plays the learner against itself, its snapshots and bots.

    Args:
        config: RLlib's config, whose ``env_config`` holds a `DistributedConfig` as `RUN`.
        **kwargs: See `EnvRunner`.
    """

    def __init__(self, *, config: Any, **kwargs: Any) -> None:
        super().__init__(config=config, **kwargs)
        self.run: DistributedConfig = self.config.env_config[RUN]
        torch.set_num_threads(self.run.num_threads)
        quick_distributions()
        self._weights_seq_no = 0
        self._is_dealt = False
        self.make_module()
        if self.worker_index or not self.config.num_env_runners:
            self.make_env()

    def make_module(self) -> None:
        """See `EnvRunner.make_module`."""
        spec = self.config.get_rl_module_spec(spaces=self.get_spaces(), inference_only=True)
        self.module: MaskedModule = spec.build()

    def make_env(self) -> None:
        """See `EnvRunner.make_env`."""
        run, self_play = self.run, self.run.self_play
        assert self_play is not None
        bots = [load_bot(name) for name in self_play.bots]
        self._first_snapshot = len(bots)
        self.league = League(self_play.max_snapshots, len(bots), self_play.pfsp_power, run.seed)
        self.tables = make_tables(
            run.rules_of_tables,
            [*bots, *self.league.bots],
            SeatDraw(
                run.num_players,
                self_play.learner,
                list(self_play.bots.values()),
                self_play.snapshots,
            ),
            run.tables_of_runner,
            run.seed,
        )
        self.env = SelfPlayVecEnv(self.tables)
        self.buffer = SelfPlayBuffer(
            run.ppo.n_steps,
            *self.get_spaces()[DEFAULT_MODULE_ID],
            device="cpu",
            gae_lambda=run.ppo.gae_lambda,
            gamma=run.ppo.gamma,
            n_envs=len(self.tables),
        )

    def get_spaces(self) -> dict[str, tuple[Space[Any], Space[Any]]]:
        """See `EnvRunner.get_spaces`."""
        return {DEFAULT_MODULE_ID: module_spaces(self.run)}

    def assert_healthy(self) -> None:
        """See `EnvRunner.assert_healthy`."""
        assert self.module is not None

    def sample(self, order: Order, **kwargs: Any) -> Rollout:
        """Play a rollout: ``ppo.n_steps`` decisions at every table.

        Args:
            order: What to play.
            **kwargs: None.

        Returns:
            The rows to train on, and what came of the games.
        """
        self._meet(order)
        if not self._is_dealt:
            self._deal(order.decisions)
        self.buffer.reset()
        returns: list[float] = []
        for _ in range(self.buffer.buffer_size):
            self._decide()
            returns += [info["episode"]["r"] for info in self.env.finished_episodes()]
        self.buffer.compute_advantages()
        return Rollout(
            columns=self._columns(),
            decisions=self.buffer.buffer_size * len(self.tables),
            counts=self.league.take_counts(),
            returns=returns,
        )

    def get_metrics(self) -> dict[str, Any]:
        """Return nothing: all is in the rollout."""
        return {}

    def get_state(
        self,
        components: Components = None,
        *,
        not_components: Components = None,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """See `Checkpointable.get_state`; it leaves out games in progress."""
        if not self._check_component(COMPONENT_RL_MODULE, components, not_components):
            return {}
        weights = self.module.get_state(**kwargs)
        return {COMPONENT_RL_MODULE: weights, WEIGHTS_SEQ_NO: self._weights_seq_no}

    def set_state(self, state: dict[str, Any]) -> None:
        """See `Checkpointable.set_state`."""
        weights = state.get(COMPONENT_RL_MODULE)
        if weights is None:
            return
        if isinstance(weights, ray.ObjectRef):
            weights = ray.get(weights)
        self.module.set_state(weights.get(DEFAULT_MODULE_ID, weights))
        self._weights_seq_no = state.get(WEIGHTS_SEQ_NO, 0)

    def get_ctor_args_and_kwargs(self) -> tuple[tuple[()], dict[str, Any]]:
        """See `Checkpointable.get_ctor_args_and_kwargs`."""
        return (), {"config": self.config}

    def get_checkpointable_components(self) -> list[tuple[str, Any]]:
        """See `Checkpointable.get_checkpointable_components`."""
        return [(COMPONENT_RL_MODULE, self.module)]

    def _deal(self, decisions: int) -> None:
        """Deal the first games; a process that is started anew plays other ones than before."""
        sequence = np.random.SeedSequence([self.run.seed, self.worker_index or 0, decisions])
        seed = int(sequence.generate_state(1)[0])
        torch.manual_seed(seed)
        self.env.tables.reset(seed)
        self._is_dealt = True

    def _meet(self, order: Order) -> None:
        """Let new games meet the snapshots of an order."""
        for place, snapshot in order.snapshots.items():
            if self.league.taken_after[place] != snapshot.taken_after:
                self.league.bots[place].become(network_of(self.module, snapshot))
                self.league.taken_after[place] = snapshot.taken_after
        self.tables.seat_draw.active = [self._first_snapshot + place for place in order.snapshots]

    def _decide(self) -> None:
        """Take one decision at every table and add it to the buffer with what follows."""
        tables, buffer = self.tables, self.buffer
        with torch.inference_mode():
            features = self.module.choose(torch.from_numpy(tables.observation))
            batch = {Columns.OBS: features, ACTION_MASK: torch.from_numpy(tables.action_mask)}
            output = self.module.forward_exploration(batch)
            values = self.module.compute_values(batch, output[Columns.EMBEDDINGS])
            distribution = self.module.policy.action_dist.proba_distribution(
                output[Columns.ACTION_DIST_INPUTS]
            )
            actions = distribution.sample()
            log_probs = distribution.log_prob(actions)
        buffer.add_decisions(
            features.numpy(), tables.action_mask, tables.seats, actions, values, log_probs
        )
        tables.step(actions.numpy())
        buffer.add_outcomes(tables.rewards, tables.game_over)
        self.league.record(tables.left_games, tables.left_holders)

    def _columns(self) -> dict[str, Any]:
        buffer, rows = self.buffer, self.buffer.rows
        return {
            Columns.OBS: buffer.observations[rows],
            ACTION_MASK: buffer.action_masks[rows],
            Columns.ACTIONS: buffer.actions[rows, 0],
            Columns.ACTION_LOGP: buffer.log_probs[rows],
            Postprocessing.ADVANTAGES: buffer.advantages[rows],
            Postprocessing.VALUE_TARGETS: buffer.returns[rows],
        }


def module_spaces(run: DistributedConfig) -> tuple[Box, ActionSpace]:
    """Return what the networks of a run read and choose from."""
    size = sum(FEATURES[name].size for name in run.features)
    return Box(-1.0, 1.0, (size,), np.float32), ActionSpace()


def network_of(module: MaskedModule, snapshot: PolicySnapshot) -> PolicyNetwork:
    """Make a network of a snapshot.

    Args:
        module: A module of the same shape.
        snapshot: The weights.
    """
    network = PolicyNetwork(module.policy)
    network.load_state_dict({name: torch.tensor(each) for name, each in snapshot.weights.items()})
    return network
