"""A notice on the error output of what is compiled, and how long each piece took here.

It is written when Numba compiles a function of this package, and not when machine code comes from
disk. Other notices say why cached machine code is not used, or cannot be kept.
"""

import sys
import time

from numba.core.event import Event, Listener, register

_ONCE = (
    "ono99-env: compiling the engine, once: 10 to 30 s for each interface (`ono99 warm-up` does it "
    "for all)."
)
_WORTH_SAYING = 1.0
"""Seconds from which on a line says how long a piece took."""

_PACKAGE = __name__.partition(".")[0]


class CompilationNotice(Listener):
    """Writes a line when the first function is compiled, and one for each that took a while."""

    def __init__(self) -> None:
        self.is_due: bool = True
        """Whether this process may write what it compiles."""
        self.is_kept: bool = True
        """Whether the machine code is kept on disk for the next time."""
        self._said: set[str] = set()
        self._is_said, self._depth, self._start = False, 0, 0.0

    def on_start(self, event: Event) -> None:
        """Write the notice; Numba calls this before it compiles any function."""
        if not self.is_due or not _is_ours(event):
            return
        if not self._is_said:
            self._is_said = True
            self._say(self._text)
        if self._depth == 0:
            self._start = time.perf_counter()
        self._depth += 1

    def on_end(self, event: Event) -> None:
        """Say how long a piece took; Numba calls this when it has compiled a function."""
        if self._depth == 0 or not _is_ours(event):
            return
        self._depth -= 1
        seconds = time.perf_counter() - self._start
        if self._depth == 0 and seconds >= _WORTH_SAYING:
            function = event.data["dispatcher"].py_func
            self._say(f"ono99-env: compiled {function.__name__} in {seconds:.0f} s")

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

    @property
    def _text(self) -> str:
        if self.is_kept:
            return _ONCE
        return (
            "ono99-env: compiling the engine. This takes 10 to 30 s in every process, "
            "because no folder can be written to: set NUMBA_CACHE_DIR to one that can."
        )


def _is_ours(event: Event) -> bool:
    """Return whether a function of this package is compiled."""
    return str(event.data["dispatcher"].py_func.__module__).partition(".")[0] == _PACKAGE


NOTICE = CompilationNotice()
"""The notice of this process."""

register("numba:compile", NOTICE)  # type: ignore[no-untyped-call]
