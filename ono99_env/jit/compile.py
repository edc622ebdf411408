"""Three decorators over Numba that compile the functions of the engine.

The engine is plain Python over one NumPy record. Numba compiles it; with ``NUMBA_DISABLE_JIT=1``
the same functions run as ordinary Python, slowly, for debugging and coverage.
"""

import hashlib
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from ono99_env.jit.cache import MachineCodeCache
from ono99_env.jit.copies import copy_records
from ono99_env.jit.dispatchers import PartDispatcher, SharedDispatcher, WholeDispatcher
from ono99_env.jit.notice import NOTICE

IS_DISABLED = bool(getattr(numba.config, "DISABLE_JIT"))  # noqa: B009 - not in the type stubs

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent.parent

_CONSTANTS = (
    "cards.py",
    "layout.py",
    "scales.py",
    "records.py",
    "effects.py",
    "opponents.py",
    "compile.py",
    "dispatchers.py",
    "libraries.py",
    "pipelines.py",
)
"""Files without compiled functions that compiled functions read."""


def digested_sources() -> dict[Path, bytes]:
    """Return every source file whose code or constants end up in compiled functions."""
    sources = {path: path.read_bytes() for path in sorted(_PACKAGE.rglob("*.py"))}
    return {
        path: source
        for path, source in sources.items()
        if path.name in _CONSTANTS or b"ono99_env.jit.compile" in source
    }


@cache
def source_digest() -> str:
    """Return a digest of these files."""
    return hashlib.sha256(b"".join(digested_sources().values())).hexdigest()[:16]


def compiled(function: F) -> F:
    """Compile a function that other compiled functions call.

    Numba would let it inherit `forceinline` from the first caller that has it.
    """
    if IS_DISABLED:
        return _uncompiled(function)
    return cast(F, PartDispatcher(function, forceinline=False))


def inlined(function: F) -> F:
    """Compile a function of the hot path into its callers: a call costs as much as a small rule."""
    if IS_DISABLED:
        return _uncompiled(function)
    return cast(F, PartDispatcher(function, forceinline=True))


def called_from_python(function: F) -> F:
    """Compile a function that Python calls, and keep the machine code on disk.

    Numba names a cache file after the function and checks only the source of the function's own
    file, so a change in another file would leave stale code. The digest of all compiled sources in
    the function's qualified name makes a changed source another function.

    Call it only with arrays that `as_argument` returns, or, for what it only reads of views, with
    those of `as_read_only`: with one signature per function the cache is safe when two processes
    fill it at once.
    """
    if IS_DISABLED:
        return _uncompiled(function)
    return cast(F, _kept_on_disk(function, WholeDispatcher))


def shared(function: F) -> F:
    """Compile a function that other compiled functions call by its address, and keep it on disk.

    It is compiled once for all its callers, which compile faster, and never inlined. Its arguments
    are records and numbers: of integers only the sign counts. It must not raise exceptions.
    """
    if IS_DISABLED:
        return _uncompiled(function)
    return cast(F, _kept_on_disk(function, partial(SharedDispatcher, is_rare=False)))


def shared_and_rare(function: F) -> F:
    """Do as `shared` for a function off the hot path: callers lay out their code without it."""
    if IS_DISABLED:
        return _uncompiled(function)
    return cast(F, _kept_on_disk(function, partial(SharedDispatcher, is_rare=True)))


def _kept_on_disk(function: Any, kind: Callable[[Any], Any]) -> Any:
    """Return the dispatcher of a function, with a cache."""
    function.__qualname__ = f"{function.__qualname__}-{source_digest()}"
    dispatcher = kind(function)
    try:
        dispatcher._cache = MachineCodeCache(function)
    except (RuntimeError, OSError):  # no folder it may write to, as in a read-only container
        NOTICE.is_kept = False
    return dispatcher


def as_argument(array: Any, dtype: Any) -> NDArray[Any]:
    """Return an array as `called_from_python` takes it: of one dtype, aligned and writeable.

    JAX gives read-only arrays, and buffers may not be aligned; Numba would compile the function
    again for each of these. An array that fits is not copied.
    """
    fitting: NDArray[Any] = np.asarray(array, dtype)
    if fitting.flags.carray:
        return fitting
    return fitting.copy() if fitting.dtype.names is None else copy_records(fitting)


def as_read_only(array: Any, dtype: Any) -> NDArray[Any]:
    """Return an array as compiled functions take it that only read: C-contiguous and aligned.

    A read-only array of the caller's is not copied, as `as_argument` would.
    """
    fitting: NDArray[Any] = np.asarray(array, dtype)
    flags = fitting.flags
    if not (flags.c_contiguous and flags.aligned):
        return as_read_only(as_argument(fitting, dtype), dtype)
    if not flags.writeable:
        return fitting
    shown = fitting.view()
    shown.flags.writeable = False
    return shown


def _uncompiled(function: F) -> F:
    """Let unsigned words wrap around silently, as they do in compiled code."""
    return np.errstate(over="ignore")(function)
