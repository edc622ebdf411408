"""Intervals cover the truth as often as they say, wherever the luck comes from.

The long form is ``python -m benchmarks.coverage``.
"""

import numpy as np
import pytest

from benchmarks.coverage import Regime, compiled_coverage, stand_in_coverage
from benchmarks.stand_in import play_stand_in, truth_of
from ono99_env.arena.plan.tournament_setup import TournamentSetup

FEW_TABLES, MANY_TABLES = Regime(3, 4, 1080), Regime(7, 4, 2604)
NOT_ALL_LINE_UPS, RARE_PAIRS = Regime(7, 6, 2600), Regime(12, 2, 4000)


@pytest.mark.slow
@pytest.mark.parametrize("regime", [FEW_TABLES, MANY_TABLES, NOT_ALL_LINE_UPS, RARE_PAIRS])
@pytest.mark.parametrize(("confidence", "tolerance"), [(0.95, 0.02), (0.99, 0.01)])
def test_intervals_cover_the_truth_as_often_as_they_say(regime, confidence, tolerance):
    covered = stand_in_coverage(regime, confidence, range(150))
    for share in (covered.win_rates, covered.pairs, covered.ratings):
        assert share == pytest.approx(confidence, abs=tolerance)


@pytest.mark.slow
def test_intervals_of_compiled_bots_cover_the_truth_too():
    names = ("counter", "highest", "hoarder", "lowest", "random", "smooth", "tiers")
    covered = compiled_coverage(names, 4, 2604, 0.95, range(100))
    for share in (covered.win_rates, covered.pairs, covered.ratings):
        assert share == pytest.approx(0.95, abs=0.025)


def test_equals_are_found_different_as_rarely_as_p_values_say():
    alarms = []
    for seed in range(400):
        setup = TournamentSetup(bots=("a", "b", "c"), players=(3,), games=300, seed=seed)
        (count,) = play_stand_in([0.0, 0.0, 0.0], setup).players
        alarms += [pair.p_value < 0.05 for pair in count.pairs]
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.02)


def test_figures_approach_the_truth_whatever_the_number_of_players():
    strengths, names = [-0.5, 0.0, 0.2, 0.9], ("a", "b", "c", "d")
    setup = TournamentSetup(bots=names, players=(2, 4, 6), games=60_000)
    results = play_stand_in(strengths, setup)
    for count in results.players:
        truth = truth_of(strengths, names, count.num_players)
        for bot in count.bots:
            assert bot.win_rate == pytest.approx(truth.win_rates[bot.name], abs=0.01)
        for pair in count.pairs:
            assert pair.difference == pytest.approx(truth.differences[pair.bots], abs=0.015)
        assert sum(bot.score for bot in count.bots) == pytest.approx(4, abs=0.05)
    for rated in results.bots:
        assert rated.rating == pytest.approx(truth.ratings[rated.name], abs=8)
