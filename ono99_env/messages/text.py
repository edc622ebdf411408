"""Show names and other texts from outside as text, wherever they appear.

The name of a bot can be any file name. It can hold escape sequences that a terminal obeys, and
characters that Markdown, matplotlib or a spreadsheet take for markup.
"""

import re
from collections.abc import Mapping
from typing import Any

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""Control characters except ends of lines and tabs, surrogates, and characters that change the
direction of the text after them, so that it reads as something else."""

_LONGEST = 40
"""Characters of a text with control characters that are shown."""

_LONGEST_VALUE = 60
"""Characters of a name or a value from outside that a message shows."""

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$#])")
_FORMULA_STARTS = ("=", "+", "-", "@")


def printable(text: str, keep: str = "") -> str:
    r"""Write characters that cannot be seen as escapes, such as ``\x1b``.

    These are control characters, characters without a width or that change the direction of
    writing, and the parts of a file name that are not UTF-8.

    Args:
        text: Any text.
        keep: Characters that stay as they are, such as the ends of lines.
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode()
        for each in text
    )


def shown_name(name: str) -> str:
    """Return a name from outside for a message: printable, and cut if it is long."""
    return _cut(printable(name))


def shown_value(value: Any) -> str:
    """Return a value from outside as Python writes it, for a message: cut if it is long."""
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def find_control(value: Any) -> str | None:
    """Find a text with control characters in a value of JSON; ends of lines and tabs are allowed.

    Returns:
        The start of the first such text, as it can be printed; None if there is none.
    """
    if isinstance(value, str):
        return printable(value[:_LONGEST]) if _CONTROL.search(value) else None
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple):
        return next((place for place in map(find_control, value) if place is not None), None)
    return None


def markdown_text(text: str) -> str:
    """Escape a text for a line of Markdown or a cell of a table."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def markdown_code(text: str) -> str:
    """Write a text as code for a cell of a Markdown table."""
    shown = printable(text)
    fence = "`" * (1 + max((len(ticks) for ticks in re.findall("`+", shown)), default=0))
    space = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{space}{shown}{space}{fence}".replace("|", r"\|")


def plot_text(text: str) -> str:
    """Escape a text for matplotlib, which takes what is between two ``$`` for a formula.

    A label that begins with an underscore is left out of legends, so a space comes before it.
    """
    shown = printable(text).replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


def spreadsheet_cell(text: str) -> str:
    """Escape a text for a cell of a CSV file: spreadsheets calculate what begins like a formula.

    An apostrophe before it makes it a text there.
    """
    shown = printable(text)
    return f"'{shown}" if shown.lstrip().startswith(_FORMULA_STARTS) else shown
