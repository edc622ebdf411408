"""Asking the processor for memory before it is written.

Thousands of tables do not fit in the processor's caches. Work on one table takes long enough to
fetch what will be written for the next.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ono99_env.engine.compile import IS_DISABLED

CACHE_LINE = 64
"""Bytes that the processor fetches at a time."""

_TO_WRITE, _ALL_LEVELS, _DATA = 1, 3, 1


def _prefetch(typing_context: Any, record: Any, offset: Any) -> Any:
    """Fetch the cache line that holds the byte `offset` of a record, to write to it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        signature = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch.p0", (), signature)
        address = builder.gep(builder.bitcast(arguments[0], byte), [arguments[1]])
        how = [number(_TO_WRITE), number(_ALL_LEVELS), number(_DATA)]
        builder.call(function, [address, *how])
        return context.get_dummy_value()

    return types.void(record, types.int64), generate


def _do_nothing(record: Any, offset: int) -> None:
    """Stand in for it where nothing is compiled."""


prefetch: Any = _do_nothing if IS_DISABLED else intrinsic(_prefetch)
