"""Terminals that show texts as they are."""

from typing import Any

from rich.console import Console
from rich.text import Text

from ono99_env.messages.text import printable

_LAYOUT = "\n\t"


class PlainConsole(Console):
    """A terminal in which a text is only text: no markup, no emoji codes, no orders to it.

    Args:
        is_error: Whether it is the error output of the process.
        soft_wrap: Whether long lines are left to the terminal.
    """

    def __init__(self, *, is_error: bool = False, soft_wrap: bool = False) -> None:
        super().__init__(
            stderr=is_error, soft_wrap=soft_wrap, markup=False, emoji=False, highlight=False
        )

    def render_str(self, text: str, **options: Any) -> Text:
        """See `rich.console.Console.render_str`."""
        return super().render_str(printable(text, keep=_LAYOUT), **options)


def name_cell(name: str) -> Text:
    """Return the name of a bot for a table, in any console."""
    return Text(printable(name))
