"""Machine code from the disk, without getting the compiler ready that made it."""

from typing import Any

from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys


class MachineCodeCache(FunctionCache):
    """Numba's cache of a function, whose machine code loads in a third of the time.

    Numba enters all its types and functions in its registries before it looks into a cache, which
    takes a quarter of a second, and twice that where it finds SciPy to import. Machine code needs
    nothing of it but the runtime that counts references. A function that is not in the cache is
    compiled, and the compiler fills the registries itself.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function compiled for a signature, or None if it is not in the cache."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)  # type: ignore[no-untyped-call]
