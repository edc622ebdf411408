"""Compare every pair of bots at the tables where both sit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt

import numpy as np

from ono99_env.arena.analysis.analysis import sums_of
from ono99_env.arena.analysis.intervals import student_quantile
from ono99_env.arena.analysis.moments import Moments
from ono99_env.arena.play.jobs import WHOLE_WIN
from ono99_env.arena.play.tally import ScheduleTally
from ono99_env.messages.extras import brought_by

_ADDED = 0.1
"""Games that each bot is given. More makes the intervals of pairs that seldom meet too wide."""


@dataclass(frozen=True)
class Comparison:
    """Two bots at the tables where both sit."""

    bots: tuple[int, int]
    games: int
    """Games in which both sat."""
    win_rates: tuple[float, float]
    """Wins per seat of each."""
    difference: float
    """The first win rate minus the second."""
    interval: tuple[float, float]
    """Confidence interval of the difference, over rounds."""
    p_value: float
    """Probability of so large a difference between equal bots (Student's t, two-sided)."""
    p_adjusted: float
    """`p_value`, corrected for the number of pairs at this player count (Holm)."""


def compare(tallies: Sequence[ScheduleTally], confidence: float) -> list[Comparison]:
    """Compare all pairs of bots that meet.

    Both bots get the same cards equally often, so their difference is far less noisy than their win
    rates.

    Args:
        tallies: The counts of the schedules at one player count, in each of which other bots meet.
        confidence: Probability that an interval covers the true value.
    """
    pairs = []
    for tally in tallies:
        for bots in combinations(range(tally.schedule.line_ups.num_bots), 2):
            if tally.moments.rounds[bots]:
                pair = _compare_pair(tally.moments, bots, confidence)
                games = pair.games * tally.schedule.num_players
                pairs.append(replace(pair, games=games))
    adjusted = holm([pair.p_value for pair in pairs])
    return [
        replace(pair, p_adjusted=p_adjusted)
        for pair, p_adjusted in zip(pairs, adjusted, strict=True)
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values so that the chance of any false alarm stays below the level (Holm).

    Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6 (1979).
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    steps = np.maximum.accumulate(np.asarray(p_values)[order] * factors)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(steps, 1)
    return [float(value) for value in adjusted]


def _compare_pair(moments: Moments, bots: tuple[int, int], confidence: float) -> Comparison:
    """Compare two bots over the rounds in which both sit.

    A small part of a game won by each bot is added, so that a few rounds that all ended alike still
    give a wide interval, as in `estimate_rate`. For the same reason no p-value is below that of a
    sign test in which every round favours the same bot.
    """
    with brought_by("arena", "the arena"):
        from scipy.special import stdtr

    first, second = (sums_of(moments, *order) for order in (bots, bots[::-1]))
    rates = first.wins / first.seats, second.wins / second.seats
    difference = rates[0] - rates[1]
    added = _ADDED / min(first.seats_of_a_round, second.seats_of_a_round)
    weight = first.rounds + 2 * added
    center = difference * first.rounds / weight
    squares = (
        _squared_differences(moments, bots, rates)
        + first.rounds * (difference - center) ** 2
        + added * ((1 - center) ** 2 + (1 + center) ** 2)
    )
    stderr = sqrt(squares / (weight - 1) / weight)
    freedom = first.rounds - 1
    margin = student_quantile(confidence, freedom) * stderr
    ends = max(-1.0, min(difference, center - margin)), min(1.0, max(difference, center + margin))
    of_student = 2 * float(stdtr(freedom, -abs(center) / stderr)) if freedom else 1.0
    p_value = max(of_student, 2.0 ** (1 - first.rounds))
    return Comparison(bots, first.rounds, rates, difference, ends, p_value, p_value)


def _squared_differences(
    moments: Moments, bots: tuple[int, int], rates: tuple[float, float]
) -> float:
    """Sum the squares, over rounds, of the difference between the residuals of two bots.

    A residual is what a bot wins in a round beyond its rate, divided by its mean number of seats.
    """
    first, second = (sums_of(moments, *order) for order in (bots, bots[::-1]))
    sizes = first.seats_of_a_round, second.seats_of_a_round
    joint = (
        moments.joint_wins[bots] / WHOLE_WIN**2
        - rates[1] * moments.wins_times_other_seats[bots] / WHOLE_WIN
        - rates[0] * moments.wins_times_other_seats[bots[::-1]] / WHOLE_WIN
        + rates[0] * rates[1] * moments.joint_seats[bots]
    )
    own = first.residual(rates[0]) / sizes[0] ** 2 + second.residual(rates[1]) / sizes[1] ** 2
    return max(0.0, float(own - 2 * joint / (sizes[0] * sizes[1])))
