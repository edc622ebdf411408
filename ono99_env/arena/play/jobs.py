"""Play a job: some rounds, side by side."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.plan.line_ups import LineUps
from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.play.umpire import Umpire
from ono99_env.jit.types import States
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.tables.tables import Tables

WHOLE_WIN = 840
"""The win of a game, in 840ths: every number of winners up to eight divides it."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a job, in whole numbers, so that sums do not depend on any order."""

    job: Job
    wins: NDArray[np.int64]
    """840ths of wins of each bot in each round, shape (rounds, bots)."""
    seats: NDArray[np.int64]
    """Seats that each bot held in each round, over all games of it; shape (rounds, bots)."""
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
    """The first failure of each bot that failed, by its name."""


def play_job(tables: Tables, umpire: Umpire, line_ups: LineUps, job: Job) -> Outcome:
    """Play a job; its outcome depends only on the line-ups, the rules, the bots and the job.

    Args:
        tables: Tables with the rules and bots of the tournament, enough of them for the job.
        umpire: Asks the bots of these tables.
        line_ups: The bot in each seat.
        job: Which rounds.

    Raises:
        BotError: If a bot fails and the umpire does not let it forfeit the game.
    """
    umpire.failures.clear()
    rows = _deal(tables, line_ups, job)
    num_players = line_ups.num_players
    holders = tables.holders[rows, :num_players]
    shares = win_840ths(tables.games[rows])[:, :num_players]
    points = tables.games["points"][rows, :num_players].astype(np.int64)
    values = {
        "places": doubled_places(tables.survivors[rows, :num_players], points),
        "points": points,
        "forfeits": (tables.forfeited[rows, None] == np.arange(num_players)).astype(np.int64),
    }
    by_bot = _Sums(holders, line_ups.num_bots)
    own = by_bot.of_games(shares)
    seat_wins = np.zeros((line_ups.num_bots, MAX_PLAYERS), np.int64)
    seat_wins[:, :num_players] = by_bot.of_seats(shares)
    return Outcome(
        job=job,
        wins=_of_rounds(own, job),
        seats=_of_rounds(by_bot.of_games(np.ones_like(shares)), job),
        squares=(own**2).sum(axis=0),
        seat_wins=seat_wins,
        **{name: by_bot.of_seats(value).sum(axis=1) for name, value in values.items()},
        failures=dict(umpire.failures),
    )


class _Sums:
    """Sums of whole numbers, one for each seat of each game, by the bot that holds the seat.

    Args:
        holders: The bot in each seat, shape (games, seats).
        num_bots: How many bots there are.
    """

    def __init__(self, holders: NDArray[np.int8], num_bots: int) -> None:
        games, seats = holders.shape
        bots = holders.astype(np.int64)
        self._game_cells = (np.arange(games)[:, None] * num_bots + bots).ravel()
        self._seat_cells = (bots * seats + np.arange(seats)).ravel()
        self._of_games, self._of_seats = (games, num_bots), (num_bots, seats)

    def of_games(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sums for each game and bot, shape (games, bots)."""
        return _summed(self._game_cells, values, self._of_games)

    def of_seats(self, values: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sums for each bot and seat, shape (bots, seats)."""
        return _summed(self._seat_cells, values, self._of_seats)


def _summed(
    cells: NDArray[np.int64], values: NDArray[np.int64], shape: tuple[int, int]
) -> NDArray[np.int64]:
    # bincount adds floats, which are exact: all sums of a job are far below 2**53.
    sums = np.bincount(cells, values.ravel(), shape[0] * shape[1])
    return sums.astype(np.int64).reshape(shape)


def _of_rounds(games: NDArray[np.int64], job: Job) -> NDArray[np.int64]:
    """Return the sums over the games of each round, shape (rounds, bots)."""
    return np.asarray(games.reshape(job.num_rounds, -1, games.shape[1]).sum(axis=1))


def _deal(tables: Tables, line_ups: LineUps, job: Job) -> NDArray[np.int64]:
    """Deal the rounds in every rotation, play them to the end, and return their tables."""
    dealt = arrange_games(line_ups, job.first_round, job.num_rounds)
    tables.seed(dealt.bots_seed)
    rows = np.arange(len(dealt.seeds))
    counts = np.full(len(rows), line_ups.num_players)
    tables.deal(rows, counts, dealt.seeds, dealt.holders)
    return rows


class DealtGames(NamedTuple):
    """What the games of some rounds begin with, a row for each game."""

    bots_seed: int
    """Seed of the random numbers of the bots at all tables."""
    seeds: NDArray[np.uint64]
    """Seed of each game, shape (games,)."""
    holders: NDArray[np.int8]
    """The bot in each seat, shape (games, 8)."""


def arrange_games(line_ups: LineUps, first_round: int, num_rounds: int) -> DealtGames:
    """Return what the games of some rounds begin with, every rotation of every deal."""
    arranged = line_ups.arrange(first_round, num_rounds)
    games = arranged.shape[1]
    rng = np.random.default_rng([line_ups.key, first_round])
    holders = np.zeros((num_rounds * games, MAX_PLAYERS), np.int8)
    holders[:, : line_ups.num_players] = arranged.reshape(-1, line_ups.num_players)
    deals = np.arange(first_round, first_round + num_rounds, dtype=np.uint64)
    seeds = np.repeat(deals + np.uint64(line_ups.key), games)
    return DealtGames(int(rng.integers(2**63)), seeds, holders)


def win_840ths(games: States) -> NDArray[np.int64]:
    """Return the share of the win of each seat in 840ths, shape (games, 8)."""
    has_won = games["in_match"].astype(np.int64)[:, None] >> np.arange(MAX_PLAYERS) & 1
    return np.asarray(has_won * (WHOLE_WIN // has_won.sum(axis=1, keepdims=True)))


def doubled_places(survivors: NDArray[np.int8], points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return twice the place of each seat, shape (games, seats): 2 for first, 4 for second.

    The player who is out first is last, and the winners share the first places. Seats that go out
    on the same play are ranked by their points, fewer first. With equal points, as always in
    formats without points, they share the mean of their places.

    Args:
        survivors: See `Tables.survivors`; shape (games, seats).
        points: Points at the end, each below 2**15; same shape.
    """
    ranks = survivors.astype(np.int64) * 2**15 + np.where(survivors == 0, 0, points)
    before = np.sum(ranks[:, None, :] < ranks[:, :, None], axis=2)
    equal = np.sum(ranks[:, None, :] == ranks[:, :, None], axis=2)
    return np.asarray(2 * before + equal + 1)
