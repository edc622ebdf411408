"""How far games are, while they are played: a progress bar, or a line now and then."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ono99_env.cli import live_standings


class Counting:
    """Counts games; called with the number that has been played since the last call.

    Args:
        console: Where to. If it is no terminal, a plain line is printed now and then.
        games: Games in all.
    """

    def __init__(self, console: Console, games: int) -> None:
        self._console = console
        self._games = games
        self._played = 0
        self._pace = live_standings.Pace()
        self._shown_at = time.monotonic()
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        is_hidden = not console.is_terminal
        self._progress = Progress(*columns, console=console, transient=True, disable=is_hidden)
        self._task = self._progress.add_task("games", total=games)

    def __enter__(self) -> Self:
        """Start to show."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        self._progress.stop()

    def __call__(self, games: int) -> None:
        """Count games."""
        self._played += games
        self._progress.update(self._task, completed=self._played)
        now = time.monotonic()
        speed = self._pace.speed(self._played, now)
        pause = live_standings.SECONDS_BETWEEN_LINES
        if not self._console.is_terminal and now - self._shown_at >= pause:
            self._shown_at = now
            line = live_standings.progress_line(self._played, self._games, speed)
            self._console.print(line, highlight=False)
