"""What a tournament shows while it runs: a live table, or a line now and then."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table

from ono99_env.arena.analysis.analysis import standings
from ono99_env.arena.play.tally import Tally
from ono99_env.arena.play.tournament import Tournament
from ono99_env.cli.consoles import name_cell
from ono99_env.cli.progress import Interval, Pace, games_bar, progress_line

_SECONDS_BETWEEN_FRAMES = 0.5


class Watching:
    """Shows how far a tournament is and who is ahead; called with the tally after every job.

    Args:
        console: Where to. If it is no terminal, a plain line is printed now and then.
        tournament: What is played.
    """

    def __init__(self, console: Console, tournament: Tournament) -> None:
        self._console = console
        self._tournament = tournament
        self._pace = Pace()
        self._interval = Interval()
        self._progress = games_bar(console)
        self._task = self._progress.add_task("games", total=tournament.games)
        self._live = Live(self._progress, console=console, transient=True, auto_refresh=False)

    def __enter__(self) -> Self:
        """Start to show."""
        if self._console.is_terminal:
            self._live.start(refresh=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave the terminal as it was."""
        self.stop()

    def stop(self) -> None:
        """Take the table away."""
        self._live.stop()

    def __call__(self, tally: Tally) -> None:
        """Show the tally, if it has not been shown just now."""
        speed = self._pace.speed(tally.games, time.monotonic())
        is_live = self._console.is_terminal
        if not self._interval.has_passed(_SECONDS_BETWEEN_FRAMES if is_live else None):
            return
        if is_live:
            self._progress.update(self._task, completed=tally.games)
            self._live.update(Group(self._table(tally), self._progress), refresh=True)
        else:
            line = progress_line(tally.games, self._tournament.games, speed)
            self._console.print(line, highlight=False)

    def _table(self, tally: Tally) -> Table:
        setup = self._tournament.setup
        headings = [f"{count} players" for count in setup.players]
        table = Table("bot", *headings, title="Score so far (1 is parity)", title_justify="left")
        scores = [*zip(*(standings(tally, count) for count in setup.players), strict=True)]
        order = sorted(range(len(scores)), key=lambda bot: -sum(x or 0 for x in scores[bot]))
        for bot in order:
            cells = ["" if score is None else f"{score:.3f}" for score in scores[bot]]
            table.add_row(name_cell(setup.bots[bot]), *cells)
        return table
