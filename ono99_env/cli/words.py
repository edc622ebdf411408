"""What several commands read from their words."""

from collections.abc import Sequence

from ono99_env.cli.errors import UsageError


def player_counts(texts: Sequence[str]) -> list[int]:
    """Player counts that are written ``2,4`` or given again and again.

    Raises:
        UsageError: If one is no whole number.
    """
    return [_count(part) for text in texts for part in text.split(",")]


def _count(text: str) -> int:
    if not text.strip().isdecimal():
        raise UsageError(f"--players: must be whole numbers, such as 4 or 2,4, not {text!r}")
    return int(text)
