"""A window that shows pictures of a table (the extra ``render``)."""

import os
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TITLE = "ONO 99"


class Window:
    """A window on the screen. It opens with the first picture; a user may close it at any time.

    Args:
        frames_per_second: How fast pictures follow each other at most.
    """

    def __init__(self, frames_per_second: float) -> None:
        self._frames_per_second = frames_per_second
        self._surface: Any = None
        self._clock: Any = None
        self._was_closed = False

    @staticmethod
    def is_possible() -> bool:
        """Return whether there is a screen to open a window on, and what draws it is installed."""
        if sys.platform.startswith("linux"):
            names = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
            if not any(os.environ.get(name) for name in names):
                return False
        return _import_pygame() is not None

    def show(self, picture: NDArray[np.uint8]) -> None:
        """Show a picture, shape (height, width, 3), and wait until the next one may follow."""
        pygame = _import_pygame()
        if pygame is None or self._was_closed:
            return
        height, width, _ = picture.shape
        if self._surface is None:
            pygame.display.init()
            self._surface = pygame.display.set_mode((width, height))
            pygame.display.set_caption(_TITLE)
            self._clock = pygame.time.Clock()
        pygame.surfarray.blit_array(self._surface, picture.transpose(1, 0, 2))
        pygame.display.flip()
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._was_closed = True
            return
        self._clock.tick(self._frames_per_second)

    def close(self) -> None:
        """Close the window, if it is open."""
        pygame = _import_pygame()
        if self._surface is not None and pygame is not None:
            pygame.display.quit()
        self._surface = None


def _import_pygame() -> Any:
    """Return pygame, or None if it is not installed."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame
        import pygame.surfarray
    except ImportError:
        return None
    return pygame
