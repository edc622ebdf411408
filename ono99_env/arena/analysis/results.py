"""The results of a tournament, as they are shown and written to files."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ono99_env.arena.analysis.analysis import Figures, combined_figures, figures, variance_ratio
from ono99_env.arena.analysis.comparisons import compare
from ono99_env.arena.analysis.ratings import rate
from ono99_env.arena.plan.tournament_setup import TournamentSetup
from ono99_env.arena.play.tally import ScheduleTally, Tally

_DIGITS = 10


@dataclass(frozen=True)
class BotResult:
    """The result of a bot, at one player count or over all. See `Figures`."""

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
    """The result of a bot over all player counts, each with the same weight."""

    rating: float
    """Points relative to the mean of all bots, in Luce's model; 400 are ten times the odds."""
    rating_interval: tuple[float, float]


@dataclass(frozen=True)
class SeatedBot(BotResult):
    """The result of a bot at one player count."""

    seat_win_rates: tuple[float, ...]
    """Win rate in each seat."""
    variance_ratio: float | None
    """Variance of the win rate divided by that with independent deals; see `variance_ratio`."""


@dataclass(frozen=True)
class PairResult:
    """The comparison of two bots at the tables where both sit. See `Comparison`."""

    bots: tuple[str, str]
    games: int
    win_rates: tuple[float, float]
    difference: float
    interval: tuple[float, float]
    p_value: float
    p_adjusted: float


@dataclass(frozen=True)
class CountResult:
    """The results at one player count."""

    num_players: int
    games: int
    rounds: int
    bots: list[SeatedBot]
    pairs: list[PairResult]


@dataclass(frozen=True)
class OneVsRest(BotResult):
    """The result of the first bot against copies of one opponent."""

    opponent: str
    num_players: int


@dataclass(frozen=True)
class Results:
    """The results of a finished tournament. They depend on its setup alone."""

    bots: list[RatedBot]
    """Every bot, the highest rating first."""
    players: list[CountResult]
    """The results at each player count, with every pair of bots."""
    tables: list[OneVsRest]
    """In one-vs-rest, the first bot against each opponent; else empty."""
    failures: dict[str, str]
    """The first failure of each bot that failed, by its name."""

    def as_dict(self) -> dict[str, Any]:
        """Return the results for a JSON file, rounded to digits that are the same everywhere."""
        rounded = _rounded(asdict(self))
        return dict(rounded)

    @classmethod
    def of(cls, setup: TournamentSetup, tally: Tally) -> "Results":
        """Analyse a finished tournament."""
        ratings = rate(tally.schedules, setup.confidence)
        bots = [
            RatedBot(
                **_figures_of(setup, tally.schedules, bot),
                rating=rating.value,
                rating_interval=rating.interval,
            )
            for bot, rating in enumerate(ratings)
        ]
        return cls(
            bots=sorted(bots, key=lambda bot: (-bot.rating, bot.name)),
            players=[_count_result(setup, tally, count) for count in setup.players],
            tables=_one_vs_rest(setup, tally) if setup.seating == "one_vs_rest" else [],
            failures=dict(sorted(tally.failures.items())),
        )


def _figures_over(setup: TournamentSetup, tallies: Sequence[ScheduleTally], bot: int) -> Figures:
    """Return the figures of a bot over all schedules in which it sits."""
    rows = [figures(tally, bot, setup.confidence) for tally in tallies]
    return combined_figures([row for row in rows if row], setup.confidence)


def _figures_of(
    setup: TournamentSetup, tallies: Sequence[ScheduleTally], bot: int
) -> dict[str, Any]:
    """Return the fields of a `BotResult`."""
    row = _figures_over(setup, tallies, bot)
    return {
        "name": setup.bots[bot],
        "games": row.games,
        "win_rate": row.estimate.mean,
        "interval": row.estimate.interval,
        "score": row.score,
        "mean_place": row.mean_place,
        "mean_points": row.mean_points if setup.rules.has_points else None,
        "forfeits": row.forfeits,
    }


def _count_result(setup: TournamentSetup, tally: Tally, num_players: int) -> CountResult:
    tallies = [each for each in tally.schedules if each.schedule.num_players == num_players]
    bots = []
    for bot in range(len(setup.bots)):
        row = _figures_over(setup, tallies, bot)
        bots.append(
            SeatedBot(
                **_figures_of(setup, tallies, bot),
                seat_win_rates=row.seat_win_rates,
                variance_ratio=variance_ratio(row),
            )
        )
    pairs = []
    for each in compare(tallies, setup.confidence):
        first, second = each.bots
        pairs.append(PairResult(**{**vars(each), "bots": (setup.bots[first], setup.bots[second])}))
    return CountResult(
        num_players=num_players,
        games=sum(each.schedule.games for each in tallies),
        rounds=sum(each.schedule.rounds for each in tallies),
        bots=bots,
        pairs=pairs,
    )


def _one_vs_rest(setup: TournamentSetup, tally: Tally) -> list[OneVsRest]:
    """Return the result of the first bot against each opponent at each player count."""
    opponents = setup.bots[1:] * len(setup.players)
    return [
        OneVsRest(
            **_figures_of(setup, [each], 0),
            opponent=opponent,
            num_players=each.schedule.num_players,
        )
        for opponent, each in zip(opponents, tally.schedules, strict=True)
    ]


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
