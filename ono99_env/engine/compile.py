"""How the engine's functions are compiled: two decorators over Numba.

The engine is plain Python over one NumPy record. Numba compiles it; with ``NUMBA_DISABLE_JIT=1``
the same functions run as ordinary Python, slowly, for debugging and coverage.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent.parent


@cache
def source_digest() -> str:
    """A digest of every source file of the package that is compiled or compiled in."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def compiled(function: F) -> F:
    """Compile a function that other compiled functions call."""
    if numba.config.DISABLE_JIT:
        return _uncompiled(function)
    result: F = numba.njit(nogil=True)(function)
    return result


def inlined(function: F) -> F:
    """Compile a function of the hot path into its callers: a call costs as much as a small rule."""
    if numba.config.DISABLE_JIT:
        return _uncompiled(function)
    result: F = numba.njit(nogil=True, forceinline=True)(function)
    return result


def entry_point(function: F) -> F:
    """Compile a function that Python calls, and keep the machine code on disk.

    Numba names a cache file after the function and checks only the source of the function's own
    file, so a change in another file would leave stale code. The digest of the whole package in
    the function's qualified name makes a changed source another function.

    Call it with C-contiguous arrays of one dtype only: one signature a function keeps the cache
    safe when two processes fill it at once.
    """
    if numba.config.DISABLE_JIT:
        return _uncompiled(function)
    function.__qualname__ = f"{function.__qualname__}-{source_digest()}"
    result: F = numba.njit(cache=True, nogil=True)(function)
    return result


def _uncompiled(function: F) -> F:
    """Let unsigned words wrap around silently, as they do in compiled code."""
    result: F = np.errstate(over="ignore")(function)
    return result
