"""At every step a learner's seat is to act at every table, and everyone is paid exactly once."""

import numpy as np
import pytest

from ono99_env.engine import batch
from ono99_env.engine.records import WON
from ono99_env.tables import LEARNER, LEARNER_TO_ACT, win_shares
from tests.training.self_play.small_self_play import make_tables, random_actions
from training.self_play.seat_draw import Seating
from training.self_play.self_play_tables import SelfPlayTables, learner_seats


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules", [{}, {"name": "1980"}, {"name": "1980", "format": "points_lowest"}, {"max_plays": 9}]
)
def test_rewards_of_every_game_sum_to_zero_over_its_seats(rules):
    tables, rng = make_tables(num_players=(2, 3, 6), **rules), np.random.default_rng(1)
    received = returns_so_far(tables)  # seats that are out before they can decide anything
    games = 0
    for _ in range(600):
        tables.step(random_actions(tables, rng))
        received += tables.rewards
        over = np.flatnonzero(tables.game_over)
        np.testing.assert_allclose(tables.left_returns.sum(axis=1), 0, atol=1e-6)
        np.testing.assert_allclose(tables.left_returns, received[over], atol=1e-6)
        received[over] = returns_so_far(tables)[over]
        games += len(over)
    assert games > 20


def returns_so_far(tables: SelfPlayTables) -> np.ndarray:
    returns = np.zeros((len(tables), 8))
    batch.fill_returns(tables.tables.games, returns)
    return returns


def test_a_loss_arrives_when_the_seat_is_out_and_others_play_on():
    tables, rng = make_tables(num_players=(6,)), np.random.default_rng(1)
    seen = 0
    for _ in range(200):
        in_match = tables.tables.games["in_match"].copy()
        tables.step(random_actions(tables, rng))
        going_on = ~tables.game_over
        out = in_match[:, None] & ~tables.tables.games["in_match"][:, None]
        is_out = (out >> np.arange(8) & 1).astype(bool)
        expected = np.where(is_out[going_on], -1 / 5, 0)
        np.testing.assert_allclose(tables.rewards[going_on], expected, atol=1e-6)
        seen += is_out[going_on].sum()
    assert seen > 50


@pytest.mark.slow
def test_the_seat_to_act_is_always_the_learners_and_sees_its_own_view():
    tables = make_tables(learner=1.0, bots={"highest": 1.0, "random": 1.0})
    rng = np.random.default_rng(2)
    mixed = 0
    for _ in range(100):
        inner = tables.tables
        assert (inner.status == LEARNER_TO_ACT).all()
        assert (inner.holders[np.arange(len(tables)), tables.seats] == LEARNER).all()
        views = inner.views(np.arange(len(tables)), tables.seats)
        np.testing.assert_array_equal(views.observation, tables.observation)
        np.testing.assert_array_equal(views.action_mask, tables.action_mask)
        assert tables.action_mask.any(axis=1).all()
        tables.step(random_actions(tables, rng))
        left = tables.left_games
        held = learner_seats(tables.left_holders, left)
        assert held.any(axis=1).all()
        still_in = (left["in_match"][:, None] >> np.arange(8) & 1).astype(bool)
        unfinished = left["phase"] != WON
        assert not (held & still_in)[unfinished].any()  # left because no learner is in it
        assert (tables.left_returns[held] != 0).all()
        mixed += unfinished.sum()
    assert mixed > 10


def test_player_counts_and_holders_are_drawn_by_weight():
    seating = Seating((2, 3, 6), 2.0, [1.0, 0.0], snapshots=1.0, active=[5, 7])
    num_players, holders = seating.draw(np.random.default_rng(0), 20_000)
    counts = np.bincount(num_players)[[2, 3, 6]]
    np.testing.assert_allclose(counts / 20_000, 1 / 3, atol=0.02)
    seats = holders[num_players == 6, :6]
    assert set(np.unique(seats)) == {LEARNER, 0, 5, 7}
    assert ((seats == LEARNER).sum(axis=1) >= 1).all()
    assert not ((seats == 5).any(axis=1) & (seats == 7).any(axis=1)).any()
    # One seat is the learner's anyway; the five others are drawn by weight.
    assert (seats == LEARNER).mean() == pytest.approx(1 / 6 + 5 / 6 * 0.5, abs=0.01)
    assert (seats == 0).mean() == pytest.approx(5 / 6 * 0.25, abs=0.01)


def test_without_a_snapshot_the_learner_plays_in_its_place():
    _, holders = Seating((4,), 1.0, [], snapshots=1.0).draw(np.random.default_rng(0), 100)
    assert (holders == LEARNER).all()


def test_the_same_seed_plays_the_same_games_and_global_generators_do_not_matter():
    def play(seed: int) -> list[np.ndarray]:
        tables = make_tables(bots={"random": 1.0}, seed=seed)
        rng = np.random.default_rng(0)
        seen = []
        for step in range(50):
            np.random.seed(step)
            tables.step(random_actions(tables, rng))
            seen.append(tables.observation.copy())
        return seen

    np.random.seed(99)
    first, again, other = play(1), play(1), play(2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_the_winners_share_the_win_and_so_do_all_who_are_left_in_an_unfinished_game():
    tables = make_tables(num_players=(4,))
    games = tables.tables.games[:2].copy()
    games["in_match"] = [0b0110, 0b1000]
    shares = win_shares(games)
    assert shares[:, :4].tolist() == [[0, 0.5, 0.5, 0], [0, 0, 0, 1]]
    assert shares[:, 4:].sum() == 0
