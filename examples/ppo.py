"""PPO with action masks in one file, on the native vector environment: the one to read and change.

    python examples/ppo.py --num-players 2 4 --opponents highest random --total-decisions 1000000

In the style of CleanRL (Huang et al., JMLR 2022): no framework, every step of the algorithm in
sight. The algorithm is PPO (Schulman et al., arXiv:1707.06347) with generalised advantage
estimation (arXiv:1506.02438); illegal actions get no probability (arXiv:2006.14171). Needs torch,
tyro, onnx and onnxscript.
"""

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import gymnasium
import torch
import tyro
from torch import Tensor, nn
from torch.distributions import Categorical

import ono99_env  # noqa: F401 - registers the environment
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.torch_export import export_policy
from ono99_env.envs.arguments import resolve_rules
from ono99_env.observation import OBSERVATION_SIZE


@dataclass
class Config:
    """Train a bot by PPO with action masks, and write it as a bot file."""

    rules: str = "2022"
    """An edition, or the path of a YAML file."""
    num_players: tuple[int, ...] = (2,)
    """Seats at the table; one of the numbers is drawn for each game."""
    opponents: tuple[str, ...] = ("highest",)
    """Bots that hold the other seats, drawn for each seat of each game."""
    total_decisions: int = 500_000
    """Decisions of the learner in all."""
    num_envs: int = 256
    """Tables that are played side by side."""
    num_steps: int = 32
    """Decisions at each table between two updates."""
    minibatches: int = 4
    """Parts that the decisions of an update are split into."""
    epochs: int = 4
    """Times that each decision is learnt from."""
    learning_rate: float = 5e-4
    """Of Adam, falling to 0 in a straight line."""
    gamma: float = 1.0
    """Discount of later rewards; games are short and a win is a win, so there is none."""
    gae_lambda: float = 0.95
    """Weight of longer returns in the advantages."""
    clip: float = 0.2
    """How far the probability of an action may move in one update, as a ratio."""
    entropy_weight: float = 0.01
    """Weight of the policy's entropy in the loss."""
    value_weight: float = 0.5
    """Weight of the value's error in the loss."""
    max_grad_norm: float = 0.5
    """Longer gradients are shortened to this norm."""
    hidden: int = 128
    """Units of each of the two hidden layers."""
    seed: int = 1
    """Start of all randomness."""
    bot: Path = Path("ppo.onnx")
    """The bot file to write; it must not exist."""


class Agent(nn.Module):
    """A policy and a value network.

    Args:
        hidden: Units of each hidden layer.
        num_actions: How many actions there are.
    """

    def __init__(self, hidden: int, num_actions: int) -> None:
        super().__init__()
        self.policy = network(hidden, num_actions, last_gain=0.01)
        self.value = network(hidden, 1, last_gain=1.0)

    def distribution(self, observations: Tensor, masks: Tensor) -> Categorical:
        """Probabilities of the legal actions.

        Args:
            observations: Shape (batch, features).
            masks: Which actions are legal, bool, shape (batch, 17).
        """
        return Categorical(logits=self.policy(observations).masked_fill(~masks, -1e9))

    def values(self, observations: Tensor) -> Tensor:
        """Expected returns, shape (batch,)."""
        return self.value(observations)[..., 0]


def network(hidden: int, outputs: int, last_gain: float) -> nn.Sequential:
    """A perceptron with two hidden layers and orthogonal weights, as PPO likes them."""
    layers = [nn.Linear(OBSERVATION_SIZE, hidden), nn.Linear(hidden, hidden)]
    last = nn.Linear(hidden, outputs)
    for layer, gain in ((layers[0], 2**0.5), (layers[1], 2**0.5), (last, last_gain)):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), last)


class Rollout:
    """What happened at all tables since the last update; every tensor is (steps, tables, ...)."""

    def __init__(self, config: Config, num_actions: int) -> None:
        size = (config.num_steps, config.num_envs)
        self.observations = torch.zeros(*size, OBSERVATION_SIZE)
        self.masks = torch.zeros(*size, num_actions, dtype=torch.bool)
        self.actions = torch.zeros(size, dtype=torch.long)
        self.log_probs = torch.zeros(size)
        self.values = torch.zeros(size)
        self.rewards = torch.zeros(size)
        self.dones = torch.zeros(size)
        self.advantages = torch.zeros(size)

    def minibatches(self, count: int) -> Iterator[dict[str, Tensor]]:
        """All decisions once, shuffled, in so many parts."""
        flat = {name: tensor.flatten(0, 1) for name, tensor in vars(self).items()}
        for rows in torch.randperm(len(flat["actions"])).chunk(count):
            yield {name: tensor[rows] for name, tensor in flat.items()}


