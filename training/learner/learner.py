"""The learner of a run: MaskablePPO on the native vector environment, or in self-play."""

from typing import Any, Protocol

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger

from ono99_env.envs.sb3 import Ono99VecEnv
from training.config.config import Config
from training.learner.fine_tuning import take_networks
from training.learner.learner_settings import learner_arguments
from training.learner.number_format import measure_formats, settle_number_format
from training.self_play.league_callback import LeagueCallback
from training.self_play.self_play_learner import make_self_play_learner


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

    Args:
        config: The config; if it leaves the number format open, the faster is taken.

    Returns:
        The learner, and in self-play the callback that keeps its league.

    Raises:
        UsageError: If the device is not there, or ``init_from`` cannot be used.
    """
    learner, league = _make(config, learner_arguments(config))
    if config.init_from is not None:
        take_networks(learner.policy, config)
    return learner, league


def _make(config: Config, arguments: dict[str, Any]) -> tuple[MaskablePPO, LeagueCallback | None]:
    if config.self_play is None:
        return MaskablePPO("MlpPolicy", _single_seat_tables(config), **arguments), None
    settled, _ = settle_number_format(config, measure_formats)
    arguments["policy_kwargs"]["number_format"] = settled.number_format
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
