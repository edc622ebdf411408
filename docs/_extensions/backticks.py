"""Read the docstrings of this project as the API reference shows them.

A docstring writes names in single backticks, as in `Views`. The name of something public becomes a
link to it, any other is shown as code. Blocks of code stand in Markdown fences. Environments
describe themselves in Markdown sections, which the environment page shows; the API reference shows
only what stands before them.
"""

import re
from functools import cache
from importlib import import_module
from textwrap import indent
from typing import Any

from sphinx.application import Sphinx

PUBLIC_PACKAGES = (
    "ono99_env",
    "ono99_env.game",
    "ono99_env.bots",
    "ono99_env.observation",
    "ono99_env.tables",
    "ono99_env.arena",
    "ono99_env.ono99_v0",
)
"""The packages whose ``__all__`` is public; the first that has a name documents it."""

_SINGLE_BACKTICKS = re.compile(r"(?<![`:\w])`([^`\n]+)`(?![`_])")
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
_MARKDOWN_SECTION = re.compile(r"^## ", re.M)


@cache
def public_names() -> dict[str, str]:
    """Return the place in the API reference of every public name."""
    places: dict[str, str] = {}
    for package in PUBLIC_PACKAGES:
        for name in import_module(package).__all__:
            places.setdefault(name, f"{package}.{name}")
    return places


def link_name(found: re.Match[str]) -> str:
    """Return a name as a link if it is public, and as code if it is not."""
    name = found[1].removeprefix("ono99_env.")
    first, _, rest = name.partition(".")
    place = public_names().get(first)
    if place is None or (rest and not re.fullmatch(r"[\w.]+", rest)):
        return f"``{found[1]}``"
    return f":py:obj:`{name} <{place}{'.' + rest if rest else ''}>`"


def indent_block(found: re.Match[str]) -> str:
    """Return a fenced block as reStructuredText writes it."""
    return f".. code-block:: {found[1]}\n\n{indent(found[2], '   ')}"


def read_docstring(
    app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]
) -> None:
    """Change the lines of a docstring in place, before Google's sections are read."""
    text = "\n".join(lines)
    if what in ("module", "class") and (section := _MARKDOWN_SECTION.search(text)):
        text = text[: section.start()]
    lines[:] = _SINGLE_BACKTICKS.sub(link_name, _FENCE.sub(indent_block, text)).split("\n")


def setup(app: Sphinx) -> dict[str, Any]:
    """Read docstrings before napoleon does."""
    app.connect("autodoc-process-docstring", read_docstring, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
