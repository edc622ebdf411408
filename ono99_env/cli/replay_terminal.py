"""A replay in the terminal: forward and back by keys, or printed as text."""

from collections.abc import Sequence
from typing import Literal

import typer
from rich.console import Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from ono99_env.cli.consoles import PlainConsole
from ono99_env.drawing.table_text import write_table
from ono99_env.game.replay import Frame

Step = Literal["forward", "back", "first", "last", "quit"]
"""What a key does."""

KEYS: dict[str, Step] = {
    **dict.fromkeys((" ", "\r", "\n", "l", "n", "\x1b[C", "\x1bOC", "\xe0M"), "forward"),
    **dict.fromkeys(("h", "b", "\x7f", "\x08", "\x1b[D", "\x1bOD", "\xe0K"), "back"),
    **dict.fromkeys(("g", "0", "\x1b[H", "\x1bOH", "\x1b[1~", "\xe0G"), "first"),
    **dict.fromkeys(("G", "$", "\x1b[F", "\x1bOF", "\x1b[4~", "\xe0O"), "last"),
    **dict.fromkeys(("q", "Q", "\x1b", "\x04"), "quit"),
}
"""What each key does: letters, and the arrows, Home and End as terminals send them."""

_HELP = "→ or space: forward   ←: back   Home, End: first, last   q: quit"


def step_through(frames: Sequence[Frame]) -> None:
    """Show a replay on the whole screen, and step by keys until the user quits.

    Args:
        frames: At least one moment.
    """
    console, place = PlainConsole(), 0
    with Live(_screen(frames, place), console=console, screen=True, auto_refresh=False) as live:
        while True:
            live.update(_screen(frames, place), refresh=True)
            step = KEYS.get(typer.getchar())
            if step == "quit":
                return
            place = moved(place, step, len(frames))


def moved(place: int, step: Step | None, count: int) -> int:
    """Return which of `count` moments a step leads to; None stays."""
    if step == "first":
        return 0
    if step == "last":
        return count - 1
    change = {"forward": 1, "back": -1}.get(step or "", 0)
    return min(max(place + change, 0), count - 1)


def print_replay(console: PlainConsole, frames: Sequence[Frame]) -> None:
    """Print every moment as text.

    Args:
        console: Where to.
        frames: The moments.
    """
    for number, frame in enumerate(frames):
        console.print(f"move {number} of {len(frames) - 1}", soft_wrap=True)
        console.print(_text(frame), soft_wrap=True)
        console.print()


def _text(frame: Frame) -> str:
    return write_table(frame.scene, [frame.play] if frame.play is not None else [])


def _screen(frames: Sequence[Frame], place: int) -> RenderableType:
    title = Text(f"ONO 99, move {place} of {len(frames) - 1}")
    return Group(Panel(Text(_text(frames[place])), title=title), Text(_HELP, style="dim"))
