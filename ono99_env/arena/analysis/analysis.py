"""Turn the counts of a tournament into win rates, places and points of every bot."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ono99_env.arena.analysis.intervals import Estimate, RateSums, combine, estimate_rate
from ono99_env.arena.analysis.moments import Moments
from ono99_env.arena.play.jobs import WHOLE_WIN
from ono99_env.arena.play.tally import ScheduleTally, Tally


@dataclass(frozen=True)
class Figures:
    """The figures of a bot in one schedule or several. A game counts once for each of its seats."""

    games: int
    estimate: Estimate
    """Win rate, estimated over rounds; a win shared by w seats counts 1/w."""
    score: float
    """Win rate times the number of players: 1 is parity."""
    mean_place: float
    """1 is first; equal seats share the mean of their places."""
    mean_points: float
    """Points at the end of a match, in formats that have them."""
    forfeits: int
    seat_win_rates: tuple[float, ...]
    """Win rate in each seat; empty over tables of several sizes."""
    variance_of_rounds: float
    """Variance of its wins, estimated from the rounds."""
    variance_of_games: float
    """Variance that its wins would have if each game had its own table and its own deal."""


def figures(tally: ScheduleTally, bot: int, confidence: float) -> Figures | None:
    """Return the figures of a bot in one schedule; None if it does not sit there.

    Args:
        tally: The counts of a finished schedule.
        bot: The index of the bot.
        confidence: Probability that the interval covers the true value.
    """
    sums = sums_of(tally.moments, bot, bot)
    if not sums.seats:
        return None
    num_players = tally.schedule.num_players
    rate = sums.wins / sums.seats
    # It has each seat equally often in a round, and so in all.
    by_seat = tally.seat_wins[bot, :num_players] * (num_players / (WHOLE_WIN * sums.seats))
    squares = float(tally.squares[bot]) / WHOLE_WIN**2
    # Its seats in one game are those in the round divided by the number of games.
    paired = (2 * rate * sums.wins_times_seats - rate**2 * sums.squared_seats) / num_players
    return Figures(
        games=sums.seats,
        estimate=estimate_rate(sums, confidence),
        score=rate * num_players,
        mean_place=float(tally.places[bot] / (2 * sums.seats)),
        mean_points=float(tally.points[bot] / sums.seats),
        forfeits=int(tally.forfeits[bot]),
        seat_win_rates=tuple(by_seat.tolist()),
        variance_of_rounds=sums.residual(rate) * sums.rounds / max(1, sums.rounds - 1),
        variance_of_games=squares - paired,
    )


def combined_figures(rows: Sequence[Figures], confidence: float) -> Figures:
    """Average the figures of a bot over several schedules, each with the same weight."""
    seat_rates = [row.seat_win_rates for row in rows]
    is_even = len({len(rates) for rates in seat_rates}) == 1
    return Figures(
        games=sum(row.games for row in rows),
        estimate=combine([row.estimate for row in rows], confidence),
        score=float(np.mean([row.score for row in rows])),
        mean_place=float(np.mean([row.mean_place for row in rows])),
        mean_points=float(np.mean([row.mean_points for row in rows])),
        forfeits=sum(row.forfeits for row in rows),
        seat_win_rates=tuple(np.mean(seat_rates, axis=0).tolist()) if is_even else (),
        variance_of_rounds=sum(row.variance_of_rounds for row in rows),
        variance_of_games=sum(row.variance_of_games for row in rows),
    )


def variance_ratio(row: Figures) -> float | None:
    """Return the variance of the win rate divided by that of as many independent games.

    Below 1, duplicate deals save games. None if the bot always wins or always loses.
    """
    # Rounding leaves a tiny variance where there is none.
    has_luck = row.variance_of_games > 1e-9 * row.games
    return row.variance_of_rounds / row.variance_of_games if has_luck else None


def sums_of(moments: Moments, bot: int, other: int) -> RateSums:
    """Return the sums of a bot over the rounds in which another bot, or itself, sits too."""
    where = bot, other
    return RateSums(
        rounds=int(moments.rounds[where]),
        wins=int(moments.wins[where]) / WHOLE_WIN,
        seats=int(moments.seats[where]),
        squared_wins=int(moments.squared_wins[where]) / WHOLE_WIN**2,
        wins_times_seats=int(moments.wins_times_seats[where]) / WHOLE_WIN,
        squared_seats=int(moments.squared_seats[where]),
    )


def standings(tally: Tally, num_players: int) -> list[float | None]:
    """Return the score so far of each bot at a player count; None if it has not played yet."""
    counts = [each for each in tally.schedules if each.schedule.num_players == num_players]
    wins = np.sum([each.moments.wins.diagonal() for each in counts], axis=0) / WHOLE_WIN
    seats = np.sum([each.moments.seats.diagonal() for each in counts], axis=0)
    return [
        float(won / held * num_players) if held else None
        for won, held in zip(wins, seats, strict=True)
    ]
