"""The process that plays loses no decision and no reward, wherever a rollout ends."""

import numpy as np
import pytest
import torch
from ray.rllib.core.columns import Columns
from ray.rllib.evaluation.postprocessing import Postprocessing

from tests.libraries.rllib.conftest import TINY, config
from training.distributed.env_runner import SelfPlayRunner
from training.distributed.rl_module import ACTION_MASK
from training.distributed.rllib_settings import algorithm_config
from training.distributed.rollout import Order, PolicySnapshot, shuffle_rows
from training.networks.policy_network import PolicyNetwork

ROLLOUTS = 12
NEW_GAMES = Order(0, {})


def make_runner(**fields) -> SelfPlayRunner:
    settings = {"cluster": {"num_env_runners": 0}, **fields}
    return SelfPlayRunner(config=algorithm_config(config(TINY, **settings)), worker_index=0)


@pytest.fixture
def runner() -> SelfPlayRunner:
    """Values are all 0 and advantages look to the end, so a target is what a decision earned."""
    runner = make_runner(ppo={**TINY["ppo"], "gae_lambda": 1.0, "gamma": 1.0})
    for parameter in runner.module.policy.value_net.parameters():
        torch.nn.init.zeros_(parameter)
    return runner


def test_rows_are_legal_decisions_under_rllibs_names(runner):
    columns = runner.sample(NEW_GAMES).columns
    actions, mask = columns[Columns.ACTIONS], columns[ACTION_MASK]
    assert mask[np.arange(len(actions)), actions].all()
    batch = {
        Columns.OBS: torch.from_numpy(columns[Columns.OBS]),
        ACTION_MASK: torch.from_numpy(mask),
    }
    distribution = runner.module.get_train_action_dist_cls().from_logits(
        runner.module.forward_exploration(batch)[Columns.ACTION_DIST_INPUTS]
    )
    found = distribution.logp(torch.from_numpy(actions)).detach().numpy()
    assert found == pytest.approx(columns[Columns.ACTION_LOGP], abs=1e-5)


def test_every_decision_is_handed_over_once(runner):
    rows = decisions = 0
    for _ in range(ROLLOUTS):
        rollout = runner.sample(NEW_GAMES)
        rows += len(rollout.columns[Columns.OBS])
        decisions += rollout.decisions
        waiting = len(runner.buffer.state_dict()["is_open"].nonzero()[0])
        assert rows + waiting == decisions


def test_what_a_seat_is_paid_reaches_its_last_decision(runner):
    paid = settled = carried = 0
    for _ in range(ROLLOUTS):
        runner.sample(NEW_GAMES)
        buffer = runner.buffer
        targets = dict(zip(buffer.rows.tolist(), buffer.returns[buffer.rows], strict=True))
        steps, tables = buffer.seats.shape
        for table in range(tables):
            last = {
                seat: steps * tables + table * 8 + seat
                for seat in np.flatnonzero(buffer.carried[table])
            }
            for step in range(steps):
                last[int(buffer.seats[step, table])] = step * tables + table
                for seat, reward in enumerate(buffer.seat_rewards[step, table]):
                    if reward and seat in last:
                        paid += 1
                        settled += targets[last[seat]] == pytest.approx(reward)
                        carried += last[seat] >= steps * tables
                if buffer.game_over[step, table]:
                    last = {}
    assert paid == settled > 100
    assert carried > 0


def test_a_process_that_is_started_anew_plays_other_games():
    first = make_runner().sample(NEW_GAMES).columns[Columns.OBS]
    again = make_runner().sample(NEW_GAMES).columns[Columns.OBS]
    later = make_runner().sample(Order(4096, {})).columns[Columns.OBS]
    assert np.array_equal(first, again)
    assert not np.array_equal(first[:100], later[:100])


def test_it_meets_the_snapshots_of_the_order():
    runner = make_runner(
        self_play={"learner": 0.5, "snapshots": 0.5, "bots": {}, "max_snapshots": 3}
    )
    weights = PolicyNetwork(runner.module.policy).state_dict()
    snapshot = PolicySnapshot(2048, {name: each.numpy() for name, each in weights.items()})
    wins, seats = runner.sample(Order(2048, {1: snapshot})).counts
    assert seats[1].min() > 10
    assert (seats[[0, 2]] == 0).all()
    assert 0.2 < wins[1, 0] / seats[1, 0] < 0.8
    assert runner.league.seats.sum() == 0


def test_rows_of_several_processes_are_mixed_and_stay_whole():
    rollouts = [make_runner(seed=seed).sample(NEW_GAMES) for seed in (0, 1)]
    columns = shuffle_rows(rollouts, np.random.default_rng(0))
    names = (Columns.ACTION_LOGP, Postprocessing.VALUE_TARGETS)
    pairs = {pair for each in rollouts for pair in zip(*map(each.columns.get, names), strict=True)}
    assert set(zip(*(columns[name] for name in names), strict=True)) == pairs
    assert len(columns[Columns.OBS]) == sum(len(each.columns[Columns.OBS]) for each in rollouts)
