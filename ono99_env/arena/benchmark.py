"""Measure a bot by the protocol of the benchmark.

The bot sits alone among copies of one reference bot, in every seat of every deal. Its score is its
win rate times the number of players: 1 is parity. The deals are the same for every bot.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import hypot
from statistics import NormalDist, fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.analysis.intervals import estimate_share
from ono99_env.arena.plan.line_ups import LineUps
from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.plan.tournament_setup import fingerprint, versions
from ono99_env.arena.play.jobs import WHOLE_WIN, Outcome, play_job
from ono99_env.arena.play.processes import share_out
from ono99_env.arena.play.umpire import Umpire
from ono99_env.arena.protocol import V0, BenchmarkProtocol, Setting
from ono99_env.bots import Bot, load_bot
from ono99_env.bots.foreign import check_bot, checked_name
from ono99_env.messages.errors import BotError
from ono99_env.messages.text import markdown_code
from ono99_env.tables.tables import Tables

QUICK_PART = 100
"""A quick benchmark plays one deal in this many."""

_DIGITS = 10

Watch = Callable[[int], None]
"""Called after every block with the number of games in it."""


@dataclass(frozen=True)
class Score:
    """Win rate times players, 1 being parity, with its uncertainty over deals."""

    score: float
    stderr: float

    def as_dict(self, confidence: float) -> dict[str, Any]:
        """Return ``score`` and its ``interval`` for a JSON file."""
        margin = NormalDist().inv_cdf((1 + confidence) / 2) * self.stderr
        ends = (max(0.0, self.score - margin), self.score + margin)
        return {
            "score": round(self.score, _DIGITS),
            "interval": [round(end, _DIGITS) for end in ends],
        }


class Benchmark:
    """Measures one bot.

    Args:
        bot: The bot.
        protocol: The version of the benchmark.
        is_quick: Whether to play only one deal in `QUICK_PART`, to check that everything works.

    Raises:
        ValueError: If the bot can play none of the settings.
    """

    def __init__(self, bot: Bot, protocol: BenchmarkProtocol = V0, is_quick: bool = False) -> None:
        self.bot = bot
        self.name: str = checked_name(bot)
        """The name of the bot."""
        self.protocol = protocol
        self.is_quick = is_quick
        self.deals: int = protocol.deals // QUICK_PART if is_quick else protocol.deals
        """Deals in each setting against each reference bot."""
        self.problems: dict[int, str] = _problems(bot, protocol.settings)
        """Why the bot cannot play a setting, by the number of the setting."""
        if len(self.problems) == len(protocol.settings):
            raise ValueError(
                f"{self.name!r} can play none of the settings of {protocol.name}; in the first one "
                f"{self.problems[0]}"
            )
        self.jobs: list[Job] = list(self._cut())
        self.umpire: Umpire = Umpire()
        """Asks the bots, and decides what becomes of a game whose bot fails."""
        self._tables: dict[int, Tables] = {}

    @property
    def games(self) -> int:
        """Return the number of games in all."""
        return sum(self._games_of(job) for job in self.jobs)

    def play(self, processes: int = 1, watch: Watch | None = None) -> dict[str, Any]:
        """Play the benchmark.

        Args:
            processes: How many processes play; the figures do not depend on it. With more than one
                the bot must be picklable.
            watch: Called after every block of games.

        Returns:
            The record: the figures and everything that they depend on, for a JSON file.

        Raises:
            BotError: If the bot fails.
            WorkerError: If a process ends by itself.
        """
        outcomes: Iterator[Outcome]
        if processes == 1:
            outcomes = map(self.play_job, self.jobs)
        else:
            make = partial(Benchmark, self.bot, self.protocol, self.is_quick)
            outcomes = share_out(self, self.jobs, processes, None, make)
        shape = len(self.protocol.settings), len(self.protocol.pool), self.deals
        wins = np.zeros(shape, np.int64)
        for outcome in outcomes:
            job = outcome.job
            last = job.first_round + job.num_rounds
            wins[*self._place(job), job.first_round : last] = outcome.wins[:, 0]
            if watch is not None:
                watch(self._games_of(job))
        return self._record(wins)

    def play_job(self, job: Job) -> Outcome:
        """Play one job in this process."""
        index, opponent = self._place(job)
        setting = self.protocol.settings[index]
        seats = setting.num_players
        if index not in self._tables:
            bots = [self.bot, *map(load_bot, self.protocol.pool)]
            most = self.protocol.deals_at_once * seats
            self._tables[index] = Tables(setting.rules, bots, most, ask=self.umpire)
        table = np.where(np.eye(seats, dtype=np.bool_), 0, opponent + 1).astype(np.int8)
        bots_there = 1 + len(self.protocol.pool)
        line_ups = LineUps(bots_there, seats, self.protocol.key(index, opponent), table)
        return play_job(self._tables[index], self.umpire, line_ups, job)

    def names(self, job: Job) -> dict[int, str]:
        """Return the bots of a job by their index at its tables."""
        _, opponent = self._place(job)
        return {0: self.name, opponent + 1: self.protocol.pool[opponent]}

    def _cut(self) -> Iterator[Job]:
        """Yield the jobs of all settings that the bot can play; see `_place`."""
        number = 0
        for schedule in range(len(self.protocol.settings) * len(self.protocol.pool)):
            if schedule // len(self.protocol.pool) in self.problems:
                continue
            for start in range(0, self.deals, self.protocol.deals_at_once):
                count = min(self.protocol.deals_at_once, self.deals - start)
                yield Job(number, schedule, start, count)
                number += 1

    def _place(self, job: Job) -> tuple[int, int]:
        """Return the index of the setting and that of the reference bot of a job."""
        return divmod(job.schedule, len(self.protocol.pool))

    def _games_of(self, job: Job) -> int:
        return job.num_rounds * self.protocol.settings[self._place(job)[0]].num_players

    def _record(self, wins: NDArray[np.int64]) -> dict[str, Any]:
        """Return the protocol, the bot and the figures, for a JSON file.

        Args:
            wins: 840ths of wins of the bot by setting, opponent and deal.
        """
        protocol = self.protocol
        scores = {
            index: [_estimate(deals, setting.num_players) for deals in wins[index]]
            for index, setting in enumerate(protocol.settings)
            if index not in self.problems
        }
        counted = {index: self._over_pool(row) for index, row in scores.items()}
        return {
            "format": "ono99-benchmark",
            "format_version": 1,
            "protocol": protocol.as_dict() | {"sha256": protocol.digest},
            "bot": self.name,
            "fingerprint": fingerprint(self.name, self.bot),
            "versions": versions(),
            "is_quick": self.is_quick,
            "is_partial": bool(self.problems),
            **self._mean_of(range(len(protocol.settings)), counted),
            "editions": {
                edition: self._mean_of(indices, counted)
                for edition, indices in _by_edition(protocol.settings).items()
            },
            "settings": [
                self._describe(index, counted, scores) for index in range(len(protocol.settings))
            ],
        }

    def _over_pool(self, scores: Sequence[Score]) -> Score:
        """Return the score of a setting: the mean over the reference bots that count."""
        pairs = zip(self.protocol.pool, scores, strict=True)
        return _mean([score for name, score in pairs if name not in self.protocol.not_scored])

    def _mean_of(self, settings: Sequence[int], scores: Mapping[int, Score]) -> dict[str, Any]:
        """Return the score over some settings; None if the bot cannot play them all."""
        if not all(index in scores for index in settings):
            return {"score": None, "interval": None}
        return _mean([scores[index] for index in settings]).as_dict(self.protocol.confidence)

    def _describe(
        self, index: int, counted: Mapping[int, Score], scores: Mapping[int, Sequence[Score]]
    ) -> dict[str, Any]:
        setting = self.protocol.settings[index]
        games = self.deals * setting.num_players
        pairs = zip(self.protocol.pool, scores.get(index, ()), strict=index in scores)
        return {
            "title": setting.title,
            "edition": setting.edition,
            "format": setting.format,
            "num_players": setting.num_players,
            **self._mean_of([index], counted),
            "problem": self.problems.get(index),
            "opponents": [
                {"name": name, "games": games, **score.as_dict(self.protocol.confidence)}
                for name, score in pairs
            ],
        }


def leaderboard_line(record: Mapping[str, Any]) -> str:
    """Return the row of a bot in the table of ``docs/benchmark.md``; see `leaderboard_headings`."""
    parts = [record, *record["editions"].values(), *record["settings"]]
    name = f"{markdown_code(record['bot'])}{' (quick)' if record['is_quick'] else ''}"
    cells = [name, _with_margin(record), *map(_short, parts[1:])]
    return f"| {' | '.join(cells)} |"


def leaderboard_headings(protocol: BenchmarkProtocol = V0) -> str:
    """Return the head of the table in ``docs/benchmark.md``."""
    titles = [setting.title for setting in protocol.settings]
    cells = ["bot", "score", *_by_edition(protocol.settings), *titles]
    return f"| {' | '.join(cells)} |\n|{' --- |' * len(cells)}"


def _short(part: Mapping[str, Any]) -> str:
    return "-" if part["score"] is None else f"{part['score']:.3f}"


def _with_margin(part: Mapping[str, Any]) -> str:
    if part["score"] is None:
        return "partial"
    return f"{part['score']:.3f} ± {part['interval'][1] - part['score']:.3f}"


def _problems(bot: Bot, settings: Sequence[Setting]) -> dict[int, str]:
    problems = {}
    for index, setting in enumerate(settings):
        try:
            check_bot(bot, setting.rules)
        except BotError:
            raise
        except ValueError as error:
            problems[index] = str(error)
    return problems


def _by_edition(settings: Sequence[Setting]) -> dict[str, list[int]]:
    """Return the indices of the settings of each edition."""
    editions: dict[str, list[int]] = {}
    for index, setting in enumerate(settings):
        editions.setdefault(setting.edition, []).append(index)
    return editions


def _estimate(wins: NDArray[np.int64], num_players: int) -> Score:
    """Estimate the score from the 840ths of wins in each deal."""
    estimate = estimate_share(wins / (WHOLE_WIN * num_players), 0.95, num_players)
    return Score(estimate.mean * num_players, estimate.stderr * num_players)


def _mean(scores: Sequence[Score]) -> Score:
    """Return the mean of independent scores."""
    stderr = hypot(*(each.stderr for each in scores)) / len(scores)
    return Score(fmean(each.score for each in scores), stderr)
