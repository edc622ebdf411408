"""The results of a tournament, as they are written and read."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ono99_env.arena.analysis.analysis import Figures, combine, figures
from ono99_env.arena.analysis.comparisons import compare
from ono99_env.arena.analysis.ratings import rate
from ono99_env.arena.plan.setup import Setup
from ono99_env.arena.play.tally import TableTally, Tally

_DIGITS = 10


@dataclass(frozen=True)
class BotResult:
    """How a bot fared, at one player count or in all. See `Figures`."""

    name: str
    games: int
    win_rate: float
    interval: tuple[float, float]
    """Confidence interval of the win rate."""
    score: float
    """Win rate times the number of players: 1 is parity."""
    mean_place: float
    mean_points: float | None
    forfeits: int


@dataclass(frozen=True)
class RatedBot(BotResult):
    """How a bot fared in all: each player count has the same weight."""

    rating: float
    """Points around the mean of all bots, in Luce's choice model; 400 are ten times the odds."""
    rating_interval: tuple[float, float]


@dataclass(frozen=True)
class SeatedBot(BotResult):
    """How a bot fared at one player count."""

    seat_win_rates: tuple[float, ...]
    """Win rate in each seat."""
    variance_ratio: float | None
    """Variance of the win rate over that with independent deals: below 1, duplicates save games."""


@dataclass(frozen=True)
class PairResult:
    """Two bots at the tables where both sit. See `Comparison`."""

    bots: tuple[str, str]
    games: int
    win_rates: tuple[float, float]
    difference: float
    interval: tuple[float, float]
    p_value: float
    p_adjusted: float


@dataclass(frozen=True)
class CountResult:
    """All that was played at one player count."""

    num_players: int
    games: int
    rounds: int
    bots: list[SeatedBot]
    pairs: list[PairResult]


@dataclass(frozen=True)
class OneVsRest(BotResult):
    """How the first bot fared against copies of one opponent."""

    opponent: str
    num_players: int


@dataclass(frozen=True)
class Results:
    """What a finished tournament gave. It follows from the setup."""

    bots: list[RatedBot]
    """Every bot, the strongest rating first."""
    players: list[CountResult]
    """The same by player count, with every pair."""
    tables: list[OneVsRest]
    """With one against the rest: the first bot against each opponent. Else empty."""
    failures: dict[str, str]
    """What each bot that failed did first, by its name."""

    def as_dict(self) -> dict[str, Any]:
        """For files; numbers are rounded to ten digits, so that they are the same everywhere."""
        rounded = _rounded(asdict(self))
        return dict(rounded)

    @classmethod
    def of(cls, setup: Setup, tally: Tally) -> "Results":
        """Analyse a finished tournament."""
        ratings = rate(tally.tables, len(setup.bots), setup.confidence)
        by_count = [
            [figures(table, _cells(table, bot), setup.confidence) for bot in range(len(setup.bots))]
            for table in tally.tables
        ]
        bots = [
            RatedBot(
                **_overall(setup, name, [rows[bot] for rows in by_count]),
                rating=ratings[bot].value,
                rating_interval=ratings[bot].interval,
            )
            for bot, name in enumerate(setup.bots)
        ]
        return cls(
            bots=sorted(bots, key=lambda bot: -bot.rating),
            players=[
                _count_result(setup, table, rows)
                for table, rows in zip(tally.tables, by_count, strict=True)
            ],
            tables=_one_vs_rest(setup, tally) if setup.seating == "one_vs_rest" else [],
            failures=dict(sorted(tally.failures.items())),
        )


def _cells(table: TableTally, bot: int) -> Any:
    return table.schedule.cell_bots == bot


def _overall(setup: Setup, name: str, rows: list[Figures]) -> dict[str, Any]:
    """The figures of a bot over all player counts, each with the same weight."""
    equal = [1 / len(rows)] * len(rows)
    estimate = combine([row.estimate for row in rows], equal, setup.confidence)
    scores = [row.estimate.mean * count for row, count in zip(rows, setup.players, strict=True)]
    has_points = setup.rules.has_points
    return {
        "name": name,
        "games": sum(row.games for row in rows),
        "win_rate": estimate.mean,
        "interval": estimate.interval,
        "score": float(np.mean(scores)),
        "mean_place": float(np.mean([row.mean_place for row in rows])),
        "mean_points": float(np.mean([row.mean_points for row in rows])) if has_points else None,
        "forfeits": sum(row.forfeits for row in rows),
    }


def _at(setup: Setup, name: str, row: Figures, num_players: int) -> dict[str, Any]:
    """The figures of a bot at one player count."""
    return {**_overall(setup.model_copy(update={"players": (num_players,)}), name, [row])}


def _count_result(setup: Setup, table: TableTally, rows: list[Figures]) -> CountResult:
    schedule = table.schedule
    pairs = []
    for each in compare(table, len(setup.bots), setup.confidence):
        first, second = each.bots
        pairs.append(PairResult(**{**vars(each), "bots": (setup.bots[first], setup.bots[second])}))
    return CountResult(
        num_players=schedule.num_players,
        games=schedule.games,
        rounds=schedule.rounds,
        bots=[
            SeatedBot(
                **_at(setup, name, row, schedule.num_players),
                seat_win_rates=row.seat_win_rates,
                variance_ratio=row.variance_ratio,
            )
            for name, row in zip(setup.bots, rows, strict=True)
        ],
        pairs=pairs,
    )


def _one_vs_rest(setup: Setup, tally: Tally) -> list[OneVsRest]:
    """The first bot against each opponent; line-up i is the one against bot i + 1."""
    found = []
    for table in tally.tables:
        schedule = table.schedule
        for index, opponent in enumerate(setup.bots[1:]):
            cells = _cells(table, 0) & (schedule.cell_line_ups == index)
            row = figures(table, cells, setup.confidence)
            shared = _at(setup, setup.bots[0], row, schedule.num_players)
            found.append(OneVsRest(**shared, opponent=opponent, num_players=schedule.num_players))
    return found


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
