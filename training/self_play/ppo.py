"""MaskablePPO that learns from every seat it holds."""

from typing import Any, ClassVar

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.policies import BasePolicy
from stable_baselines3.common.utils import explained_variance, obs_as_tensor
from stable_baselines3.common.vec_env import VecEnv

from training.self_play.buffer import SelfPlayBuffer
from training.self_play.distribution import LeanMaskablePolicy
from training.self_play.self_play_env import SelfPlayVecEnv


class SelfPlayPPO(MaskablePPO):
    """`MaskablePPO` on a `SelfPlayVecEnv`: a time step is a decision of one seat.

    Takes the arguments of `MaskablePPO`. Saving, loading, callbacks, logging and ``predict`` are
    those of `MaskablePPO`; only how rollouts are collected and advantages computed differs.
    """

    policy_aliases: ClassVar[dict[str, type[BasePolicy]]] = {"MlpPolicy": LeanMaskablePolicy}
    rollout_buffer: SelfPlayBuffer

    def collect_rollouts(
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: RolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Collect a rollout: `n_rollout_steps` decisions at every table.

        Args:
            env: The tables.
            callback: Called at each step, and at the start and the end of the rollout.
            rollout_buffer: Filled.
            n_rollout_steps: Decisions at each table.
            use_masking: Always done.

        Returns:
            False if the callback stopped the rollout.
        """
        assert isinstance(env, SelfPlayVecEnv)
        assert isinstance(rollout_buffer, SelfPlayBuffer)
        self.policy.set_training_mode(False)
        callback.on_rollout_start()
        rollout_buffer.reset()
        for _ in range(n_rollout_steps):
            self._decide(env, rollout_buffer)
            self.num_timesteps += env.num_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        rollout_buffer.compute_advantages()
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Update the policy from the rollout; see `MaskablePPO.train`."""
        super().train()
        buffer = self.rollout_buffer
        # Rows that are not trained on, which the buffer has too, say nothing about the fit.
        explained = explained_variance(buffer.values[buffer.rows], buffer.returns[buffer.rows])
        self.logger.record("train/explained_variance", explained)
        self.logger.record("train/rows", len(buffer.rows))

    def _decide(self, env: SelfPlayVecEnv, buffer: SelfPlayBuffer) -> None:
        """Take one decision at every table and add it to the buffer with what follows."""
        tables = env.tables
        with torch.no_grad():
            observation = obs_as_tensor(tables.observation, self.device)
            actions, values, log_probs = self.policy(observation, action_masks=tables.action_mask)
        buffer.add_decisions(
            tables.observation, tables.action_mask, tables.seats, actions, values, log_probs
        )
        env.step(actions.cpu().numpy())
        buffer.add_outcomes(tables.rewards, tables.game_over)
        self._update_info_buffer(env.finished_episodes())

    def _setup_model(self) -> None:
        self.rollout_buffer_class = SelfPlayBuffer
        super()._setup_model()
        self.rollout_buffer.seed(self.seed)

    def _setup_learn(self, *args: Any, **kwargs: Any) -> Any:
        games = self._last_obs
        setup = super()._setup_learn(*args, **kwargs)
        if self._last_obs is not games:  # the tables were reset
            self.rollout_buffer.forget()
        return setup
