"""Find and name what differs between two records, such as the rules of two games."""

from collections.abc import Mapping, Sequence
from typing import Any

_MOST = 4
"""Differences that a message names; decks of two editions differ in nearly all cards."""


def differing(
    one: Mapping[str, Any], other: Mapping[str, Any], above: str = ""
) -> list[tuple[str, Any, Any]]:
    """Find the values that differ, in mappings of any depth and lists of mappings.

    Args:
        one: A record.
        other: Another; a key that only one of them has counts as None in the other.
        above: The place of both in a larger record, with a dot behind it.

    Returns:
        For each difference its place, such as ``rules.deck.9`` or ``bots[2].score``, the value in
        `one` and the value in `other`.
    """
    found: list[tuple[str, Any, Any]] = []
    for key in dict.fromkeys([*one, *other]):
        place, first, second = f"{above}{key}", one.get(key), other.get(key)
        if isinstance(first, Mapping) and isinstance(second, Mapping):
            found += differing(first, second, f"{place}.")
        elif (pairs := _pairs_of_records(first, second)) is not None:
            for index, (ours, theirs) in enumerate(pairs):
                found += differing(ours, theirs, f"{place}[{index}].")
        elif first != second:
            found.append((place, first, second))
    return found


def _pairs_of_records(first: Any, second: Any) -> list[tuple[Any, Any]] | None:
    """Pair the items of two lists of mappings of the same length; None if they are not such."""
    if not (isinstance(first, list) and isinstance(second, list) and len(first) == len(second)):
        return None
    pairs = list(zip(first, second, strict=True))
    return pairs if all(isinstance(each, Mapping) for pair in pairs for each in pair) else None


def describe_changes(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Describe each value that has changed between two records in one line."""
    return [f"{place}: {old} then, {new} now" for place, old, new in differing(then, now)]


def shortly(lines: Sequence[str]) -> str:
    """Join the first differences, and say how many more there are."""
    rest = len(lines) - _MOST
    return "; ".join(lines[:_MOST]) + (f"; and {rest} more" if rest > 0 else "")
