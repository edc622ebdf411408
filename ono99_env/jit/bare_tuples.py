"""Records of arrays as compiled functions take them quickly."""

from typing import TypeVar, cast

Record = TypeVar("Record", bound=tuple[object, ...])


def bare(record: Record) -> Record:
    """Return a named tuple of arrays as the bare tuple that compiled functions take.

    Numba finds the type of a bare tuple in C, but that of a named one in Python, which costs 4 µs a
    call. A compiled function unpacks it: ``games, rules, scales = batch``.
    """
    return cast(Record, tuple(record))
