"""Figures mean what they say: ratings fit, corrections correct, equal luck leaves doubt."""

import choix
import numpy as np
import pytest
from scipy.stats import t as student

from ono99_env.arena import Arena
from ono99_env.arena.analysis.analysis import figures, standings, sums_of, variance_ratio
from ono99_env.arena.analysis.comparisons import compare, holm
from ono99_env.arena.analysis.intervals import (
    Estimate,
    RateSums,
    combine,
    estimate_rate,
    estimate_share,
)
from ono99_env.arena.analysis.luce import at_mixed_tables, at_table
from ono99_env.arena.analysis.moments import Moments
from ono99_env.arena.analysis.ratings import fit, rate
from ono99_env.arena.plan.line_ups import LineUps
from ono99_env.arena.plan.schedule import Schedule
from ono99_env.arena.play.jobs import WHOLE_WIN
from ono99_env.arena.play.tally import ScheduleTally
from tests.arena.some_bots import Asked


def tally_of(wins: list[list[int]], seats: list[list[int]]) -> ScheduleTally:
    """A tally of rounds with so many wins and seats of each bot, at tables of two."""
    bots = len(wins[0])
    tally = ScheduleTally(Schedule(LineUps(bots, 2, key=1), len(wins)))
    tally.moments.add(Moments.of(WHOLE_WIN * np.array(wins), np.array(seats)))
    return tally


def test_sums_are_over_the_rounds_in_which_both_sit():
    tally = tally_of([[2, 0, 0], [0, 1, 1], [1, 1, 0]], [[2, 2, 0], [0, 2, 2], [2, 2, 0]])
    assert sums_of(tally.moments, 0, 1) == RateSums(2, 3, 4, 5, 6, 8)
    assert sums_of(tally.moments, 1, 1) == RateSums(3, 2, 6, 2, 4, 12)
    assert sums_of(tally.moments, 0, 2).rounds == 0


def test_with_equal_seats_a_rate_is_the_mean_of_the_rounds():
    rng = np.random.default_rng(0)
    wins = rng.integers(0, 5, size=200)
    sums = RateSums(200, wins.sum(), 800, (wins**2).sum(), 4 * wins.sum(), 200 * 16)
    found, of_shares = estimate_rate(sums, 0.95), estimate_share(wins / 4, 0.95, 4)
    assert found.mean == pytest.approx(of_shares.mean)
    assert found.stderr == pytest.approx(of_shares.stderr)
    assert found.freedom == 199


@pytest.mark.parametrize("rounds", [2, 3, 10, 40])
def test_a_pair_whose_rounds_all_ended_alike_leaves_doubt(rounds):
    (pair,) = compare([tally_of([[2, 0]] * rounds, [[2, 2]] * rounds)], 0.95)
    assert pair.difference == 1
    assert pair.p_value >= 2.0 ** (1 - rounds)
    assert pair.interval[0] < 1 == pair.interval[1]
    (equal,) = compare([tally_of([[1, 1]] * rounds, [[2, 2]] * rounds)], 0.95)
    assert equal.p_value == 1
    assert equal.interval[0] < 0 < equal.interval[1]


def test_a_pair_that_met_once_is_not_judged():
    (pair,) = compare([tally_of([[2, 0]], [[2, 2]])], 0.95)
    assert (pair.interval, pair.p_value) == ((-1, 1), 1)


@pytest.mark.parametrize("num_players", [2, 3, 6])
@pytest.mark.parametrize("spread", [0.0, 0.7, 6.0])
def test_mixed_tables_are_the_mean_over_all_tables(num_players, spread):
    strengths = np.linspace(-spread, spread, 3)
    orders = np.array(np.meshgrid(*[range(3)] * num_players)).reshape(num_players, -1).T
    tables = [np.bincount(order, minlength=3).astype(float) for order in orders]
    parts = [at_table(strengths, table) for table in tables if (table > 0).sum() > 1]
    found = at_mixed_tables(strengths, num_players)
    assert found.wins == pytest.approx(np.mean([each.wins for each in parts], axis=0), abs=1e-12)
    slopes = np.mean([each.slopes for each in parts], axis=0)
    assert found.slopes == pytest.approx(slopes, abs=1e-12)


@pytest.mark.parametrize("strengths", [[0.0, 0.5], [-1.0, 0.2, 2.0]])
def test_strengths_are_those_of_choix(strengths):
    # In expectation the likelihood of all games is largest where the wins are as expected.
    bots = len(strengths)
    schedules = [Schedule(LineUps(bots, 2, key=1), 1000)]
    wins = at_mixed_tables(np.array(strengths), 2).wins
    fitted = fit(schedules, wins, doubt=0)
    assert fitted == pytest.approx(np.array(strengths) - np.mean(strengths), abs=1e-8)
    games = 2000 * np.exp(strengths) / np.add.outer(np.exp(strengths), np.exp(strengths))
    matrix = games.T * (1 - np.eye(bots))
    of_choix = choix.ilsr_pairwise_dense(matrix)
    assert fitted == pytest.approx(of_choix - np.mean(of_choix), abs=1e-5)


