"""Texts that come from a file and go to a terminal."""

import re
from collections.abc import Mapping
from typing import Any

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""Control characters but for lines and tabs, halves of characters, and what turns the direction of
the text that follows, so that it reads as something else."""


def as_printable(text: str) -> str:
    """Write what a terminal would obey as an escape in hexadecimal digits."""
    return _CONTROL.sub(lambda found: repr(found[0])[1:-1], text)


def find_control(value: Any) -> str | None:
    """Find a text that holds control characters, in a value of JSON; lines and tabs are none.

    Returns:
        The start of the first such text, as it can be printed; None if there is none.
    """
    if isinstance(value, str):
        return as_printable(value[:40]) if _CONTROL.search(value) else None
    if isinstance(value, Mapping):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple):
        return next((place for place in map(find_control, value) if place is not None), None)
    return None
