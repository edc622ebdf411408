"""The league keeps past states of the policy and meets those most that it finds hard."""

import numpy as np
import pytest

from ono99_env import load_bot
from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.tables import LEARNER
from tests.training.self_play.small_self_play import make_learner, make_tables
from training.learner.learner import make_learner as learner_of_config
from training.learner.policy_network import PolicyNetwork
from training.run.config import Config, SelfPlayConfig
from training.self_play.league import League
from training.self_play.past_policies import SnapshotBot
from training.train import main

FIRST = 2


@pytest.fixture
def policy():
    return make_learner(make_tables(num_tables=4), n_steps=2, batch_size=8).policy


def league_of(policy, size: int, capacity: int = 4, power: float = 2.0) -> League:
    league = League(capacity, FIRST, power, seed=0)
    for _ in range(size):
        league.add(PolicyNetwork(policy), 1000)
    return league


def finished_games(winner: int, count: int) -> np.ndarray:
    games = make_tables(num_players=(4,), num_tables=count).tables.games.copy()
    games["in_match"] = 1 << winner
    return games


def record(league: League, place: int, wins: int, losses: int) -> None:
    holders = np.full((1, 8), LEARNER, np.int8)
    holders[0, 1:3] = FIRST + place
    for winner, count in ((0, wins), (1, losses)):
        if count:
            league.record(finished_games(winner, count), holders.repeat(count, axis=0))


def test_a_win_rate_is_seat_for_seat(policy):
    league = league_of(policy, 2)
    assert league.win_rates.tolist() == [0.5, 0.5]
    record(league, 1, wins=3000, losses=1000)
    # Two seats each: the learner won three games for each that the snapshot won.
    assert league.win_rates.tolist() == pytest.approx([0.5, 0.75], abs=0.01)


def test_seats_that_do_not_exist_and_named_bots_are_not_counted(policy):
    league = league_of(policy, 1)
    holders = np.full((100, 8), FIRST, np.int8)
    holders[:, 0] = LEARNER
    holders[:, 1:4] = 0  # a named bot; the seats from 4 on do not exist
    before = league.seats.copy()
    league.record(finished_games(0, 100), holders)
    assert np.array_equal(league.seats, before)


def test_hard_snapshots_are_met_more_often(policy):
    league = league_of(policy, 3)
    record(league, 0, wins=9000, losses=1000)
    record(league, 1, wins=1000, losses=1000)
    record(league, 2, wins=1000, losses=9000)
    chosen = [league.choose(1)[0] - FIRST for _ in range(2000)]
    met = np.bincount(chosen, minlength=3) / 2000
    weights = (1 - np.array([0.9, 0.5, 0.1])) ** 2
    np.testing.assert_allclose(met, weights / weights.sum(), atol=0.05)
    assert sorted(league.choose(9)) == [FIRST, FIRST + 1, FIRST + 2]


def test_a_full_pool_drops_the_snapshot_that_is_beaten_most(policy):
    league = league_of(policy, 3, capacity=3)
    record(league, 1, wins=5000, losses=1000)
    copies = [bot.copy for bot in league.bots]
    league.add(PolicyNetwork(policy), 2000)
    kept = [bot.copy is copy for bot, copy in zip(league.bots, copies, strict=True)]
    assert kept == [True, False, True]
    assert league.taken_after.tolist() == [1000, 2000, 1000]
    assert league.size == 3
    assert league.win_rates[1] == 0.5


def test_an_empty_league_offers_nobody(policy):
    assert League(3, FIRST, 2.0, seed=0).choose(2) == []


def test_a_snapshot_draws_from_the_policy_that_it_copied(policy):
    tables = make_tables(num_tables=4000)
    views = tables.tables.views(np.arange(4000), tables.seats)
    bot = SnapshotBot("copy")
    bot.become(PolicyNetwork(policy))
    same = bot.act(views, np.random.default_rng(0))
    for parameter in policy.parameters():
        parameter.data.add_(1.0)
    assert np.array_equal(bot.act(views, np.random.default_rng(0)), same)
    assert views.action_mask[np.arange(4000), same].all()
    # An untrained policy is nearly even over the legal actions.
    expected = (views.action_mask / views.action_mask.sum(axis=1, keepdims=True)).sum(axis=0)
    found = np.bincount(same, minlength=17)
    np.testing.assert_allclose(found, expected, atol=5 * np.sqrt(expected.max()))


@pytest.mark.slow
def test_a_run_takes_snapshots_and_meets_them():
    config = Config(
        num_players=(2, 4),
        features=("hand", "headroom"),
        net_arch=(16,),
        num_envs=32,
        num_threads=1,
        device="cpu",
        self_play=SelfPlayConfig(
            learner=0.5, snapshots=0.4, decisions_between_snapshots=1024, max_snapshots=2
        ),
        ppo={"n_steps": 16, "batch_size": 128, "n_epochs": 1},
    )
    learner, callback = learner_of_config(config)
    learner.learn(512 * 12, callback=callback)
    league = callback.league
    assert league.size == 2
    assert (league.seats[:2, 1] > 20).all()  # more than the prior: games were played
    assert set(np.unique(learner.env.tables.tables.holders)) <= {LEARNER, 0, 1, 2}


@pytest.mark.slow
def test_the_command_trains_in_self_play_and_writes_the_league_as_bot_files(tiny):
    parts = {
        "self_play.snapshots": "0.5",
        "self_play.decisions_between_snapshots": "600",
        "self_play.bots": '{"random": 0.1}',
    }
    words = [word for name, value in parts.items() for word in (f"--{name}", value)]
    assert main([str(tiny), *words]) == 0
    folder = tiny.parent / "runs" / "tiny"
    files = sorted((folder / "league").iterdir())
    assert [path.name for path in files] == ["after-1024.onnx", "after-2048.onnx"][: len(files)]
    assert files
    assert read_metadata(files[0]).training["decisions"] == 1024
    assert load_bot(str(files[0]))
    assert "in self-play and against random" in (folder / "report.md").read_text()
