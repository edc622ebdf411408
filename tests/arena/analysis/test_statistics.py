"""Figures mean what they say: intervals cover the truth, ratings fit, corrections correct."""

from dataclasses import replace

import choix
import numpy as np
import pytest

from ono99_env import Rules, load_bot
from ono99_env.arena import Arena
from ono99_env.arena.analysis.analysis import combine, figures, standings
from ono99_env.arena.analysis.comparisons import compare, holm
from ono99_env.arena.analysis.intervals import Estimate
from ono99_env.arena.analysis.ratings import Choices, fit_luce, rate
from ono99_env.arena.plan.line_ups import mixed_line_ups
from ono99_env.arena.plan.schedule import BLOCK_GAMES, Schedule
from ono99_env.arena.play.jobs import play_job
from ono99_env.arena.play.tally import TableTally
from ono99_env.arena.play.umpire import Umpire
from ono99_env.tables import Tables
from tests.arena.some_bots import Asked

LEAST_GROUPS = 30


def many_tournaments(names: list[str], num_players: int, count: int) -> list[TableTally]:
    """Many tournaments of the fewest rounds, played as one long one and cut into pieces."""
    bots = [load_bot(name) for name in names]
    line_ups = mixed_line_ups([f"bot {i}" for i in range(len(bots))], num_players, 5000, seed=6)
    long = Schedule(num_players, tuple(line_ups), count * LEAST_GROUPS, 1)
    umpire = Umpire()
    tables = Tables(Rules(num_players=num_players), bots, BLOCK_GAMES, ask=umpire)
    whole = TableTally(long)
    for job in long.cut(0, 0):
        whole.add(play_job(tables, umpire, line_ups[job.line_up], job))
    pieces = [TableTally(replace(long, num_groups=LEAST_GROUPS)) for _ in range(count)]
    for piece, wins in zip(pieces, np.split(whole.wins, count), strict=True):
        piece.wins = wins
    return pieces


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "num_players"),
    [
        (["random", "random"], 2),
        (["random", "random", "random"], 3),
        (["random", "highest"], 4),
    ],
)
def test_intervals_cover_the_truth_as_often_as_they_say(names, num_players):
    count = 500
    pieces = many_tournaments(names, num_players, count)
    rows = [figures(each, each.schedule.cell_bots == 0, 0.95).estimate for each in pieces]
    pairs = [compare(each, len(names), 0.95)[0] for each in pieces]
    are_equal = len(set(names)) == 1
    truth = 1 / num_players if are_equal else np.mean([row.mean for row in rows])
    gap = 0 if are_equal else np.mean([pair.difference for pair in pairs])
    four_errors = 4 * np.sqrt(0.95 * 0.05 / count)
    for intervals, target in (
        ([row.interval for row in rows], truth),
        ([pair.interval for pair in pairs], gap),
    ):
        covered = np.mean([low <= target <= high for low, high in intervals])
        assert covered == pytest.approx(0.95, abs=four_errors)
    false_alarms = np.mean([pair.p_value < 0.05 for pair in pairs])
    assert false_alarms == (pytest.approx(0.05, abs=four_errors) if are_equal else 1)


@pytest.mark.parametrize("share", [0.5, 0.25, 0.1])
@pytest.mark.parametrize("copies", [1, 2])
def test_fitting_gives_what_choix_gives(share, copies):
    rng = np.random.default_rng(3)
    seats = np.array([[copies, 1, 0], [1, 0, copies], [0, 1, 1], [1, 1, 1]])
    strengths = np.array([share, 1, 2])
    wins, choices = np.zeros(seats.shape), []
    for line_up, held in enumerate(seats):
        players = np.repeat(np.arange(3), held)
        chances = strengths[players] / strengths[players].sum()
        for winner in rng.choice(len(players), size=100, p=chances):
            wins[line_up, players[winner]] += 1
            choices.append((players[winner], np.delete(players, winner)))
    expected = choix.ilsr_top1(3, choices, alpha=0.1)
    assert fit_luce(seats.astype(float), wins) == pytest.approx(expected, abs=1e-6)


