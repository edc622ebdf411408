"""Rate bots: estimate the strength of each in the choice model of Luce.

The ratings are the strengths at which the expected wins of each bot equal its observed wins: the
maximum-likelihood estimates, as in the Bradley-Terry model, which this model extends to more than
two players. Their covariance follows from that of the win rates over rounds by the delta method
(Oehlert, "A Note on the Delta Method", The American Statistician 46, 1992), so intervals hold even
if the model does not, and need no resampling.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.analysis.analysis import figures
from ono99_env.arena.analysis.intervals import Estimate, combine, student_quantile
from ono99_env.arena.analysis.luce import Expectation, at_mixed_tables, at_table
from ono99_env.arena.plan.schedule import Schedule
from ono99_env.arena.play.jobs import WHOLE_WIN
from ono99_env.arena.play.tally import ScheduleTally
from ono99_env.messages.extras import brought_by

ELO = 400 / log(10)
"""Rating points for a strength e times as large: 400 points are ten times the odds, as in chess."""

_SPREAD = 4.0
"""Standard deviation of the prior of the logarithms of strengths. It is so wide that it matters
only if a bot always wins or always loses, whose rating would be infinite."""


@dataclass(frozen=True)
class Rating:
    """The strength of a bot, in points relative to the mean of all bots of the tournament."""

    value: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Wins:
    """The observed wins of the bots."""

    mean: NDArray[np.float64]
    """Mean wins of all seats of each bot in a game, shape (bots,)."""
    covariance: NDArray[np.float64]
    """Covariance of these means, shape (bots, bots)."""


def rate(tallies: Sequence[ScheduleTally], confidence: float) -> list[Rating]:
    """Rate the bots by all games of a tournament; each schedule has the same weight.

    Args:
        tallies: The counts of all schedules.
        confidence: Probability that an interval covers the true value.
    """
    schedules = [each.schedule for each in tallies]
    estimates = [_estimates(each, confidence) for each in tallies]
    wins = [_observed(*pair) for pair in zip(tallies, estimates, strict=True)]
    mean = np.mean([each.mean for each in wins], axis=0)
    covariance = np.sum([each.covariance for each in wins], axis=0) / len(wins) ** 2
    doubt = 1 / (_SPREAD**2 * sum(each.games for each in schedules))
    fitted = fit(schedules, mean, doubt)
    # Ratings are relative to their mean: an error that all share does not count.
    slopes = expected_wins(schedules, fitted).slopes + doubt * np.eye(len(mean))
    response = np.linalg.solve(slopes, np.eye(len(mean)) - 1 / len(mean))
    stderrs = np.sqrt((response @ covariance @ response.T).diagonal().clip(0))
    ratings = []
    for value, stderr, *rows in zip(fitted, stderrs, *estimates, strict=True):
        freedom = combine([row for row in rows if row], confidence).freedom
        margin = student_quantile(confidence, freedom) * float(stderr)
        ends = ELO * (float(value) - margin), ELO * (float(value) + margin)
        ratings.append(Rating(ELO * float(value), ends))
    return ratings


def fit(
    schedules: Sequence[Schedule], wins: NDArray[np.float64], doubt: float
) -> NDArray[np.float64]:
    """Find the strengths at which the expected wins equal the observed ones.

    Args:
        schedules: The schedules played.
        wins: Wins of each bot in a game, the mean over the schedules; shape (bots,).
        doubt: Weight of the prior, which draws strengths towards their mean.

    Returns:
        Logarithms of the strengths, with mean 0; shape (bots,).
    """
    with brought_by("arena", "the arena"):
        from scipy.optimize import root

    def surplus(strengths: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        expected = expected_wins(schedules, strengths)
        slopes = expected.slopes + doubt * np.eye(len(wins))
        return expected.wins + doubt * strengths - wins, slopes

    found = root(surplus, np.zeros(len(wins)), jac=True, tol=1e-13).x
    return np.asarray(found - found.mean())


def expected_wins(schedules: Sequence[Schedule], strengths: NDArray[np.float64]) -> Expectation:
    """Return the expected wins, averaged over some schedules."""
    parts = [_expected(schedule, strengths) for schedule in schedules]
    return Expectation(
        np.mean([each.wins for each in parts], axis=0),
        np.mean([each.slopes for each in parts], axis=0),
    )


def _estimates(tally: ScheduleTally, confidence: float) -> list[Estimate | None]:
    """Return the win rate of each bot in a schedule; None if it does not sit there."""
    rows = [figures(tally, bot, confidence) for bot in range(tally.schedule.line_ups.num_bots)]
    return [row.estimate if row else None for row in rows]


def _observed(tally: ScheduleTally, estimates: Sequence[Estimate | None]) -> Wins:
    """Return the wins of each bot in a game, scaled to its expected number of seats."""
    moments = tally.moments
    rates = np.array([each.mean if each else 0.0 for each in estimates])
    crossed = moments.wins_times_other_seats / WHOLE_WIN * rates
    joint = moments.joint_wins / WHOLE_WIN**2 - crossed - crossed.T
    joint += np.outer(rates, rates) * moments.joint_seats
    seats = np.maximum(1, moments.seats.diagonal())
    covariance = joint / np.outer(seats, seats)
    np.fill_diagonal(covariance, [each.stderr**2 if each else 0.0 for each in estimates])
    held = _seats_of_a_game(tally.schedule)
    mean = rates * held
    mean += (held > 0) * (1 - mean.sum()) / (held > 0).sum()  # every game has one win
    return Wins(mean, covariance * np.outer(held, held))


def _expected(schedule: Schedule, strengths: NDArray[np.float64]) -> Expectation:
    if schedule.line_ups.table is None:
        return at_mixed_tables(strengths, schedule.num_players)
    return at_table(strengths, _seats_of_a_game(schedule))


def _seats_of_a_game(schedule: Schedule) -> NDArray[np.float64]:
    """Return the mean number of seats of each bot in a game, shape (bots,)."""
    line_ups = schedule.line_ups
    if line_ups.table is None:
        return np.full(line_ups.num_bots, line_ups.num_players / line_ups.num_bots)
    return np.bincount(line_ups.table[0], minlength=line_ups.num_bots).astype(np.float64)
