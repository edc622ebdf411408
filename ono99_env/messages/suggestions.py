"""The end of a sentence about an unknown name: the nearest name that there is."""

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST = 200
"""Characters of a name that is compared with others: the time grows with the length."""


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Suggest the known name that is nearest to an unknown one.

    Args:
        name: What the user wrote; nothing is near to what is no text.
        known: All names that there are.

    Returns:
        ``"; did you mean 'highest'?"``, or ``""`` if no name is near.
    """
    is_short = isinstance(name, str) and len(name) <= _LONGEST
    near = get_close_matches(str(name), list(known), n=1) if is_short else []
    return f"; did you mean {near[0]!r}?" if near else ""


def known_names(name: str, known: Iterable[str]) -> str:
    """List the names that there are after an unknown one, the nearest first.

    Args:
        name: What the user wrote.
        known: All names that there are.

    Returns:
        ``"; did you mean 'hand'? Known are: hand, legal"``, or ``"; known are: hand, legal"``.
    """
    hint, names = did_you_mean(name, known := list(known)), ", ".join(known)
    return f"{hint} Known are: {names}" if hint else f"; known are: {names}"
