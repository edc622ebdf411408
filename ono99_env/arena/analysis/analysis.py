"""From counts to figures: win rates, places and points of every bot at one player count."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.analysis.intervals import Estimate, estimate_share
from ono99_env.arena.play.jobs import WHOLE_WIN
from ono99_env.arena.play.tally import TableTally, Tally


@dataclass(frozen=True)
class Figures:
    """How a bot fared at one player count. A game counts once for each seat that it held."""

    games: int
    estimate: Estimate
    """Win rate, over rounds; of a win that w seats share, 1/w counts."""
    mean_place: float
    """1 is first; seats that go out on the same play share the mean of their places."""
    mean_points: float
    """Points at the end of a match, in formats that have them."""
    forfeits: int
    seat_win_rates: tuple[float, ...]
    """Win rate in each seat."""
    variance_ratio: float | None
    """Variance of the win rate over that with as many games of independent deals; below 1,
    duplicate deals save games. None if the bot always wins or always loses."""


def figures(tally: TableTally, cells: NDArray[np.bool_], confidence: float) -> Figures:
    """The figures of a bot.

    Args:
        tally: The counts of a finished tournament at one player count.
        cells: The bot's cells, all or those of some line-ups; shape (cells,).
        confidence: How often the interval covers the truth.
    """
    schedule = tally.schedule
    seats = (schedule.cell_copies * schedule.cell_games)[cells].sum()
    games = int(seats) * schedule.rounds
    by_seat = tally.seat_wins[cells, : schedule.num_players].sum(axis=0)
    games_by_seat = games / schedule.num_players  # every bot has every seat equally often
    return Figures(
        games=games,
        estimate=_estimate(tally, cells, int(seats), confidence),
        mean_place=float(tally.places[cells].sum() / (2 * games)),
        mean_points=float(tally.points[cells].sum() / games),
        forfeits=int(tally.forfeits[cells].sum()),
        seat_win_rates=tuple((by_seat / (WHOLE_WIN * games_by_seat)).tolist()),
        variance_ratio=_variance_ratio(tally, cells),
    )


def combine(estimates: list[Estimate], weights: list[float], confidence: float) -> Estimate:
    """The weighted sum of independent estimates, with an interval from the normal distribution."""
    if len(estimates) == 1 and weights[0] == 1:
        return estimates[0]
    pairs = list(zip(estimates, weights, strict=True))
    mean = sum(weight * each.mean for each, weight in pairs)
    stderr = float(np.sqrt(sum((weight * each.stderr) ** 2 for each, weight in pairs)))
    margin = NormalDist().inv_cdf((1 + confidence) / 2) * stderr
    return Estimate(mean, stderr, (max(0.0, mean - margin), min(1.0, mean + margin)))


def _estimate(
    tally: TableTally, cells: NDArray[np.bool_], seats: int, confidence: float
) -> Estimate:
    """The win rate over groups of rounds, with Student's factor for their number."""
    from scipy.special import stdtrit

    group_games = seats * tally.schedule.rounds_per_group
    rates = tally.wins[:, cells].sum(axis=1) / (WHOLE_WIN * group_games)
    estimate = estimate_share(rates, confidence, group_games)
    quantile = (1 + confidence) / 2
    factor = float(stdtrit(len(rates) - 1, quantile)) / NormalDist().inv_cdf(quantile)
    low, high = (estimate.mean + factor * (end - estimate.mean) for end in estimate.interval)
    return Estimate(estimate.mean, estimate.stderr, (max(0.0, low), min(1.0, high)))


def _variance_ratio(tally: TableTally, cells: NDArray[np.bool_]) -> float | None:
    """The variance of a round's wins, over that of as many games with independent deals."""
    schedule = tally.schedule
    games = schedule.cell_games[cells]
    totals = tally.wins[:, cells].sum(axis=1) / WHOLE_WIN
    of_duplicates = totals.var(ddof=1) / schedule.rounds_per_group
    played = games * schedule.rounds
    means = tally.wins[:, cells].sum(axis=0) / (WHOLE_WIN * played)
    mean_squares = tally.squares[cells] / (WHOLE_WIN**2 * played)
    of_independent = float((games * (mean_squares - means**2)).sum())
    return float(of_duplicates) / of_independent if of_independent > 1e-12 else None


def standings(tally: Tally, num_bots: int) -> list[list[float | None]]:
    """Scores in an unfinished tournament, one for each bot and player count; None if not known."""
    scores: list[list[float | None]] = [[] for _ in range(num_bots)]
    for table in tally.tables:
        schedule = table.schedule
        rounds = table.rounds[schedule.cell_line_ups]
        seats = schedule.cell_copies * schedule.cell_games * rounds
        for bot in range(num_bots):
            cells = schedule.cell_bots == bot
            games, wins = int(seats[cells].sum()), int(table.wins[:, cells].sum())
            scores[bot].append(wins / WHOLE_WIN / games * schedule.num_players if games else None)
    return scores
