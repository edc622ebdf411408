"""The learner of a self-play run."""

from typing import Any

from ono99_env import load_bot
from training.config.config import Config, SelfPlayConfig
from training.self_play.league import League
from training.self_play.league_callback import LeagueCallback
from training.self_play.mixed_tables import make_tables
from training.self_play.ppo import SelfPlayPPO
from training.self_play.seat_draw import SeatDraw
from training.self_play.self_play_env import SelfPlayVecEnv


def make_self_play_learner(
    config: Config, self_play: SelfPlayConfig, **arguments: Any
) -> tuple[SelfPlayPPO, LeagueCallback]:
    """Make an untrained learner that plays against itself, its snapshots and bots.

    Args:
        config: The config of the run.
        self_play: Its part on self-play.
        **arguments: Further arguments of `SelfPlayPPO`.

    Returns:
        The learner, and the callback that keeps its league.
    """
    bots = [load_bot(name) for name in self_play.bots]
    seat_draw = SeatDraw(
        config.num_players,
        self_play.learner,
        list(self_play.bots.values()),
        self_play.snapshots,
    )
    league = League(self_play.max_snapshots, len(bots), self_play.pfsp_power, config.seed)
    tables = make_tables(
        config.rules_of_tables, [*bots, *league.bots], seat_draw, config.num_envs, config.seed
    )
    learner = SelfPlayPPO("MlpPolicy", SelfPlayVecEnv(tables), **arguments)
    callback = LeagueCallback(
        league, tables, self_play.decisions_between_snapshots, self_play.snapshots_at_once
    )
    return learner, callback
