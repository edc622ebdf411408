"""Intervals cover the truth as often as they say."""

import numpy as np
import pytest

from ono99_env.arena.analysis.intervals import estimate_share


def test_mean_and_standard_error_are_those_of_the_deals():
    shares = np.random.default_rng(0).random(10_000)
    estimate = estimate_share(shares, 0.95)
    assert estimate.mean == pytest.approx(shares.mean())
    assert estimate.stderr == pytest.approx(shares.std() / 100, rel=1e-3)
    assert estimate.interval == pytest.approx(
        (shares.mean() - 1.96 * estimate.stderr, shares.mean() + 1.96 * estimate.stderr), abs=1e-4
    )


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_equal_deals_leave_doubt(value):
    low, high = estimate_share(np.full(50, value), 0.95).interval
    assert low <= value <= high
    # The rule of three: after 50 equal trials the truth may still be 3/50 away.
    assert high - low == pytest.approx(3 / 50, rel=0.2)


@pytest.mark.parametrize("confidence", [0.1, 0.5, 0.9, 0.999])
def test_an_interval_holds_the_mean_and_stays_within_its_bounds(confidence):
    rng = np.random.default_rng(1)
    for deals in (1, 2, 3, 30):
        estimate = estimate_share(rng.integers(2, size=deals).astype(float), confidence)
        low, high = estimate.interval
        assert 0 <= low <= estimate.mean <= high <= 1


def test_more_confidence_is_a_wider_interval():
    shares = np.random.default_rng(2).random(100)
    widths = [np.ptp(estimate_share(shares, level).interval) for level in (0.5, 0.9, 0.95, 0.99)]
    assert widths == sorted(widths)


@pytest.mark.parametrize("share", [0.5, 0.25, 0.1, 0.02])
@pytest.mark.parametrize("deals", [20, 400])
def test_coverage_for_independent_wins(share, deals):
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(2000):
        low, high = estimate_share(rng.binomial(1, share, deals).astype(float), 0.95).interval
        covered += low <= share <= high
    assert covered / 2000 > (0.90 if share * deals < 10 else 0.93)


@pytest.mark.parametrize("confidence", [0, 1, -1, 95])
def test_impossible_confidence_is_refused(confidence):
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        estimate_share(np.ones(3), confidence)


def test_no_deal_is_refused():
    with pytest.raises(ValueError, match="at least one deal"):
        estimate_share(np.ones(0), 0.95)
