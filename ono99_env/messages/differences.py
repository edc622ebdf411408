"""Find and name what differs between two records, such as the rules of two games."""

from collections.abc import Mapping, Sequence
from typing import Any

_MOST = 4
"""Differences that a message names; decks of two editions differ in nearly all cards."""


def differing(
    one: Mapping[str, Any], other: Mapping[str, Any], above: str = ""
) -> list[tuple[str, Any, Any]]:
    """The values that differ, however deep they lie: their places and both values.

    Args:
        one: Mappings of values, and of mappings.
        other: The same; a key that only one of them has is None in the other.
        above: Where both lie.

    Returns:
        A place such as ``rules.deck.9``, the value in `one` and the value in `other`, for each.
    """
    found: list[tuple[str, Any, Any]] = []
    for key in dict.fromkeys([*one, *other]):
        place, first, second = f"{above}{key}", one.get(key), other.get(key)
        if isinstance(first, Mapping) and isinstance(second, Mapping):
            found += differing(first, second, f"{place}.")
        elif first != second:
            found.append((place, first, second))
    return found


def shortly(lines: Sequence[str]) -> str:
    """The first differences, and how many more there are."""
    rest = len(lines) - _MOST
    return "; ".join(lines[:_MOST]) + (f"; and {rest} more" if rest > 0 else "")
