"""Bots that are asked from Python: honest ones, and some that fail on purpose.

They live in a module, so that other processes can open them from a pickle.
"""

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from ono99_env import Bot, Views, load_bot


class Drawing(Bot):
    """Plays a random legal action with the randomness it is handed, as sampled policies do."""

    def __init__(self, name: str = "drawing") -> None:
        self.name = name

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        noise = rng.random(views.action_mask.shape)
        return np.where(views.action_mask, noise, -1).argmax(axis=1)


class Asked(Drawing):
    """`highest`, asked from Python."""

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return load_bot("highest").act(views, rng)


class Illegal(Drawing):
    """Plays an illegal card whenever the total is above 60."""

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        actions = super().act(views, rng)
        return np.where(views.states["total"] > 60, views.action_mask.argmin(axis=1), actions)


class Raising(Drawing):
    """Raises whenever one of the totals is above 60."""

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        if (views.states["total"] > 60).any():
            raise RuntimeError("I cannot count so far")
        return super().act(views, rng)


class NotANumber(Drawing):
    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return np.full(len(views), np.nan)


class WrongShape(Drawing):
    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return np.zeros((len(views), 17), np.int64)


class Slow(Drawing):
    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        time.sleep(1)
        return super().act(views, rng)


class Exiting(Drawing):
    """Ends the program, as it thinks, whenever one of the totals is above 60."""

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        if (views.states["total"] > 60).any():
            sys.exit(3)
        return super().act(views, rng)


class Ending(Drawing):
    """Ends its process for good, after some batches, unless a file says that it should not."""

    def __init__(self, name: str, marker: str = "", after: int = 0) -> None:
        super().__init__(name)
        self.marker, self.after = marker, after

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        self.after -= 1
        if self.after < 0 and not (self.marker and Path(self.marker).exists()):
            self.end()
        return super().act(views, rng)

    def end(self) -> None:
        os._exit(3)


class Killing(Ending):
    def end(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Hanging(Drawing):
    """Never answers; it writes down which process it hangs in."""

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        folder = os.environ.get("HANGING_WRITES")
        if folder:
            (Path(folder) / f"{os.getpid()}.pid").touch()
        while True:
            time.sleep(0.01)


class NotOpening(Drawing):
    """Cannot be opened from its pickle."""

    def __reduce__(self) -> tuple:
        return sys.exit, (5,)
