"""Train one seat with RLlib's own PPO and masking module, and write the bot as a bot file.

Requires ``pip install "ono99-env[distributed]"``. For self-play, which is also ten times as fast,
see ``python -m training.distributed``.
"""

import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env
from torch import Tensor, nn

from ono99_env import Rules
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.torch_export import export_network

PLAYERS = 2
MODULE = Path("learner_group", "learner", "rl_module", "default_policy")


class MaskInObservation(gymnasium.Wrapper):
    """Moves the mask into the observation, under the keys that RLlib's masking module expects."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        mask = Box(0.0, 1.0, (env.action_space.n,), np.float32)
        self.observation_space = Dict(action_mask=mask, observations=env.observation_space)

    def reset(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """See `Env.reset`."""
        observation, info = self.env.reset(**options)
        return self._with_mask(observation, info), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """See `Env.step`."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_mask(observation, info), reward, terminated, truncated, {}

    def _with_mask(self, observation: Any, info: dict[str, Any]) -> dict[str, Any]:
        mask = info["action_mask"].astype(np.float32)
        return {"action_mask": mask, "observations": observation}


class BotNetwork(nn.Module):
    """RLlib's module with the inputs and outputs of a bot file."""

    def __init__(self, module: RLModule) -> None:
        super().__init__()
        self.module = module.eval()

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits, with illegal actions at the float minimum, and the value."""
        encoded = self.module.encoder({"obs": observation})["encoder_out"]
        logits, value = self.module.pi(encoded["actor"]), self.module.vf(encoded["critic"])
        lowest = torch.finfo(torch.float32).min
        return torch.where(action_mask, logits, lowest), value.squeeze(-1)


def make_env(settings: dict[str, Any]) -> gymnasium.Env:
    env = gymnasium.make("ono99_env:ono99/Ono99-v0", num_players=PLAYERS, opponents=["random"])
    return MaskInObservation(env)


def train(decisions: int, checkpoint: str) -> None:
    register_env("ono99", make_env)
    networks = DefaultModelConfig(fcnet_hiddens=[64, 64], fcnet_activation="relu")
    spec = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=networks)
    config = (
        PPOConfig()
        .environment("ono99", disable_env_checking=True)  # the check ignores masks
        .env_runners(num_env_runners=1, num_envs_per_env_runner=32)
        .rl_module(rl_module_spec=spec)
        .training(lr=1e-3, gamma=1.0, lambda_=0.95, train_batch_size=4096, minibatch_size=512)
        .training(num_epochs=4, entropy_coeff=0.003, use_kl_loss=False)
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    sampled = 0
    while sampled < decisions:
        results = algorithm.train()["env_runners"]
        sampled = int(results["num_env_steps_sampled_lifetime"])
        print(f"{sampled:,} decisions, mean return {results['episode_return_mean']:+.3f}")
    algorithm.save_to_path(checkpoint)
    algorithm.stop()


def export(checkpoint: str, path: Path, decisions: int) -> None:
    module = RLModule.from_checkpoint(str(Path(checkpoint) / MODULE))
    rules = Rules.preset("2022", num_players=PLAYERS)
    metadata = BotMetadata(
        rules=rules, num_players=[PLAYERS], training={"decisions": decisions, "library": "rllib"}
    )
    export_network(BotNetwork(module), path, metadata)


def main(path: str = "rllib.onnx", decisions: str = "40000") -> None:
    ray.init("local", num_cpus=2, include_dashboard=False, object_store_memory=200_000_000)
    checkpoint = mkdtemp()
    train(int(decisions), checkpoint)
    export(checkpoint, Path(path), int(decisions))
    print(f"The bot is {path}. Measure it: python -m training.evaluate {path} --opponents random")


if __name__ == "__main__":
    main(*sys.argv[1:])
