"""What Numba has no words for: counting bits, and keeping rare code out of the way.

Both are spelled in LLVM's own, portable instructions; uncompiled code takes plain functions.
"""

from collections.abc import Callable
from typing import Any, cast

from numba.core import types
from numba.extending import intrinsic

from ono99_env.engine.compile import IS_DISABLED
from ono99_env.engine.types import Whole, Word


def _count_ones(word: Word) -> Whole:
    return int(word).bit_count()


def _keep_apart() -> None:
    pass


def _compile_count_ones(typing: Any, word: Any) -> Any:
    def count(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), count


def _compile_keep_apart(typing: Any) -> Any:
    def mark(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for attribute in ("noinline", "cold"):
            builder.function.attributes.add(attribute)
        return context.get_dummy_value()

    return types.void(), mark


count_ones: Callable[[Word], Whole] = (
    _count_ones if IS_DISABLED else cast(Any, intrinsic(_compile_count_ones))
)
"""How many bits of a word are set."""

keep_apart: Callable[[], None] = (
    _keep_apart if IS_DISABLED else cast(Any, intrinsic(_compile_keep_apart))
)
"""As the first statement of a function that is rarely called: it is never compiled into its
callers, where it would take the registers of the code beside it."""