class Trainer:
    """The tables, the agent, and how one learns from the other."""

    def __init__(self, config: Config) -> None:
        torch.manual_seed(config.seed)
        self.config = config
        self.envs = gymnasium.make_vec(
            "ono99/Ono99-v0",
            num_envs=config.num_envs,
            vectorization_mode="vector_entry_point",
            rules=config.rules,
            num_players=list(config.num_players),
            opponents=list(config.opponents),
        )
        num_actions = int(self.envs.single_action_space.n)
        self.agent = Agent(config.hidden, num_actions)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), config.learning_rate, eps=1e-5)
        self.rollout = Rollout(config, num_actions)
        observations, infos = self.envs.reset(seed=config.seed)
        self.observations = torch.from_numpy(observations)
        self.masks = torch.from_numpy(infos["action_mask"]).bool()

    @torch.no_grad()
    def collect(self) -> float:
        """Play until the rollout is full; returns the mean reward of the games that ended."""
        rollout = self.rollout
        for step in range(self.config.num_steps):
            distribution = self.agent.distribution(self.observations, self.masks)
            actions = distribution.sample()
            rollout.observations[step], rollout.masks[step] = self.observations, self.masks
            rollout.actions[step] = actions
            rollout.log_probs[step] = distribution.log_prob(actions)
            rollout.values[step] = self.agent.values(self.observations)
            observations, rewards, terminated, truncated, infos = self.envs.step(actions.numpy())
            # A table whose game ended is dealt anew in the same step: these are the new game's.
            self.observations = torch.from_numpy(observations)
            self.masks = torch.from_numpy(infos["action_mask"]).bool()
            rollout.rewards[step] = torch.from_numpy(rewards)
            rollout.dones[step] = torch.from_numpy(terminated | truncated)
        self.estimate_advantages()
        return float(rollout.rewards.sum() / rollout.dones.sum().clamp(min=1))

    def estimate_advantages(self) -> None:
        """How much better each action was than expected (generalised advantage estimation)."""
        config, rollout = self.config, self.rollout
        next_value = self.agent.values(self.observations)
        advantage = torch.zeros(config.num_envs)
        for step in reversed(range(config.num_steps)):
            goes_on = 1.0 - rollout.dones[step]
            surprise = (
                rollout.rewards[step] + config.gamma * goes_on * next_value - rollout.values[step]
            )
            advantage = surprise + config.gamma * config.gae_lambda * goes_on * advantage
            rollout.advantages[step] = advantage
            next_value = rollout.values[step]

    def update(self, progress: float) -> None:
        """Learn from the rollout.

        Args:
            progress: How much of the training is behind, 0 to 1.
        """
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * (1.0 - progress)
        for _ in range(self.config.epochs):
            for batch in self.rollout.minibatches(self.config.minibatches):
                self.optimizer.zero_grad()
                self.loss(batch).backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), self.config.max_grad_norm)
                self.optimizer.step()

    def loss(self, batch: dict[str, Tensor]) -> Tensor:
        """The clipped objective of PPO with the value's error and the entropy, to be minimised."""
        config = self.config
        distribution = self.agent.distribution(batch["observations"], batch["masks"])
        ratio = (distribution.log_prob(batch["actions"]) - batch["log_probs"]).exp()
        advantages = batch["advantages"]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        gain = torch.minimum(ratio * advantages, clipped * advantages).mean()
        returns = batch["advantages"] + batch["values"]
        value_error = (self.agent.values(batch["observations"]) - returns).square().mean()
        entropy = distribution.entropy().mean()
        return config.value_weight * value_error - gain - config.entropy_weight * entropy


def train(config: Config) -> Agent:
    """Train an agent and report as it goes."""
    trainer, start = Trainer(config), time.perf_counter()
    per_update = config.num_envs * config.num_steps
    updates = max(1, config.total_decisions // per_update)
    for update in range(updates):
        reward = trainer.collect()
        trainer.update(update / updates)
        decisions = (update + 1) * per_update
        speed = decisions / (time.perf_counter() - start)
        if update % max(1, updates // 20) == 0 or update == updates - 1:
            print(f"{decisions:>9} decisions, {speed:>6.0f} a second, mean reward {reward:+.3f}")
    return trainer.agent


def main(config: Config) -> None:
    if config.bot.exists() or not config.bot.parent.is_dir() or config.bot.suffix != ".onnx":
        raise SystemExit(f"--bot {config.bot}: must be a new .onnx file in a folder that exists")
    torch.set_num_threads(1)  # small networks are slower with several
    agent = train(config)
    about = {"script": "ppo.py", "config": asdict(config) | {"bot": config.bot.name}}
    metadata = BotMetadata(
        rules=resolve_rules(config.rules), num_players=config.num_players, training=about
    )
    export_policy(agent.policy, config.bot, metadata, value=agent.value)
    players = ",".join(map(str, config.num_players))
    print(f"the bot is {config.bot}: try `ono99 arena {config.bot} highest --players {players}`")


if __name__ == "__main__":
    main(tyro.cli(Config))
