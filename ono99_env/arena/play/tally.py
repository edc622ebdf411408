"""What has been played so far, in whole numbers, and how it is kept in a file."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.analysis.moments import Moments
from ono99_env.arena.plan.schedule import Schedule
from ono99_env.arena.play.jobs import Outcome
from ono99_env.files.array_archive import ArchiveError, read_archive, write_archive
from ono99_env.files.regular_files import UnreadableError
from ono99_env.rules.cards import MAX_PLAYERS

_FORMAT = "ono99-arena-state-2"
"""Changes whenever what a state holds does."""

_FIELDS = {"identity": dict, "games": int, "failures": dict, "failed_in": dict, "counts": dict}
_DIGEST = "digest"
"""Field with the SHA-256 of the others: counts that do not belong together would be analysed."""

"""What a state holds besides its format."""

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
        self.moments: Moments = Moments.of(nothing, nothing)
        self.squares: NDArray[np.int64] = np.zeros(bots, np.int64)
        self.seat_wins: NDArray[np.int64] = np.zeros((bots, MAX_PLAYERS), np.int64)
        self.places: NDArray[np.int64] = np.zeros(bots, np.int64)
        self.points: NDArray[np.int64] = np.zeros(bots, np.int64)
        self.forfeits: NDArray[np.int64] = np.zeros(bots, np.int64)

    def add(self, outcome: Outcome) -> None:
        """Count a job."""
        self.moments.add(Moments.of(outcome.wins, outcome.seats))
        for name in _BY_BOT:
            counts = getattr(self, name)
            counts += getattr(outcome, name)

    def arrays(self) -> Iterator[tuple[str, NDArray[np.int64]]]:
        """Return all counts with their names."""
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
        self.schedules: list[ScheduleTally] = [ScheduleTally(schedule) for schedule in schedules]
        self.is_done: NDArray[np.bool_] = np.zeros(num_jobs, np.bool_)
        """Which jobs have been counted, shape (jobs,)."""
        self.games: int = 0
        """Games counted."""
        self.failures: dict[str, str] = {}
        """What each bot that failed did first, by its name, in the first job where it did."""
        self.is_whole: bool = True
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
        """Write the tally; an older file is replaced at once or, if that fails, kept.

        Args:
            path: The file, an archive of `ono99_env.files.array_archive`.
            identity: What says which tournament it is, as JSON; see `read_identity`.
        """
        state = {
            "format": _FORMAT,
            "identity": identity,
            "games": self.games,
            "failures": self.failures,
            "failed_in": self._failed_in,
            "counts": self._arrays(),
        }
        write_archive(path, {**state, _DIGEST: digest_of(state)})

    def load(self, path: Path) -> None:
        """Continue from what `save` wrote for the same tournament.

        Raises:
            ValueError: If the file does not fit.
        """
        state, own = _read_state(path), self._arrays()
        saved = state["counts"]
        if not _are_alike(saved, own):
            raise ValueError(f"{path} is of another version of this package")
        for name, array in own.items():
            array[...] = saved[name]
        self.games, self.failures = state["games"], state["failures"]
        self._failed_in = state["failed_in"]

    def _arrays(self) -> dict[str, Any]:
        """Return all counts by their names in the file."""
        arrays: dict[str, Any] = {"is_done": self.is_done}
        for index, counts in enumerate(self.schedules):
            arrays |= {f"{name}_{index}": array for name, array in counts.arrays()}
        return arrays


def read_identity(path: Path) -> dict[str, Any]:
    """Return what tournament a file of `Tally.save` belongs to.

    Raises:
        ValueError: If it is no such file.
        OSError: If it cannot be read.
    """
    identity: dict[str, Any] = _read_state(path)["identity"]
    return identity


def _read_state(path: Path) -> dict[str, Any]:
    """Read a file of `Tally.save` and check that it has all fields."""
    try:
        state = read_archive(path)
    except ArchiveError as error:
        raise ValueError(f"{path} does not hold the state of a tournament: it {error}") from error
    except UnreadableError as error:
        raise ValueError(f"{path} {error}") from error
    if state.get("format") != _FORMAT:
        raise ValueError(f"{path} does not hold the state of a tournament")
    is_whole = all(isinstance(state.get(name), kind) for name, kind in _FIELDS.items())
    if state.pop(_DIGEST, None) != digest_of(state):
        raise ValueError(
            f"{path} is damaged: its numbers are not those that were saved. Restore it from a "
            "copy, or remove it and play anew"
        )
    if not is_whole or not _are_of(int, state["failed_in"]) or not _are_of(str, state["failures"]):
        raise ValueError(f"{path} is of another version of this package")
    return state


def digest_of(state: Mapping[str, Any]) -> str:
    """Return the SHA-256 of all fields and arrays of a state."""
    digest = hashlib.sha256()

    def place_of(array: NDArray[Any]) -> list[Any]:
        digest.update(array.tobytes())
        return [array.dtype.str, *array.shape]

    text = json.dumps(state, sort_keys=True, default=place_of)
    digest.update(text.encode())
    return digest.hexdigest()


def _are_of(kind: type, fields: Mapping[str, Any]) -> bool:
    return all(isinstance(value, kind) for value in fields.values())


def _are_alike(saved: Mapping[str, Any], own: Mapping[str, NDArray[Any]]) -> bool:
    """Return whether the saved arrays have the names, shapes and types of the tally's own."""
    return saved.keys() == own.keys() and all(
        isinstance(saved[name], np.ndarray)
        and (saved[name].shape, saved[name].dtype) == (array.shape, array.dtype)
        for name, array in own.items()
    )
