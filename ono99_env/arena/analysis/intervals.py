"""Compute confidence intervals of means over deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ono99_env.messages.extras import brought_by


@dataclass(frozen=True)
class Estimate:
    """A mean over deals, with its uncertainty."""

    mean: float
    stderr: float
    """Standard error of the mean."""
    interval: tuple[float, float]
    """Lower and upper end of the confidence interval."""
    freedom: float = inf
    """Degrees of freedom of `stderr`, for Student's t; infinite for the normal distribution."""


@dataclass(frozen=True)
class RateSums:
    """Sums over the rounds in which a bot sat; the number of its seats differs from round to round.

    *Wins* and *seats* of a round are those over all its games.
    """

    rounds: int
    wins: float
    seats: int
    squared_wins: float
    wins_times_seats: float
    squared_seats: int

    @property
    def seats_of_a_round(self) -> float:
        """Return the mean number of seats in a round."""
        return self.seats / self.rounds

    def residual(self, rate: float) -> float:
        """Sum the squares of the wins of each round beyond a rate per seat."""
        cross = 2 * rate * self.wins_times_seats
        return max(0.0, self.squared_wins - cross + rate**2 * self.squared_seats)


def estimate_share(
    shares: NDArray[np.float64], confidence: float, games_per_deal: int = 1
) -> Estimate:
    """Estimate a mean share of wins from independent deals.

    The interval is the mean plus or minus the normal quantile times the standard error, computed
    with one lost and one won game added to those played. With thousands of deals this makes no
    difference. It keeps the interval wide enough when few deals were played or all ended alike (the
    idea of Agresti and Coull, The American Statistician 52, 1998).

    Args:
        shares: The mean share in the wins of each deal, from 0 to 1, shape (deals,).
        confidence: Probability that the interval covers the true value, between 0 and 1.
        games_per_deal: How many games each deal was played.

    Raises:
        ValueError: If there is no deal or `confidence` is not between 0 and 1.
    """
    if len(shares) == 0:
        raise ValueError("an interval needs at least one deal")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    values = np.append(shares, [0.0, 1.0])
    weights = np.append(np.ones(len(shares)), [1 / games_per_deal] * 2)
    center = float(np.average(values, weights=weights))
    variance = weights @ (values - center) ** 2 / (weights.sum() - 1)
    stderr = float(np.sqrt(variance / weights.sum()))
    margin = NormalDist().inv_cdf((1 + confidence) / 2) * stderr
    mean = float(shares.mean())
    low, high = max(0.0, center - margin), min(1.0, center + margin)
    return Estimate(mean, stderr, (min(low, mean), max(high, mean)))


def estimate_rate(sums: RateSums, confidence: float) -> Estimate:
    """Estimate wins per seat from independent rounds.

    The rate is a ratio of two sums that both vary, and its standard error is that of a ratio
    (Cochran, *Sampling Techniques*, 3rd edition, 1977, section 6.3), with Student's quantile. As in
    `estimate_share`, one lost and one won seat are added.

    Args:
        sums: The sums over the rounds.
        confidence: Probability that the interval covers the true value, between 0 and 1.
    """
    size = sums.seats_of_a_round
    center = (sums.wins + 1) / (sums.seats + 2)
    added = (center**2 + (1 - center) ** 2) / size
    weight = sums.rounds + 2 / size
    variance = (sums.residual(center) / size**2 + added) / (weight - 1)
    stderr = sqrt(variance / weight)
    margin = student_quantile(confidence, sums.rounds - 1) * stderr
    mean = sums.wins / sums.seats
    low, high = max(0.0, center - margin), min(1.0, center + margin)
    return Estimate(mean, stderr, (min(low, mean), max(high, mean)), sums.rounds - 1)


def binomial_intervals(
    rates: NDArray[np.float64], games: float, confidence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return intervals of win rates over independent games.

    Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22 (1927).

    Args:
        rates: Win rates, any shape.
        games: How many games each is over.
        confidence: Probability that an interval covers the true value, between 0 and 1.

    Returns:
        The lower and the upper ends, shaped as the rates.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    center = (rates + z**2 / (2 * games)) / (1 + z**2 / games)
    half = z / (1 + z**2 / games) * np.sqrt(rates * (1 - rates) / games + (z / (2 * games)) ** 2)
    return np.maximum(center - half, 0.0), np.minimum(center + half, 1.0)


def combine(estimates: Sequence[Estimate], confidence: float) -> Estimate:
    """Average independent estimates.

    Its degrees of freedom are those of Welch and Satterthwaite (Biometrics Bulletin 2, 1946).

    Args:
        estimates: The estimates, each with the same weight.
        confidence: Probability that the interval covers the true value, between 0 and 1.
    """
    if len(estimates) == 1:
        return estimates[0]
    count = len(estimates)
    mean = sum(each.mean for each in estimates) / count
    variance = sum(each.stderr**2 for each in estimates)
    spread = sum(each.stderr**4 / each.freedom if each.freedom else inf for each in estimates)
    freedom = variance**2 / spread if spread else inf
    stderr = sqrt(variance) / count
    margin = student_quantile(confidence, freedom) * stderr
    return Estimate(mean, stderr, (max(0.0, mean - margin), min(1.0, mean + margin)), freedom)


def student_quantile(confidence: float, freedom: float) -> float:
    """Return the half width of an interval, in standard errors.

    Args:
        confidence: Probability that it covers the true value, between 0 and 1.
        freedom: Degrees of freedom; below 1 nothing is known, and the half width is infinite.
    """
    with brought_by("arena", "the arena"):
        from scipy.special import stdtrit

    if freedom < 1:
        return inf
    quantile = (1 + confidence) / 2
    if freedom == inf:
        return NormalDist().inv_cdf(quantile)
    return float(stdtrit(freedom, quantile))
