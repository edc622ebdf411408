"""Machine code in libraries: each function of the package has one, as Numba gives every function.

Numba makes machine code of every function, with a wrapper for Python, although most are only called
by other compiled functions: that took most of the time. Here are three kinds of libraries instead:

- A *part* is never machine code of its own. Its intermediate code is kept as it was written and is
  linked into the functions that call it.
- A *whole* is a function that becomes machine code, with all its parts.
- A *shared* function is a whole that other wholes call by its address. They refer to it by name.
"""

from typing import Any, NamedTuple

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary


class Dependency(NamedTuple):
    """A shared function that machine code calls: it must be loaded first."""

    module: str
    name: str
    arguments: tuple[Any, ...]
    """Numba's types of its arguments."""


class LinkingLibrary(JITCodeLibrary):
    """A library that knows all parts and shared functions that its code reaches."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.dependencies: dict[Dependency, None] = {}
        """The shared functions that the code calls, in order."""

    def add_linking_library(self, library: Any) -> None:
        """Use another library, and what that one uses."""
        if isinstance(library, SharedReference):
            self.dependencies[library.dependency] = None
            return
        super().add_linking_library(library)  # type: ignore[no-untyped-call]
        if isinstance(library, PartLibrary):
            self._linking_libraries.extend(library._linking_libraries)
            self.dependencies.update(library.dependencies)


class PartLibrary(LinkingLibrary):
    """The intermediate code of a function that is linked into its callers."""

    def add_llvm_module(self, ll_module: Any) -> None:
        """Add code without improving it: that is done once, in the callers."""
        ll_module.data_layout = self._codegen._data_layout
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        """Do nothing: the code is complete."""
        self._finalized = True

    def own_module(self) -> Any:
        """Return the code of this function alone, to be linked."""
        return super()._get_module_for_linking()  # type: ignore[no-untyped-call]

    def _get_module_for_linking(self) -> Any:
        """Return the code with all its parts, for callers outside the package."""
        module = self.own_module().clone()
        _link(module, self._linking_libraries)
        return module


class WholeLibrary(LinkingLibrary):
    """The machine code of a function with all its parts."""

    def finalize(self) -> None:
        """Link the parts, improve the code and make machine code of it."""
        self._raise_if_finalized()  # type: ignore[no-untyped-call]
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        _link(self._final_module, self._linking_libraries)
        self._optimize_final_module()  # type: ignore[no-untyped-call]
        self._final_module.verify()
        self._finalize_final_module()  # type: ignore[no-untyped-call]


class SharedReference(JITCodeLibrary):
    """What callers of a shared function link in place of its code: nothing."""

    def __init__(self, codegen: Any, dependency: Dependency) -> None:
        super().__init__(codegen, dependency.name)  # type: ignore[no-untyped-call]
        self.dependency = dependency
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        return self._final_module


def _link(module: binding.ModuleRef, libraries: list[Any]) -> None:
    """Link the code of each library into a module, once."""
    for library in dict.fromkeys(libraries):
        is_part = isinstance(library, PartLibrary)
        linked = library.own_module() if is_part else library._get_module_for_linking()
        module.link_in(linked, preserve=True)
