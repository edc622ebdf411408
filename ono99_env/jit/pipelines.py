"""How Numba compiles the kinds of functions of libraries.py."""

from typing import Any, ClassVar

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering

from ono99_env.jit.libraries import PartLibrary, WholeLibrary


class WholeCompiler(CompilerBase):
    """Compiles a function into machine code, with all its parts."""

    library_class: ClassVar[type[WholeLibrary]] = WholeLibrary
    lowering: ClassVar[type[NativeLowering]] = NativeLowering

    def define_pipelines(self) -> list[PassManager]:
        """Return Numba's passes, with the lowering of this kind."""
        builder: Any = DefaultPassBuilder
        passes: Any = PassManager("nopython")  # type: ignore[no-untyped-call]
        for stage in (
            builder.define_untyped_pipeline,
            builder.define_typed_pipeline,
            builder.define_nopython_lowering_pipeline,
        ):
            for step, description in stage(self.state).passes:
                passes.add_pass(self.lowering if step is NativeLowering else step, description)
        passes.finalize()
        return [passes]

    def _compile_bytecode(self) -> Any:
        library = self.library_class(
            self.state.targetctx.codegen(), self.state.func_id.func_qualname
        )
        library.enable_object_caching()  # type: ignore[no-untyped-call]
        self.state.library = library
        return super()._compile_bytecode()  # type: ignore[no-untyped-call]


class SharedCompiler(WholeCompiler):
    """Compiles a function that machine code calls by a name that is the same in every process."""

    def _compile_bytecode(self) -> Any:
        # Numba numbers functions; a shared one's qualified name holds a digest of all sources.
        self.state.func_id.unique_id = None
        return super()._compile_bytecode()


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class PartLowering(NativeLowering):
    """Makes intermediate code that callers link, and no machine code."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        """See `NativeLowering`, but the callers' machine code is not made here."""
        state.flags.no_compile = True
        super().run_pass(state)  # type: ignore[no-untyped-call]
        state.cr = state.cr._replace(cfunc=PartOfCallers())
        state.targetctx.insert_user_function(state.cr.cfunc, state.cr.fndesc, [state.library])
        return True


class PartOfCallers:
    """In place of the address of a part: callers know it by this object."""


class PartCompiler(WholeCompiler):
    """Compiles a function that becomes part of its callers."""

    library_class = PartLibrary
    lowering = PartLowering
