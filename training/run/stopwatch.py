"""How long a run takes: learning and measuring counted apart."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

_LEARNING, _MEASURING = 0, 1


class Stopwatch:
    """Counts the seconds of a run in all its processes.

    Args:
        learning: Seconds of learning before.
        measuring: Seconds of measuring before.
    """

    def __init__(self, learning: float = 0.0, measuring: float = 0.0) -> None:
        self._spent = [learning, measuring]
        self._part = _LEARNING
        self._since: float | None = None

    @property
    def seconds_learning(self) -> float:
        """Seconds of playing, updates and checkpoints: all but `measuring`."""
        return self._spent[_LEARNING] + self._running(_LEARNING)

    @property
    def seconds(self) -> float:
        """Seconds in all, of learning and measuring."""
        return self.seconds_learning + self._spent[_MEASURING] + self._running(_MEASURING)

    @contextmanager
    def time_run(self) -> Iterator[None]:
        """Count the time in here, at first as learning."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._switch(_LEARNING)
            self._since = None

    @contextmanager
    def time_measuring(self) -> Iterator[None]:
        """Count the time in here as measuring, inside `time_run`."""
        self._switch(_MEASURING)
        try:
            yield
        finally:
            self._switch(_LEARNING)

    def _switch(self, part: int) -> None:
        self._spent[self._part] += self._running(self._part)
        self._part = part
        if self._since is not None:
            self._since = time.monotonic()

    def _running(self, part: int) -> float:
        is_running = self._since is not None and self._part == part
        return time.monotonic() - (self._since or 0.0) if is_running else 0.0
