"""The learner of a run: MaskablePPO on the native vector environment, or in self-play."""

from typing import Any, Protocol

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import LinearSchedule
from torch import nn

from ono99_env.envs.sb3 import Ono99VecEnv
from ono99_env.messages.errors import UsageError
from training.config.config import Config
from training.learner.fine_tuning import take_networks
from training.networks.layers import ChosenFeatures
from training.self_play.league_callback import LeagueCallback
from training.self_play.self_play_learner import make_self_play_learner

_EPISODES_IN_MEAN = 10_000


class Learner(Protocol):
    """The methods of a learner that a run uses; `MaskablePPO` has them."""

    @property
    def policy(self) -> MaskableActorCriticPolicy:
        """The policy as it is now."""

    @property
    def num_timesteps(self) -> int:
        """Decisions that were made."""

    @property
    def logger(self) -> Logger:
        """Where it logs."""

    def set_logger(self, logger: Logger) -> None:
        """Set where to log."""

    def learn(
        self,
        total_timesteps: int,
        callback: list[BaseCallback],
        *,
        reset_num_timesteps: bool,
    ) -> object:
        """Train on that many more decisions."""


def make_learner(config: Config) -> tuple[MaskablePPO, LeagueCallback | None]:
    """Make a learner with new networks, and its tables; sets PyTorch's threads for the process.

    Returns:
        The learner, and in self-play the callback that keeps its league.

    Raises:
        UsageError: If the device is not there, or ``init_from`` cannot be used.
    """
    learner, league = _make(config, learner_arguments(config))
    if config.init_from is not None:
        take_networks(learner.policy, config)
    return learner, league


def learner_arguments(config: Config) -> dict[str, Any]:
    """Return the arguments of `MaskablePPO` in a config; sets PyTorch's threads for the process.

    Raises:
        UsageError: If the device is not there.
    """
    torch.set_num_threads(config.num_threads)
    # The masked distribution is made anew for every batch, and checking it each time is slow.
    torch.distributions.Distribution.set_default_validate_args(False)
    return {
        "learning_rate": _learning_rate(config),
        "seed": config.seed,
        "device": _device(config),
        "stats_window_size": _EPISODES_IN_MEAN,
        "policy_kwargs": _network(config),
        **config.ppo.model_dump(exclude={"learning_rate", "final_learning_rate"}),
    }


def _make(config: Config, arguments: dict[str, Any]) -> tuple[MaskablePPO, LeagueCallback | None]:
    if config.self_play is None:
        return MaskablePPO("MlpPolicy", _single_seat_tables(config), **arguments), None
    arguments["policy_kwargs"]["is_bfloat16"] = config.is_bfloat16
    return make_self_play_learner(config, config.self_play, **arguments)


def decisions_of_run(config: Config) -> int:
    """Return the decisions of a whole run: its `total_decisions`, rounded up to whole updates."""
    of_update = config.num_envs * config.ppo.n_steps
    return -(-config.total_decisions // of_update) * of_update


def _single_seat_tables(config: Config) -> Ono99VecEnv:
    return Ono99VecEnv(
        config.rules_for(max(config.num_players)),
        num_envs=config.num_envs,
        opponents=config.opponents,
        seat=config.seat,
        num_players=config.num_players,
        seed=config.seed,
    )


def _learning_rate(config: Config) -> LinearSchedule:
    start, end = config.ppo.learning_rate, config.ppo.final_learning_rate
    return LinearSchedule(start, start if end is None else end, end_fraction=1.0)


def _network(config: Config) -> dict[str, Any]:
    return {
        "net_arch": list(config.net_arch),
        "activation_fn": nn.ReLU,
        "features_extractor_class": ChosenFeatures,
        "features_extractor_kwargs": {"names": config.features},
    }


def _device(config: Config) -> torch.device:
    if config.device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(0, device=config.device)
    except (AssertionError, RuntimeError) as error:
        raise UsageError(f"device: {config.device!r} cannot be used: {error}") from error
    return torch.device(config.device)
