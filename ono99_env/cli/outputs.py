"""Where a tournament is written: checked before anything is played."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ono99_env.arena.arena import Arena
from ono99_env.arena.report.result_files import write_csv, write_json
from ono99_env.files.atomic import write_atomically
from ono99_env.game.game_records import write_record
from ono99_env.messages.errors import UsageError
from ono99_env.messages.extras import need_extra


@dataclass(frozen=True)
class Outputs:
    """The files that a tournament is written to; None for those that nobody wants."""

    json: Path | None
    csv: Path | None
    report: Path | None
    is_overwriting: bool
    keep_games: int = 0
    """How many games to write records of."""

    @property
    def games(self) -> Path | None:
        """The folder of the records of games; None if none are kept."""
        if not self.keep_games:
            return None
        if self.report is not None:
            return self.report / "games"
        return None if self.json is None else self.json.with_name(f"{self.json.name}.games")

    def check(self) -> None:
        """Refuse what cannot be written, or would replace a file unasked.

        Raises:
            UsageError: Naming the option and the path.
        """
        for option, path in (("--json", self.json), ("--csv", self.csv)):
            if path is not None:
                check_file(option, path, self.is_overwriting)
        if self.report is not None:
            self._check_folder(self.report)
        if self.keep_games and self.games is None:
            raise UsageError("--keep-games: say with --report or --json where to write them")

    def state_for(self, arena: Arena) -> Path | None:
        """Return the file beside the JSON that keeps a tournament while it runs.

        With ``--overwrite``, the state of another tournament is removed.

        Raises:
            ValueError: If there is the state of another tournament.
        """
        if self.json is None:
            return None
        state = self.json.with_name(f"{self.json.name}.state")
        if state.exists():
            try:
                arena.resume(state)
            except ValueError as error:
                if not self.is_overwriting:
                    raise UsageError(f"{error}. Remove it, or say --overwrite.") from error
                state.unlink()
        return state

    def write(self, record: Mapping[str, Any]) -> None:
        """Write what is wanted.

        Args:
            record: See `Arena.record`.
        """
        if self.json is not None:
            write_json(self.json, record)
        if self.csv is not None:
            write_csv(self.csv, record)
        if self.report is not None:
            from ono99_env.arena.report.page import write_report

            write_report(self.report, record)

    def _check_folder(self, path: Path) -> None:
        try:
            need_extra("arena", "--report", "jinja2", "matplotlib")
        except ModuleNotFoundError as error:
            raise UsageError(str(error)) from error
        if path.exists() and not path.is_dir():
            raise UsageError(f"--report: {path} is a file; name a folder")
        if path.is_dir() and any(path.iterdir()) and not self.is_overwriting:
            raise UsageError(f"--report: {path} is not empty; say --overwrite to write into it")
        above = path.absolute()
        while not above.exists():
            above = above.parent
        if not above.is_dir() or not os.access(above, os.W_OK):
            raise UsageError(f"--report: {above} cannot be written to")


def write_games(folder: Path, records: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
    """Write records of games.

    Args:
        folder: The folder; it is created if it does not exist.
        records: The name of each file without its ending, and the record.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, record in records:
        write_record(folder / f"{name}.json", record)


def check_file(option: str, path: Path, is_overwriting: bool) -> None:
    """Refuse a file that cannot be written, or that exists and shall not be replaced.

    Args:
        option: What the user calls it, such as ``--json``.
        path: The file.
        is_overwriting: Whether a file that exists may be replaced.

    Raises:
        UsageError: Naming the option and the path.
    """
    if path.is_dir():
        raise UsageError(f"{option}: {path} is a folder; name a file")
    if path.exists() and not is_overwriting:
        raise UsageError(f"{option}: {path} exists; say --overwrite to replace it, or name another")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"{option}: there is no folder {path.parent}")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"{option}: the folder {path.parent} cannot be written to")


def write_result(option: str, path: Path, text: str) -> None:
    """Write a result and a line break; an older file stays until the new one is complete.

    Args:
        option: What the user calls the file, such as ``--json``.
        path: The file, which `check_file` has accepted.
        text: The result.

    Raises:
        UsageError: If it cannot be written after all, as on a full disk.
    """
    try:
        write_atomically(path, f"{text}\n".encode())
    except OSError as error:
        raise UsageError(f"{option}: cannot write {path}: {error.strerror}") from error
