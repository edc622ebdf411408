"""Tournaments of stand-in games, whose truth is known: they test the arena's figures.

The tables, jobs, counts and figures are those of the arena; only the games are replaced. A seat
wins in proportion to the strength of its bot (Luce's choice model), and luck belongs in part to the
deal: then a seat has it in all games of the round, as a good hand would be.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

import numpy as np

from ono99_env.arena.analysis.ratings import ELO
from ono99_env.arena.analysis.results import Results
from ono99_env.arena.plan.line_ups import LineUps, mixed_line_ups
from ono99_env.arena.plan.schedule import Job, Schedule
from ono99_env.arena.plan.tournament_setup import TournamentSetup
from ono99_env.arena.play.jobs import WHOLE_WIN, Outcome
from ono99_env.arena.play.tally import Tally
from ono99_env.rules.cards import MAX_PLAYERS

_FROM_THE_DEAL = 0.6
"""How many games are decided by the luck of the deal; the others have luck of their own."""


@dataclass(frozen=True)
class Truth:
    """What the figures of a tournament estimate."""

    win_rates: dict[str, float]
    differences: dict[tuple[str, str], float]
    """By pair: at the tables where both sit, the first win rate less the second."""
    ratings: dict[str, float]


def play_stand_in(strengths: Sequence[float], setup: TournamentSetup) -> Results:
    """Play a mixed tournament of stand-in games.

    Args:
        strengths: Logarithm of the strength of each bot.
        setup: What to play; its bots are in the order of their names.
    """
    all_line_ups = [
        mixed_line_ups(setup.bots, count, setup.games, setup.seed) for count in setup.players
    ]
    schedules = tuple(Schedule.of(line_ups, setup.games) for line_ups in all_line_ups)
    jobs: list[Job] = []
    for index, schedule in enumerate(schedules):
        jobs += schedule.cut(index, len(jobs))
    tally = Tally(schedules, len(jobs))
    for job in jobs:
        tally.add(_play(np.asarray(strengths), all_line_ups[job.schedule], job))
    return Results.of(setup, tally)


def truth_of(strengths: Sequence[float], names: Sequence[str], num_players: int) -> Truth:
    """Return what the figures of such tournaments estimate, from all possible tables.

    Args:
        strengths: Logarithm of the strength of each bot.
        names: The bots.
        num_players: Seats at a table.
    """
    weights = np.exp(strengths)
    wins = np.zeros((len(names), len(names)))
    seats = np.zeros_like(wins)
    for copies, chance in _tables(len(names), num_players):
        own = np.outer(copies, copies > 0) * chance
        seats += own
        wins += own * (weights / (copies @ weights))[:, None]
    rates = wins / seats
    values = ELO * (np.asarray(strengths) - np.mean(strengths))
    pairs = combinations(range(len(names)), 2)
    return Truth(
        dict(zip(names, rates.diagonal().tolist(), strict=True)),
        {(names[a], names[b]): float(rates[a, b] - rates[b, a]) for a, b in pairs},
        dict(zip(names, values.tolist(), strict=True)),
    )


def _tables(num_bots: int, num_players: int) -> Iterator[tuple[np.ndarray, float]]:
    """Return the seats of each bot at each table of two or more bots, and the table's chance."""
    played = 1 - float(num_bots) ** (1 - num_players)
    for bots in combinations_with_replacement(range(num_bots), num_players):
        copies = Counter(bots)
        if len(copies) > 1:
            orders = factorial(num_players) / prod(map(factorial, copies.values()))
            seats = np.array([copies[bot] for bot in range(num_bots)])
            yield seats, orders / num_bots**num_players / played


def _play(strengths: np.ndarray, line_ups: LineUps, job: Job) -> Outcome:
    holders = line_ups.arrange(job.first_round, job.num_rounds)
    rng = np.random.default_rng([line_ups.key, job.first_round])
    # The largest of values with Gumbel noise is chosen as Luce's model says (Yellott, 1977).
    own, of_deal = rng.gumbel(size=holders.shape), rng.gumbel(size=holders[:, :1].shape)
    is_of_deal = rng.random(holders.shape[:2])[:, :, None] < _FROM_THE_DEAL
    winners = (strengths[holders] + np.where(is_of_deal, of_deal, own)).argmax(axis=2)
    held = holders[..., None] == np.arange(line_ups.num_bots)
    won = held & (np.arange(line_ups.num_players) == winners[..., None])[..., None]
    games = WHOLE_WIN * won.sum(axis=2)
    seat_wins = np.zeros((line_ups.num_bots, MAX_PLAYERS), np.int64)
    seat_wins[:, : line_ups.num_players] = WHOLE_WIN * won.sum(axis=(0, 1)).T
    nothing = np.zeros(line_ups.num_bots, np.int64)
    return Outcome(
        job=job,
        wins=games.sum(axis=1),
        seats=held.sum(axis=(1, 2)),
        squares=(games**2).sum(axis=(0, 1)),
        seat_wins=seat_wins,
        places=nothing,
        points=nothing,
        forfeits=nothing,
        failures={},
    )
