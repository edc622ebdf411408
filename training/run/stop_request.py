"""A request by Ctrl-C to stop a run at the end of its update."""

import signal
from types import FrameType
from typing import Any, Self

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """While entered, the first Ctrl-C (or SIGTERM) is noted and the second interrupts as usual."""

    def __init__(self) -> None:
        self.is_made = False
        """Whether somebody wants the run to stop."""
        self._usual: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._usual = {number: signal.signal(number, self._note) for number in _SIGNALS}
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._usual.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.is_made:
            raise KeyboardInterrupt
        self.is_made = True
