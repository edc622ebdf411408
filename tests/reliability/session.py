"""What the long harnesses share: progress on the terminal, findings, and the exit code."""

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Session:
    """One run of a harness; use it as a context manager.

    Args:
        title: What is done, in a word or two.
        total: How many units of work there are.
        quiet: Whether to show no progress, as in the test suite.
    """

    def __init__(self, title: str, total: float, quiet: bool = False) -> None:
        self.findings: list[str] = []
        """What was found, each with how to repeat it."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(
            *columns, TimeRemainingColumn(), console=Console(stderr=True), disable=quiet
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
        self._progress.update(self._task, advance=units)
        if now is not None:
            self._progress.update(self._task, description=now)

    def find(self, finding: str, repeat: str) -> None:
        """Print a finding and keep it.

        Args:
            finding: What is wrong.
            repeat: The command that shows it again.
        """
        self.findings.append(f"{finding}\n  repeat it with: {repeat}")
        self._progress.console.print(f"FOUND {self.findings[-1]}", markup=False, highlight=False)

    @property
    def exit_code(self) -> int:
        """Return 1 if something was found."""
        return 1 if self.findings else 0
