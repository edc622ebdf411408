"""A notice on the error output that the engine is being compiled, which may take half a minute.

It is written when Numba starts to compile a function of this package, and not when machine code
comes from disk. Other notices say why cached machine code is not used, or cannot be kept.
"""

import sys

from numba.core.event import Event, Listener, register

_ONCE = "ono99-env: compiling the engine, once; this takes up to half a minute."

_PACKAGE = __name__.partition(".")[0]


class CompilationNotice(Listener):
    """Writes one line to the error output when the first function is compiled."""

    def __init__(self) -> None:
        self.is_due: bool = True
        """Whether the notice is still to be written."""
        self.is_kept = True
        """Whether the machine code is kept on disk for the next time."""
        self._said: set[str] = set()

    def on_start(self, event: Event) -> None:
        """Write the notice; Numba calls this before it compiles any function."""
        module = str(event.data["dispatcher"].py_func.__module__)
        if not self.is_due or module.partition(".")[0] != _PACKAGE:
            return
        self.is_due = False
        self._say(self._text)

    def say_unreadable(self, folder: str, reason: str) -> None:
        """Say, once per process, that cached machine code cannot be used and is compiled again."""
        if "unreadable" not in self._said:
            self._said.add("unreadable")
            self._say(
                f"ono99-env: the machine code cached in {folder} cannot be used: {reason}. "
                "It is compiled again."
            )

    def say_unwritable(self, folder: str, reason: str) -> None:
        """Say, once per process, that machine code cannot be kept for the next start."""
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
        """Do nothing; Numba calls this when it has compiled a function."""

    @property
    def _text(self) -> str:
        if self.is_kept:
            return _ONCE
        return (
            "ono99-env: compiling the engine. This takes about half a minute in every process, "
            "because no folder can be written to: set NUMBA_CACHE_DIR to one that can."
        )


NOTICE = CompilationNotice()
"""The notice of this process."""

register("numba:compile", NOTICE)  # type: ignore[no-untyped-call]
