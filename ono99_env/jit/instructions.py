"""Instructions that Numba does not offer: count bits, mark code as cold, fetch memory early.

All are portable instructions of LLVM; uncompiled code uses plain Python functions instead.
"""

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ono99_env.jit.compile import IS_DISABLED
from ono99_env.jit.types import Whole, Word

CACHE_LINE = 64
"""Bytes that the processor fetches at a time."""

_TO_WRITE, _ALL_LEVELS, _DATA = 1, 3, 1


def _count_ones(word: Word) -> Whole:
    return int(word).bit_count()


def _mark_cold() -> None:
    pass


def _prefetch(record: Any, offset: int) -> None:
    pass


def _compile_count_ones(typing: Any, word: Any) -> Any:
    def count(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), count


def _compile_mark_cold(typing: Any) -> Any:
    def mark(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for attribute in ("noinline", "cold"):
            builder.function.attributes.add(attribute)
        return context.get_dummy_value()

    return types.void(), mark


def _compile_prefetch(typing: Any, record: Any, offset: Any) -> Any:
    def fetch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        form = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch.p0", (), form)
        address = builder.gep(builder.bitcast(arguments[0], byte), [arguments[1]])
        how = [number(_TO_WRITE), number(_ALL_LEVELS), number(_DATA)]
        builder.call(function, [address, *how])
        return context.get_dummy_value()

    return types.void(record, types.int64), fetch


count_ones: Callable[[Word], Whole] = (
    _count_ones if IS_DISABLED else cast(Any, intrinsic(_compile_count_ones))
)
"""Return how many bits of a word are set."""

mark_cold: Callable[[], None] = (
    _mark_cold if IS_DISABLED else cast(Any, intrinsic(_compile_mark_cold))
)
"""Call it first in a function that rarely runs: LLVM then never inlines the function, which would
take registers from the code around the call."""

prefetch: Callable[[Any, int], None] = (
    _prefetch if IS_DISABLED else cast(Any, intrinsic(_compile_prefetch))
)
"""Fetch the cache line with a byte of a record that will be written soon: thousands of tables do
not fit in the processor's caches, and a fetch from memory takes as long as a decision."""
