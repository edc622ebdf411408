"""Masked PPO with TorchRL: by self-play on the PettingZoo environment, or against bots.

``python examples/train_with_torchrl.py --env aec``: all seats learn, one network plays them all.
``python examples/train_with_torchrl.py --env gymnasium``: one seat learns, at many tables at once.
"""

import argparse
from typing import Any

import gymnasium
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.envs.libs.gym import GymWrapper
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from ono99_env import Rules, ono99_v0
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.observation import FEATURES, OBSERVATION_SIZE

PLAYERS = 3
RULES = Rules.preset("2022", num_players=PLAYERS)


class WithMask(nn.Module):
    """Logits, and which actions are legal: the observation says that itself."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """From (..., 466) to logits and mask, both (..., 17)."""
        legal = observation[..., FEATURES["legal"].slice] > 0
        # Every seat of the PettingZoo environment is asked, and those not to act need some action.
        return self.net(observation), legal | ~legal.any(-1, keepdim=True)


def perceptron(outputs: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(OBSERVATION_SIZE, 128),
        nn.Tanh(),
        nn.Linear(128, 128),
        nn.Tanh(),
        nn.Linear(128, outputs),
    )


def make_actor(net: nn.Module, *group: str) -> ProbabilisticActor:
    """A policy that reads and writes the entries of a group of agents, or those at the top."""
    logits, mask = (*group, "logits"), (*group, "legal")
    return ProbabilisticActor(
        TensorDictModule(WithMask(net), [(*group, "observation")], [logits, mask]),
        in_keys={"logits": logits, "mask": mask},
        out_keys=[(*group, "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_keys=[(*group, "action_log_prob")],
    )


def make_aec_env(env: Any = None) -> PettingZooWrapper:
    """All seats in one group, whose tensors are (steps, seats, ...)."""
    env = env or ono99_v0.env(rules=RULES, keep_seats=True, flatten=True)
    return PettingZooWrapper(env, use_mask=True, group_map={"seats": env.possible_agents})


def make_gymnasium_env(num_envs: int = 64) -> GymWrapper:
    """Many tables in one step, with tensors (tables, steps, ...)."""
    envs = gymnasium.make_vec(
        "ono99_env:ono99/Ono99-v0",
        num_envs=num_envs,
        vectorization_mode="vector_entry_point",
        rules=RULES,
        illegal="lose",  # the wrapper takes a step at random before it begins
    )
    return GymWrapper(envs, categorical_action_encoding=True)


def own_decisions(rollout: TensorDict) -> TensorDict:
    """Each seat's decisions, one after the other, each with what it led to.

    The wrapper hands out a step for all seats whenever one of them acts, and pays a seat that is
    eliminated while another acts. What a seat has to learn from is: what it saw, what it did, what
    it was paid until its next decision or the end of the game, and what it saw then.

    Args:
        rollout: Steps of a `Collector` on `make_aec_env`, shape (steps,).

    Returns:
        Shape (decisions,), seat after seat; the last of each seat ends as a truncated one, so that
        its value is bootstrapped and nothing flows from one seat to another.
    """
    seats, after = rollout["seats"], rollout["next", "seats"]
    games_end = rollout["next", "done"][:, 0].nonzero()[:, 0]
    games_end = torch.cat([games_end, torch.tensor([len(rollout) - 1])])
    paid = after["reward"].squeeze(-1).double().cumsum(0)
    parts = []
    for seat in range(seats.shape[1]):
        first = seats["mask"][:, seat].nonzero()[:, 0]
        until = torch.cat([first[1:], torch.tensor([len(rollout)])]) - 1
        until = torch.minimum(until, games_end[torch.searchsorted(games_end, first)])
        reward = paid[until, seat] - paid[first, seat] + after["reward"][first, seat, 0]
        part = seats[first, seat].select("observation", "action", "action_log_prob")
        terminated = rollout["next", "done"][until]
        done = terminated.clone()
        done[-1:] = True
        part["next"] = TensorDict(
            {
                "observation": after["observation"][until, seat],
                "reward": reward.float().unsqueeze(-1),
                "terminated": terminated,
                "done": done,
            },
            part.batch_size,
        )
        parts.append(part)
    return torch.cat(parts)


def train(kind: str, decisions: int) -> tuple[nn.Module, nn.Module]:
    """PPO; returns the networks of the policy and of the value."""
    torch.manual_seed(1)
    net, value_net = perceptron(17), perceptron(1)
    actor, critic = make_actor(net), ValueOperator(value_net, in_keys=["observation"])
    loss_module = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    loss_module.set_keys(sample_log_prob="action_log_prob")
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss_module.parameters(), 1e-3)
    env = make_aec_env() if kind == "aec" else make_gymnasium_env()
    policy = make_actor(net, "seats") if kind == "aec" else actor
    for rollout in Collector(env, policy, frames_per_batch=1024, total_frames=decisions):
        batch = own_decisions(rollout) if kind == "aec" else rollout
        with torch.no_grad():
            advantage(batch)
        batch = batch.reshape(-1)
        for _ in range(4):
            for rows in torch.randperm(len(batch)).split(256):
                losses = loss_module(batch[rows])
                loss = sum(losses[f"loss_{part}"] for part in ("objective", "critic", "entropy"))
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
                optimizer.step()
        print(f"mean reward {batch['next', 'reward'].mean():+.4f}, loss {loss.item():+.3f}")
    return net, value_net


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--env", choices=["aec", "gymnasium"], default="aec")
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--bot", default="torchrl.onnx", help="the bot file to write")
    options = parser.parse_args()
    networks = train(options.env, options.decisions)
    about = BotMetadata(rules=RULES, num_players=[PLAYERS], training={"library": "torchrl"})
    export_policy(networks[0], options.bot, about, value=networks[1])
    print(f"the bot is {options.bot}")
