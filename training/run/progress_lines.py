"""Progress where nobody watches: a plain line now and then, without the controls of a terminal."""

import time
from typing import Any

from rich.console import Console
from rich.progress import Progress, ProgressColumn, TaskID
from rich.text import Text

SECONDS_BETWEEN_LINES = 10.0
"""At most so often."""


class Pause:
    """Tells when the next line is due."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def is_over(self) -> bool:
        """Whether a line is due; the next one is due a pause later."""
        now = time.monotonic()
        is_over = now - self._last >= SECONDS_BETWEEN_LINES
        if is_over:
            self._last = now
        return is_over


class GamesProgress(Progress):
    """How far games are: bars in a terminal, elsewhere a line now and then.

    Args:
        console: Where to show it.
        *columns: Of a bar; the lines have the description of the task and the games.
        disable: Show nothing in a terminal, where something else is being shown.
    """

    def __init__(self, console: Console, *columns: ProgressColumn, disable: bool = False) -> None:
        is_hidden = disable or not console.is_terminal
        super().__init__(*columns, console=console, transient=True, disable=is_hidden)
        self._pause = Pause()

    def update(self, task_id: TaskID, **fields: Any) -> None:
        """See `rich.progress.Progress.update`."""
        super().update(task_id, **fields)
        if not self.console.is_terminal and self._pause.is_over():
            task = next(each for each in self.tasks if each.id == task_id)
            played = f"{task.completed:,.0f} of {task.total or 0:,.0f} games"
            line = Text(f"{task.description}: {played}")
            self.console.print(line)
