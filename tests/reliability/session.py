"""What the long harnesses share: progress, findings, and the exit code."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

SECONDS_BETWEEN_LINES = 30.0


class Session:
    """One run of a harness; use it as a context manager.

    Progress is a live line on a terminal, and a plain line now and then elsewhere.

    Args:
        title: What is done, in a word or two.
        total: How many units of work there are.
        quiet: Whether to show no progress, as in the test suite.
    """

    def __init__(self, title: str, total: float, quiet: bool = False) -> None:
        self.findings: list[str] = []
        """What was found, each with how to repeat it."""
        self.done = 0
        """Units of work done."""
        self._shown = self._start = time.monotonic()
        self._console = Console(stderr=True, quiet=quiet)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(
            *columns,
            TimeRemainingColumn(),
            console=self._console,
            disable=quiet or not self._console.is_terminal,
        )
        self._task = self._progress.add_task(title, total=int(total))

    def __enter__(self) -> Self:
        """Show the progress."""
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Leave the terminal as it was."""
        self._progress.stop()

    def advance(self, units: int = 1, now: str | None = None) -> None:
        """Count finished work.

        Args:
            units: How much.
            now: What is done now, if that changes.
        """
        self.done += units
        self._progress.update(self._task, advance=units)
        if now is not None:
            self._progress.update(self._task, description=now)
        if not self._console.is_terminal and time.monotonic() - self._shown > SECONDS_BETWEEN_LINES:
            self._shown = time.monotonic()
            task, seconds = self._progress.tasks[0], self._shown - self._start
            self._console.print(
                f"{task.description}: {self.done:,} of {task.total:,.0f} in {seconds:,.0f} s"
            )

    def find(self, finding: str, repeat: str) -> None:
        """Print a finding and keep it.

        Args:
            finding: What is wrong.
            repeat: The command that shows it again.
        """
        self.findings.append(f"{finding}\n  repeat it with: {repeat}")
        self._console.print(f"FOUND {self.findings[-1]}", markup=False, highlight=False)

    @property
    def exit_code(self) -> int:
        """Return 1 if something was found."""
        return 1 if self.findings else 0
