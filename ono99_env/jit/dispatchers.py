"""What a decorated function becomes: Numba's dispatcher, of the kinds of libraries.py."""

from functools import cached_property
from typing import Any

import numba
from numba.core import types
from numba.core.registry import CPUDispatcher

from ono99_env.jit.libraries import Dependency, SharedReference
from ono99_env.jit.pipelines import PartCompiler, SharedCompiler, WholeCompiler

_OPTIONS = {"nopython": True, "nogil": True, "no_cfunc_wrapper": True}


class WholeDispatcher(CPUDispatcher):
    """A function that Python calls."""

    def __init__(self, function: Any) -> None:
        options = {**_OPTIONS, "forceinline": False}
        super().__init__(function, targetoptions=options, pipeline_class=WholeCompiler)


class PartDispatcher(CPUDispatcher):
    """A function that becomes part of its compiled callers.

    If Python calls it, as tests do, Numba compiles it once more for that.
    """

    def __init__(
        self, function: Any, forceinline: bool, pipeline_class: type[WholeCompiler] = PartCompiler
    ) -> None:
        options = {**_OPTIONS, "forceinline": forceinline, "no_cpython_wrapper": True}
        super().__init__(function, targetoptions=options, pipeline_class=pipeline_class)

    def add_overload(self, cres: Any) -> None:
        """Keep the compiled function for compiled callers alone: Python has no way in."""
        self.overloads[tuple(cres.signature.args)] = cres

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        return self._for_python._compile_for_args(*args, **kws)

    @cached_property
    def _for_python(self) -> Any:
        return numba.njit(nogil=True)(self.py_func)


class SharedDispatcher(PartDispatcher):
    """A function that compiled callers call by its address: it is compiled once for all of them."""

    def __init__(self, function: Any, is_rare: bool) -> None:
        super().__init__(function, forceinline=False, pipeline_class=SharedCompiler)
        self._is_rare = is_rare

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Let all callers call the function for one set of types."""
        return super().get_call_template(tuple(map(_widened, args)), kws)

    def compile(self, sig: Any) -> Any:
        """Compile the function, or load it; callers refer to it by name from then on."""
        is_new = tuple(sig) not in self.overloads
        entry_point = super().compile(sig)
        if is_new:
            context: Any = self.targetctx
            context.remove_user_function(entry_point)
            call = self._call_by_name(tuple(sig))
            context._defns[entry_point].append(call, call.signature)
        return entry_point

    def _call_by_name(self, arguments: tuple[types.Type, ...]) -> Any:
        """Return how Numba compiles a call: by name, and without a test for exceptions."""
        compiled: Any = self.overloads[arguments]
        target: Any = self.targetctx
        described, is_rare = compiled.fndesc, self._is_rare

        def call(context: Any, builder: Any, _: Any, values: Any) -> Any:
            function = context.declare_function(builder.module, described)
            function.attributes.add("nounwind")
            if is_rare:
                function.attributes.add("cold")
            _, result = context.call_conv.call_function(
                builder, function, described.restype, described.argtypes, values
            )
            return result

        marked: Any = call
        marked.signature = described.argtypes
        dependency = Dependency(self.py_func.__module__, self.py_func.__name__, arguments)
        marked.libs = (SharedReference(target.codegen(), dependency),)
        return marked


def _widened(argument: Any) -> Any:
    """Return the one type that stands for all integers of a sign."""
    exact: Any = types.unliteral(argument)  # type: ignore[no-untyped-call]
    is_number = isinstance(exact, types.Integer)
    return (types.int64 if exact.signed else types.uint64) if is_number else exact
