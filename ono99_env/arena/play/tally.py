"""What has been played so far, in whole numbers, and how it is kept in a file."""

import json
import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from ono99_env.arena.plan.schedule import Schedule
from ono99_env.arena.play.jobs import Outcome
from ono99_env.rules.cards import MAX_PLAYERS

_BY_CELL = ("squares", "seat_wins", "places", "points", "forfeits")
_COUNTS = ("wins", "rounds", *_BY_CELL)


class TableTally:
    """The counts at one player count; the fields are sums of those of `Outcome`, by cell.

    Args:
        schedule: What is played there.
    """

    def __init__(self, schedule: Schedule) -> None:
        cells = len(schedule.cell_bots)
        self.schedule = schedule
        self.wins = np.zeros((schedule.num_groups, cells), np.int64)
        """840ths of wins of each cell in each group of rounds, shape (groups, cells)."""
        self.rounds = np.zeros(len(schedule.line_ups), np.int64)
        """Rounds that each line-up has played."""
        self.squares = np.zeros(cells, np.int64)
        self.seat_wins = np.zeros((cells, MAX_PLAYERS), np.int64)
        self.places = np.zeros(cells, np.int64)
        self.points = np.zeros(cells, np.int64)
        self.forfeits = np.zeros(cells, np.int64)

    def add(self, outcome: Outcome) -> None:
        """Count a job."""
        job = outcome.job
        cells = self.schedule.cells_of(job.line_up)
        rounds = np.arange(job.first_round, job.first_round + job.num_rounds)
        np.add.at(self.wins[:, cells], rounds // self.schedule.rounds_per_group, outcome.wins)
        self.rounds[job.line_up] += job.num_rounds
        for name in _BY_CELL:
            getattr(self, name)[cells] += getattr(outcome, name)


class Tally:
    """What all finished jobs of a tournament gave together.

    Args:
        schedules: What is played at each player count.
        num_jobs: How many jobs that makes.
    """

    def __init__(self, schedules: tuple[Schedule, ...], num_jobs: int) -> None:
        self.tables = [TableTally(schedule) for schedule in schedules]
        self.is_done = np.zeros(num_jobs, np.bool_)
        """Which jobs have been counted, shape (jobs,)."""
        self.games = 0
        """Games counted."""
        self.failures: dict[str, str] = {}
        """What each bot that failed did first, by its name, in the first job where it did."""
        self.is_whole = True
        """False while a job is being counted: an interruption then must not be saved."""
        self._failed_in: dict[str, int] = {}

    def add(self, outcome: Outcome) -> None:
        """Count a job; the order of jobs does not matter."""
        self.is_whole = False
        table = self.tables[outcome.job.table]
        table.add(outcome)
        line_up = table.schedule.line_ups[outcome.job.line_up]
        self.games += outcome.job.num_rounds * len(line_up.arrangements)
        for name, failure in outcome.failures.items():
            if outcome.job.number < self._failed_in.get(name, len(self.is_done)):
                self._failed_in[name] = outcome.job.number
                self.failures[name] = failure
        self.is_done[outcome.job.number] = True
        self.is_whole = True

    def save(self, path: Path, identity: dict[str, Any]) -> None:
        """Write the tally, atomically: the file is either the old or the new one.

        Args:
            path: The file, in NumPy's npz format.
            identity: What says which tournament it is, as JSON; see `read_identity`.
        """
        arrays: dict[str, Any] = {"is_done": self.is_done}
        for index, table in enumerate(self.tables):
            arrays |= {f"{name}_{index}": getattr(table, name) for name in _COUNTS}
        about = {
            "identity": identity,
            "games": self.games,
            "failures": self.failures,
            "failed_in": self._failed_in,
        }
        temporary = path.with_name(f"{path.name}.tmp")
        with temporary.open("wb") as file:
            np.savez(file, about=np.array(json.dumps(about)), **arrays)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    def load(self, path: Path) -> None:
        """Go on from what `save` wrote for the same tournament.

        Raises:
            ValueError: If the file does not fit.
        """
        with _open(path) as file:
            for index, table in enumerate(self.tables):
                for name in _COUNTS:
                    counts = getattr(table, name)
                    if file[f"{name}_{index}"].shape != counts.shape:
                        raise ValueError(f"{path} is of another version of this package")
                    counts[...] = file[f"{name}_{index}"]
            self.is_done[...] = file["is_done"]
            about = json.loads(str(file["about"]))
        self.games, self.failures = about["games"], about["failures"]
        self._failed_in = about["failed_in"]


def read_identity(path: Path) -> dict[str, Any]:
    """What tournament a file of `Tally.save` belongs to.

    Raises:
        ValueError: If it is no such file.
        OSError: If it cannot be read.
    """
    with _open(path) as file:
        try:
            identity: dict[str, Any] = json.loads(str(file["about"]))["identity"]
        except (KeyError, ValueError) as error:
            raise _not_a_state(path) from error
    return identity


def _open(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, EOFError, BadZipFile) as error:
        raise _not_a_state(path) from error


def _not_a_state(path: Path) -> ValueError:
    return ValueError(f"{path} does not hold the state of a tournament, or is damaged")
