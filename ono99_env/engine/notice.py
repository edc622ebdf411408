"""One line when machine code has to be made, so that nobody takes the wait for a hang."""

import sys
from typing import Any

from numba.core import event

_LINE = "ono99_env: compiling for this machine; later starts find the machine code on disk"


class CompilationNotice(event.Listener):
    """Writes a line at the first function of this package that Numba does not find on disk."""

    _is_given = False

    def on_start(self, event: Any) -> None:
        """A function is about to be compiled; Numba's lock is held."""
        is_ours = event.data["dispatcher"].py_func.__module__.startswith("ono99_env.")
        if is_ours and not self._is_given:
            self._is_given = True
            print(_LINE, file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        """A function has been compiled."""


def announce_compilation() -> None:
    """Have the line written to the standard error stream, once in this process."""
    event.register("numba:compile", CompilationNotice())  # type: ignore[no-untyped-call]
