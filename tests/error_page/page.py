"""The rows of docs/errors.md, and which messages they explain."""

import re
from typing import NamedTuple

from tests.error_page.source_messages import ROOT, WORD

ROW = re.compile(r"^\| (`.*`) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
LEAST_SHARE = 0.6
"""Share of a message's own words that a pattern names: then no other message hides behind it."""


class Row(NamedTuple):
    """Messages with one cause and one cure."""

    patterns: tuple[str, ...]
    cause: str
    cure: str


def read_rows() -> list[Row]:
    """All rows of the page."""
    page = (ROOT / "docs" / "errors.md").read_text()
    return [
        Row(tuple(re.findall(r"`([^`]*)`", cell)), cause, cure)
        for cell, cause, cure in ROW.findall(page)
    ]


def matches(pattern: str, message: str) -> bool:
    """Whether a pattern stands for a message; ``...`` stands for anything."""
    expression = re.escape(pattern).replace(r"\.\.\.", ".*")
    return re.fullmatch(expression, message.replace("\n", " ")) is not None


def explains(pattern: str, message: str) -> bool:
    """Whether a pattern stands for a message of the source and names most of its own words."""
    share = len(WORD.findall(pattern)) / len(WORD.findall(message.replace("{}", " ")))
    return share >= LEAST_SHARE and matches(pattern, message)
