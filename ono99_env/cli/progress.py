"""How far games are, while they are played: a bar in a terminal, a plain line elsewhere."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

SECONDS_BETWEEN_LINES = 10.0
"""Time from one plain line to the next, at least."""


class Interval:
    """Tells when the next plain line is due."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def has_passed(self, seconds: float | None = None) -> bool:
        """Return whether the interval has passed; if so, the next one begins.

        Args:
            seconds: How long it is; default: `SECONDS_BETWEEN_LINES`.
        """
        now = time.monotonic()
        seconds = SECONDS_BETWEEN_LINES if seconds is None else seconds
        has_passed = now - self._start >= seconds
        if has_passed:
            self._start = now
        return has_passed


class Pace:
    """How fast games are played, from the first ones on: before, the engine may be compiled."""

    def __init__(self) -> None:
        self._start: tuple[float, int] | None = None

    def speed(self, played: int, now: float) -> float:
        """Return the games per second since the first call; 0 if that is not known yet.

        Args:
            played: Games played so far.
            now: The time in seconds, by `time.monotonic`.
        """
        if self._start is None:
            self._start = (now, played)
        then, played_then = self._start
        return (played - played_then) / (now - then) if now > then else 0.0


def progress_line(played: int, total: int, speed: float) -> str:
    """Say how far games are.

    Args:
        played: Games played so far.
        total: Games in all.
        speed: Games per second; 0 if it is not known yet.
    """
    left = f", about {(total - played) / speed:,.0f} s left" if speed > 0 else ""
    return f"{played:,} of {total:,} games ({played / total:.0%}){left}"


def games_bar(console: Console, *, is_hidden: bool = False) -> Progress:
    """Return a bar for games, which disappears when it is stopped; it is not shown yet."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=is_hidden,
    )


class GamesProgress:
    """Shows how far one or several rows of games are; enter it while they are played.

    Args:
        console: Where to show it. If it is no terminal, a plain line is printed now and then.
        has_bar: False to show nothing in a terminal, where something else is shown.
    """

    def __init__(self, console: Console, *, has_bar: bool = True) -> None:
        self._console = console
        self._bar = games_bar(console, is_hidden=not (has_bar and console.is_terminal))
        self._interval = Interval()

    def __enter__(self) -> Self:
        """Start to show it."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        self._bar.stop()

    def begin(self, games: int, title: str = "") -> Callable[[int, int], None]:
        """Add a bar.

        Args:
            games: Games in all, as far as is known.
            title: What is played; plain lines begin with it.

        Returns:
            A function to call with the games played so far and the games in all.
        """
        task = self._bar.add_task(title or "games", total=games)
        pace = Pace()

        def show(played: int, total: int) -> None:
            self._bar.update(task, completed=played, total=total)
            speed = pace.speed(played, time.monotonic())
            if not self._console.is_terminal and self._interval.has_passed():
                line = progress_line(played, total, speed)
                self._console.print(Text(f"{title}: {line}" if title else line))

        return show

    def count(self, games: int) -> Callable[[int], None]:
        """Add a bar; like `begin`.

        Args:
            games: Games in all.

        Returns:
            A function to call with the games played since its last call.
        """
        show = self.begin(games)
        counted = 0

        def add(played: int) -> None:
            nonlocal counted
            counted += played
            show(counted, games)

        return add
