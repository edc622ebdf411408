"""Playing a job: some rounds of one line-up, side by side."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.plan.line_ups import LineUp
from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.play.umpire import Umpire
from ono99_env.jit.types import States
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.tables.tables import Tables

WHOLE_WIN = 840
"""A win is counted in whole 840ths, which every number of winners up to eight divides."""


@dataclass(frozen=True)
class Outcome:
    """What a job gave. Whole numbers only: their sums do not depend on any order."""

    job: Job
    wins: NDArray[np.int64]
    """840ths of wins of each bot of the line-up in each round, shape (rounds, bots)."""
    squares: NDArray[np.int64]
    """Sum over the games of the squared 840ths of each bot, shape (bots,)."""
    seat_wins: NDArray[np.int64]
    """840ths of wins of each bot in each seat, shape (bots, 8)."""
    places: NDArray[np.int64]
    """Twice the sum of the places of each bot, shape (bots,)."""
    points: NDArray[np.int64]
    """Sum of the points of each bot, shape (bots,)."""
    forfeits: NDArray[np.int64]
    """Games that each bot forfeited, shape (bots,)."""
    failures: dict[str, str]
    """What each bot that failed did first, by its name."""


def play_job(tables: Tables, umpire: Umpire, line_up: LineUp, job: Job) -> Outcome:
    """Play a job; what it gives follows from the line-up and the job alone.

    Args:
        tables: Tables with the rules and bots of the tournament, enough of them for the job.
        umpire: The one that asks the bots of these tables.
        line_up: The line-up of the job.
        job: Which rounds.

    Raises:
        BotError: If a bot fails and the umpire does not let it forfeit the game.
    """
    umpire.failures.clear()
    playing = _deal(tables, line_up, job)
    num_players = line_up.arrangements.shape[1]
    games = tables.games[playing]
    holders = tables.holders[playing, :num_players]
    shares = win_840ths(games)[:, :num_players]
    points = games["points"][:, :num_players].astype(np.int64)
    values = {
        "places": doubled_places(tables.survivors[playing, :num_players], points),
        "points": points,
        "forfeits": (tables.forfeited[playing, None] == np.arange(num_players)).astype(np.int64),
    }
    held = holders == np.array(line_up.bots)[:, None, None]
    own = np.einsum("bgs,gs->bg", held, shares)
    seat_wins = np.zeros((len(line_up.bots), MAX_PLAYERS), np.int64)
    seat_wins[:, :num_players] = np.einsum("bgs,gs->bs", held, shares)
    return Outcome(
        job=job,
        wins=own.reshape(len(own), job.num_rounds, -1).sum(axis=2).T,
        squares=(own**2).sum(axis=1),
        seat_wins=seat_wins,
        **{name: np.einsum("bgs,gs->b", held, value) for name, value in values.items()},
        failures=dict(umpire.failures),
    )


def _deal(tables: Tables, line_up: LineUp, job: Job) -> NDArray[np.int64]:
    """Deal the rounds of the job in every arrangement, and play them to the end."""
    num_arrangements, num_players = line_up.arrangements.shape
    count = job.num_rounds * num_arrangements
    rng = np.random.default_rng([line_up.key, job.first_round])
    tables.seed(int(rng.integers(2**63)))
    rounds = np.arange(job.first_round, job.first_round + job.num_rounds)
    deals = rounds[:, None] * (line_up.deals.max() + 1) + line_up.deals
    holders = np.zeros((num_arrangements, MAX_PLAYERS), np.int8)
    holders[:, :num_players] = line_up.arrangements
    playing = np.arange(count)
    tables.deal(
        playing,
        np.full(count, num_players),
        deals.ravel().astype(np.uint64) + np.uint64(line_up.key),
        np.tile(holders, (job.num_rounds, 1)),
    )
    return playing


def win_840ths(games: States) -> NDArray[np.int64]:
    """What each seat has of the win in 840ths, shape (games, 8): winners share it."""
    has_won = games["in_match"].astype(np.int64)[:, None] >> np.arange(MAX_PLAYERS) & 1
    return np.asarray(has_won * (WHOLE_WIN // has_won.sum(axis=1, keepdims=True)))


def doubled_places(survivors: NDArray[np.int8], points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Twice the place of each seat, shape (games, seats): 2 for the first, 4 for the second.

    The first out is last, and the winners share the first places. Seats that go out on the same
    play are ranked by their points, fewer before more; where these are equal, as they always are in
    formats without points, they share the mean of their places.

    Args:
        survivors: See `Tables.survivors`; shape (games, seats).
        points: Points at the end, each below 2**15; same shape.
    """
    ranks = survivors.astype(np.int64) * 2**15 + np.where(survivors == 0, 0, points)
    before = np.sum(ranks[:, None, :] < ranks[:, :, None], axis=2)
    equal = np.sum(ranks[:, None, :] == ranks[:, :, None], axis=2)
    return np.asarray(2 * before + equal + 1)
