"""PPO with Tianshou on the Gymnasium environment: the actor masks its own logits.

``python examples/train_with_tianshou.py --decisions 40000 --bot tianshou.onnx``
"""

import argparse
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Discrete
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import Tensor, nn
from torch.distributions import Categorical

from ono99_env import Rules
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.envs.single import Ono99Env
from ono99_env.observation import FEATURES, OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS

PLAYERS = 3
RULES = Rules.preset("2022", num_players=PLAYERS)


class MaskedActor(nn.Module):
    """Logits of a network, illegal actions at the lowest: the observation says what is legal."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        """From observations (batch, 466) to masked logits (batch, 17) and the unused state."""
        observation = torch.as_tensor(np.asarray(obs), dtype=torch.float32)
        illegal = observation[:, FEATURES["legal"].slice] == 0
        return self.net(observation).masked_fill(illegal, -1e9), state


class Critic(nn.Module):
    """Expected returns."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, obs: Any, **_: Any) -> Tensor:
        """From observations (batch, 466) to values (batch, 1)."""
        return self.net(torch.as_tensor(np.asarray(obs), dtype=torch.float32))


def perceptron(outputs: int) -> nn.Sequential:
    layers = [nn.Linear(OBSERVATION_SIZE, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(128, outputs))


def make_env() -> Ono99Env:
    return Ono99Env(RULES, opponents=["random"])


def train(decisions: int) -> tuple[nn.Module, nn.Module]:
    """PPO; returns the networks of the policy and of the value."""
    torch.manual_seed(1)
    policy_net, value_net = perceptron(NUM_ACTIONS), perceptron(1)
    algorithm = PPO(
        policy=ProbabilisticActorPolicy(
            actor=MaskedActor(policy_net),
            dist_fn=lambda logits: Categorical(logits=logits),
            action_space=Discrete(NUM_ACTIONS),
            action_scaling=False,
            action_bound_method=None,
        ),
        critic=Critic(value_net),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        gae_lambda=0.95,
        max_grad_norm=0.5,
    )
    envs = DummyVectorEnv([make_env] * 16)
    collector = Collector(algorithm, envs, VectorReplayBuffer(4096, len(envs)))
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=decisions,
            collection_step_num_env_steps=2048,
            update_step_num_repetitions=4,
            batch_size=256,
            show_progress=False,
        )
    )
    return policy_net, value_net


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--decisions", type=int, default=40_000)
    parser.add_argument("--bot", default="tianshou.onnx", help="the bot file to write")
    options = parser.parse_args()
    networks = train(options.decisions)
    about = BotMetadata(rules=RULES, num_players=[PLAYERS], training={"library": "tianshou"})
    export_policy(networks[0], options.bot, about, value=networks[1])
    print(f"the bot is {options.bot}")
