"""What has been played so far, in whole numbers, and how it is kept in a file."""

import json
import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.analysis.moments import Moments
from ono99_env.arena.plan.schedule import Schedule
from ono99_env.arena.play.jobs import Outcome
from ono99_env.rules.cards import MAX_PLAYERS

_BY_BOT = ("squares", "seat_wins", "places", "points", "forfeits")


class ScheduleTally:
    """The counts of one schedule; the fields are sums of those of `Outcome`, by bot.

    Args:
        schedule: What is played.
    """

    def __init__(self, schedule: Schedule) -> None:
        bots = schedule.line_ups.num_bots
        self.schedule = schedule
        nothing = np.zeros((0, bots), np.int64)
        self.moments = Moments.of(nothing, nothing)
        self.squares = np.zeros(bots, np.int64)
        self.seat_wins = np.zeros((bots, MAX_PLAYERS), np.int64)
        self.places = np.zeros(bots, np.int64)
        self.points = np.zeros(bots, np.int64)
        self.forfeits = np.zeros(bots, np.int64)

    def add(self, outcome: Outcome) -> None:
        """Count a job."""
        self.moments.add(Moments.of(outcome.wins, outcome.seats))
        for name in _BY_BOT:
            counts = getattr(self, name)
            counts += getattr(outcome, name)

    def arrays(self) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """All counts with their names."""
        for field in fields(self.moments):
            yield field.name, getattr(self.moments, field.name)
        for name in _BY_BOT:
            yield name, getattr(self, name)


class Tally:
    """What all finished jobs of a tournament gave together.

    Args:
        schedules: What is played.
        num_jobs: How many jobs that makes.
    """

    def __init__(self, schedules: tuple[Schedule, ...], num_jobs: int) -> None:
        self.schedules = [ScheduleTally(schedule) for schedule in schedules]
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
        counts = self.schedules[outcome.job.schedule]
        counts.add(outcome)
        self.games += outcome.job.num_rounds * counts.schedule.num_players
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
        about = {
            "identity": identity,
            "games": self.games,
            "failures": self.failures,
            "failed_in": self._failed_in,
        }
        temporary = path.with_name(f"{path.name}.tmp")
        with temporary.open("wb") as file:
            np.savez(file, about=np.array(json.dumps(about)), **self._arrays())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    def load(self, path: Path) -> None:
        """Go on from what `save` wrote for the same tournament.

        Raises:
            ValueError: If the file does not fit.
        """
        with _open(path) as file:
            own = self._arrays()
            if any(name not in file or file[name].shape != own[name].shape for name in own):
                raise ValueError(f"{path} is of another version of this package")
            for name, array in own.items():
                array[...] = file[name]
            about = json.loads(str(file["about"]))
        self.games, self.failures = about["games"], about["failures"]
        self._failed_in = about["failed_in"]

    def _arrays(self) -> dict[str, Any]:
        """All counts, by their names in the file."""
        arrays: dict[str, Any] = {"is_done": self.is_done}
        for index, counts in enumerate(self.schedules):
            arrays |= {f"{name}_{index}": array for name, array in counts.arrays()}
        return arrays


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
