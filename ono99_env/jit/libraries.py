"""Machine code in libraries: each function of the package has one, as Numba gives every function.

Numba makes machine code of every function, with a wrapper for Python, although most are only called
by other compiled functions. Here are three kinds of functions instead:

- A *part* is never machine code of its own: its intermediate code, improved, is linked into the
  functions that call it.
- A *whole* becomes machine code, with all its parts.
- A *shared* function is a whole that other wholes call by its address: they refer to it by name.
"""

from typing import Any, NamedTuple

from numba.core.codegen import JITCodeLibrary


class Dependency(NamedTuple):
    """A shared function that machine code calls: it must be loaded first."""

    module: str
    name: str
    arguments: tuple[Any, ...]
    """Numba's types of its arguments."""


class WholeLibrary(JITCodeLibrary):
    """The machine code of a function with all its parts."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.dependencies: dict[Dependency, None] = {}
        """The shared functions that the code calls, in order."""

    def add_linking_library(self, library: Any) -> None:
        """Use another library, and the shared functions that it calls."""
        super().add_linking_library(library)  # type: ignore[no-untyped-call]
        self.dependencies.update(getattr(library, "dependencies", {}))


class PartLibrary(WholeLibrary):
    """The intermediate code of a function that is linked into its callers."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalized = True


class SharedReference(JITCodeLibrary):
    """What callers of a shared function link in place of its code: nothing."""

    def __init__(self, codegen: Any, dependency: Dependency) -> None:
        super().__init__(codegen, dependency.name)  # type: ignore[no-untyped-call]
        self.dependencies = {dependency: None}
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        return self._final_module
