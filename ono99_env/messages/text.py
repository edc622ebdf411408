"""Names and other texts from outside, shown as text wherever they appear.

The name of a bot is whatever a file may be called: it can hold what a terminal takes for an order,
and what Rich, Markdown, matplotlib or a spreadsheet take for markup.
"""

import re

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&$#])")
_FORMULA_STARTS = ("=", "+", "-", "@")


def printable(text: str, keep: str = "") -> str:
    r"""Write out characters that cannot be seen, such as ``\x1b`` for an escape.

    These are the control characters, those without a width or that turn the direction of writing,
    and what a file name holds that is not UTF-8.

    Args:
        text: Any text.
        keep: Characters that stay as they are, such as the ends of lines of a message.
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode()
        for each in text
    )


def markdown_text(text: str) -> str:
    """Escape a text for a line of Markdown, the cell of a table among them."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def markdown_code(text: str) -> str:
    """A text as code in a cell of a table of Markdown."""
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