def test_strengths_are_found_and_a_bot_that_never_wins_has_a_rating():
    copies = np.array([[1.0, 1, 0], [0, 1, 1], [2, 0, 2]])
    strengths = np.array([1.0, 2, 4])
    chances = copies * strengths / (copies * strengths).sum(axis=1, keepdims=True)
    fitted = fit_luce(copies, 1e6 * chances)
    assert np.exp(fitted - fitted[0]) == pytest.approx(strengths, rel=1e-4)
    never = fit_luce(np.ones((1, 2)), np.array([[1000.0, 0]]))
    assert np.isfinite(never).all()
    assert never[0] - never[1] > 5


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
    both = combine(estimates, [0.5, 0.5], 0.95)
    assert both.mean == pytest.approx(0.4)
    assert both.stderr == pytest.approx(0.025)
    assert both.interval == pytest.approx((0.4 - 1.96 * 0.025, 0.4 + 1.96 * 0.025), abs=1e-4)
    assert combine(estimates[:1], [1.0], 0.95) == estimates[0]


@pytest.fixture(scope="module")
def played() -> Arena:
    arena = Arena(["highest", "random", Asked("asked")], players=4, games=20_000, seed=2)
    arena.play()
    return arena


@pytest.mark.slow
def test_the_same_policy_under_two_names_is_not_found_different(played):
    (table,) = played.tally.tables
    pairs = {pair.bots: pair for pair in compare(table, 3, 0.95)}
    assert pairs[0, 1].p_adjusted < 1e-6
    assert pairs[1, 2].p_adjusted < 1e-6
    same = pairs[0, 2]
    assert same.interval[0] < 0 < same.interval[1]
    assert same.p_adjusted > 0.01
    assert all(pair.p_value <= pair.p_adjusted for pair in pairs.values())
    first, second = pairs[0, 1].win_rates
    assert first - second == pytest.approx(pairs[0, 1].difference)


@pytest.mark.slow
def test_ratings_predict_the_win_rates(played):
    (table,) = played.tally.tables
    ratings = rate([table], 3, 0.95)
    values = np.array([rating.value for rating in ratings])
    assert values.sum() == pytest.approx(0, abs=1e-6)
    for rating in ratings:
        assert rating.interval[0] <= rating.value <= rating.interval[1]
    assert ratings[0].interval[0] > ratings[1].interval[1]
    choices = Choices.of(table, 3)
    strengths = choices.copies * 10 ** (values / 400)
    games = np.array([len(each.arrangements) for each in table.schedule.line_ups])
    weights = games / games.sum()
    predicted = (weights[:, None] * strengths / strengths.sum(axis=1, keepdims=True)).sum(axis=0)
    won = choices.wins().sum(axis=0) / choices.wins().sum()
    assert predicted == pytest.approx(won, abs=0.002)


@pytest.mark.slow
def test_scores_so_far_are_in_the_end_those_of_the_results(played):
    results = played.play()
    by_name = {row.name: row.score for row in results.bots}
    scores = standings(played.tally, 3)
    for name, (score,) in zip(played.setup.bots, scores, strict=True):
        assert score == pytest.approx(by_name[name])
    empty = Arena(["highest", "random"], players=4, games=1000).tally
    assert standings(empty, 2) == [[None], [None]]


@pytest.mark.slow
def test_the_variance_ratio_is_that_of_the_games(played):
    (table,) = played.tally.tables
    schedule = table.schedule
    row = figures(table, schedule.cell_bots == 0, 0.95)
    games = schedule.cell_games * schedule.cell_copies
    assert row.games == games[schedule.cell_bots == 0].sum() * schedule.rounds
    assert row.variance_ratio is not None
    # With independent deals a win rate of p varies by p(1 - p) a game, and less where copies of a
    # bot share a table.
    of_games = row.estimate.mean * (1 - row.estimate.mean) / row.games
    assert row.estimate.stderr**2 / row.variance_ratio < of_games
    assert 0.3 < row.variance_ratio < 1.1
    assert sum(row.seat_win_rates) / 4 == pytest.approx(row.estimate.mean)
