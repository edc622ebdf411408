"""Instructions that Numba does not offer: count bits, mark code as cold, fetch memory early.

All are portable instructions of LLVM; uncompiled code uses plain Python functions instead.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, cast

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from ono99_env.jit.compile import IS_DISABLED
from ono99_env.jit.types import Whole, Word

CACHE_LINE = 64
"""Bytes that the processor fetches at a time."""

BYTES = 8
"""Bytes in a word."""

_TO_WRITE, _ALL_LEVELS, _DATA = 1, 3, 1


def _count_ones(word: Word) -> Whole:
    return int(word).bit_count()


def _mark_cold() -> None:
    pass


def _prefetch(record: Any, offset: int) -> None:
    pass


def _scale_bytes(word: Word, factors: Any, source: Whole, numbers: Any, target: Whole) -> None:
    for place in range(BYTES):
        count = (int(word) >> 8 * place) & 0xFF
        numbers.entries[target + place] = factors.entries[source + place] * count


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


def row_reader(dtype: Any) -> Callable[[Any, Whole], Any]:
    """Return a compiled function that shows a row of an array as a record.

    Only the fields that lie within the row may be read or written, and the caller keeps the array
    while it has the record: unlike a view, the record costs no count of references.

    Args:
        dtype: A record of one field, ``entries``, with numbers of the array's type.
    """
    if IS_DISABLED:
        return lambda array, row: _Row(array[row])
    record = cast(Any, from_dtype(dtype))

    def compile_row(typing: Any, array: Any, row: Any) -> Any:
        def show(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            parts = context.make_array(signature.args[0])(context, builder, arguments[0])
            stride = builder.extract_value(parts.strides, 0)
            first = builder.bitcast(parts.data, ir.IntType(8).as_pointer())
            place = builder.gep(first, [builder.mul(arguments[1], stride)])
            return builder.bitcast(place, context.get_value_type(record))

        return record(array, types.int64), show

    return cast(Callable[[Any, Whole], Any], intrinsic(compile_row))


class _Row(NamedTuple):
    """A row in uncompiled code, as a record shows it."""

    entries: Any


def _compile_scale_bytes(
    typing: Any, word: Any, factors: Any, source: Any, numbers: Any, target: Any
) -> Any:
    def scale(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, integer = ir.FloatType(), ir.IntType(32)
        eight = ir.VectorType(number, BYTES)

        def address(record: Any, entry: Any) -> Any:
            first = builder.bitcast(record, number.as_pointer())
            return builder.bitcast(builder.gep(first, [entry]), eight.as_pointer())

        counts = builder.bitcast(arguments[0], ir.VectorType(ir.IntType(8), BYTES))
        scaled = builder.sitofp(builder.zext(counts, ir.VectorType(integer, BYTES)), eight)
        factor = builder.load(address(arguments[1], arguments[2]), align=4)
        place = address(arguments[3], arguments[4])
        builder.store(builder.fmul(scaled, factor), place, align=4)
        return context.get_dummy_value()

    places = (factors, types.int64, numbers, types.int64)
    return types.void(types.uint64, *places), scale


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

scale_bytes: Callable[[Word, Any, Whole, Any, Whole], None] = (
    _scale_bytes if IS_DISABLED else cast(Any, intrinsic(_compile_scale_bytes))
)
"""Write the eight bytes of a word, lowest first, as numbers of a record, times those of another.

The arguments are the word; the record of the factors and the first of its ``entries`` to take; the
record to write and the first of its ``entries``. Both records begin with ``entries``, float32. A
loop would not become vector instructions: LLVM cannot know that the records do not overlap.
"""