@pytest.mark.parametrize("num_bots", [2, 3, 40])
@pytest.mark.parametrize("num_players", [2, 8])
def test_a_bot_that_never_wins_has_a_rating(num_bots, num_players):
    schedules = [Schedule(LineUps(num_bots, num_players, key=1), 1000)]
    wins = at_mixed_tables(np.zeros(num_bots), num_players).wins
    wins[1:] += wins[0] / (num_bots - 1)
    wins[0] = 0
    fitted = fit(schedules, wins, doubt=1e-5)
    assert np.isfinite(fitted).all()
    assert fitted[0] < fitted[1] - 3
    assert fitted.sum() == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("p_values", "expected"),
    [
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # a textbook example
        ([0.6, 0.7], [1, 1]),
        ([0.2], [0.2]),
        ([], []),
    ],
)
def test_holm(p_values, expected):
    assert holm(p_values) == pytest.approx(expected)


def test_player_counts_are_combined_with_equal_weight():
    estimates = [Estimate(0.5, 0.03, (0.4, 0.6)), Estimate(0.3, 0.04, (0.2, 0.4))]
    both = combine(estimates, 0.95)
    assert both.mean == pytest.approx(0.4)
    assert both.stderr == pytest.approx(0.025)
    assert both.interval == pytest.approx((0.4 - 1.96 * 0.025, 0.4 + 1.96 * 0.025), abs=1e-4)
    assert combine(estimates[:1], 0.95) == estimates[0]


def test_what_is_combined_has_the_freedom_of_its_parts():
    part = Estimate(0.5, 0.03, (0.4, 0.6), freedom=10)
    both = combine([part, part], 0.99)
    assert both.freedom == pytest.approx(20)
    margin = student(20).ppf(0.995) * 0.03 / np.sqrt(2)
    assert both.interval == pytest.approx((0.5 - margin, 0.5 + margin))
    sure = Estimate(0.5, 0.0, (0.5, 0.5), freedom=50)
    assert combine([part, sure], 0.99).freedom == pytest.approx(10)


@pytest.fixture(scope="module")
def played() -> Arena:
    arena = Arena(["highest", "random", Asked("asked")], players=4, games=20_000, seed=2)
    arena.play()
    return arena


@pytest.mark.slow
def test_the_same_policy_under_two_names_is_not_found_different(played):
    assert played.setup.bots == ("asked", "highest", "random")
    pairs = {pair.bots: pair for pair in compare(played.tally.schedules, 0.95)}
    assert pairs[0, 2].p_adjusted < 1e-6
    assert pairs[1, 2].p_adjusted < 1e-6
    same = pairs[0, 1]
    assert same.interval[0] < 0 < same.interval[1]
    assert same.p_adjusted > 0.01
    assert all(pair.p_value <= pair.p_adjusted for pair in pairs.values())
    first, second = pairs[1, 2].win_rates
    assert first - second == pytest.approx(pairs[1, 2].difference)


@pytest.mark.slow
def test_ratings_predict_the_win_rates(played):
    ratings = rate(played.tally.schedules, 0.95)
    values = np.array([rating.value for rating in ratings])
    assert values.sum() == pytest.approx(0, abs=1e-6)
    for rating in ratings:
        assert rating.interval[0] < rating.value < rating.interval[1]
    assert ratings[1].interval[0] > ratings[2].interval[1]
    predicted = at_mixed_tables(values / 400 * np.log(10), 4).wins
    for bot, wins in enumerate(predicted):
        row = figures(played.tally.schedules[0], bot, 0.95)
        assert row is not None
        assert wins * 3 / 4 == pytest.approx(row.estimate.mean, abs=0.005)


@pytest.mark.slow
def test_scores_so_far_are_in_the_end_those_of_the_results(played):
    results = played.play()
    by_name = {row.name: row.score for row in results.bots}
    scores = standings(played.tally, 4)
    for name, score in zip(played.setup.bots, scores, strict=True):
        assert score == pytest.approx(by_name[name])
    empty = Arena(["highest", "random"], players=4, games=1000).tally
    assert standings(empty, 4) == [None, None]


@pytest.mark.slow
def test_the_variance_ratio_is_that_of_the_games(played):
    (tally,) = played.tally.schedules
    row = figures(tally, 1, 0.95)
    assert row is not None
    ratio = variance_ratio(row)
    assert ratio is not None
    # With independent deals a win rate of p varies by p(1 - p) per game, and less where copies of a
    # bot share a table.
    of_games = row.estimate.mean * (1 - row.estimate.mean) / row.games
    assert row.estimate.stderr**2 / ratio < of_games
    assert 0.3 < ratio < 1.1
    assert sum(row.seat_win_rates) / 4 == pytest.approx(row.estimate.mean)
