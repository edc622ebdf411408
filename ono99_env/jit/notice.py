"""One line that says that the engine is being compiled, so that nobody wonders what it waits for.

It is written when Numba starts to compile a function of this package, so never when the machine
code comes from the disk. Another line says why kept machine code is not used or not kept.
"""

import sys

from numba.core.event import Event, Listener, register

_ONCE = "ono99-env: compiling what runs here for the first time, up to half a minute; it is kept."

_PACKAGE = __name__.partition(".")[0]


class CompilationNotice(Listener):
    """Writes one line to the error output when the first function is compiled."""

    def __init__(self) -> None:
        self.is_due = True
        """Whether the line has not been written yet, and shall be."""
        self.is_kept = True
        """Whether the machine code is kept on disk for the next time."""
        self._said: set[str] = set()

    def on_start(self, event: Event) -> None:
        """Called by Numba before it compiles any function."""
        module = str(event.data["dispatcher"].py_func.__module__)
        if not self.is_due or module.partition(".")[0] != _PACKAGE:
            return
        self.is_due = False
        self._say(self._text)

    def say_unreadable(self, folder: str, reason: str) -> None:
        """Say, once a process, that kept machine code cannot be used and is made anew."""
        if "unreadable" not in self._said:
            self._said.add("unreadable")
            self._say(
                f"ono99-env: the machine code kept in {folder} cannot be used: {reason}. "
                "It is compiled anew."
            )

    def say_unwritable(self, folder: str, reason: str) -> None:
        """Say, once a process, that machine code cannot be kept for the next time."""
        if "unwritable" not in self._said:
            self._said.add("unwritable")
            self._say(
                f"ono99-env: the machine code cannot be kept in {folder}: {reason}. The program "
                "goes on; the next start compiles again."
            )

    @staticmethod
    def _say(line: str) -> None:
        if sys.stderr is not None:  # as in a program without a console
            print(line, file=sys.stderr, flush=True)

    def on_end(self, event: Event) -> None:
        """Called by Numba when it has compiled a function."""

    @property
    def _text(self) -> str:
        if self.is_kept:
            return _ONCE
        return (
            "ono99-env: compiling, which takes about half a minute in every process, since "
            "there is no folder to keep the machine code in: set NUMBA_CACHE_DIR to one."
        )


NOTICE = CompilationNotice()
"""That of this process."""

register("numba:compile", NOTICE)  # type: ignore[no-untyped-call]
