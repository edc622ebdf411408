"""How environments show a table: text, a picture, or a window."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, get_args

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env.drawing.watchers import Watcher, check_watcher
from ono99_env.envs.window import Window
from ono99_env.game.readable_game import NOTEBOOK_WIDTH
from ono99_env.messages.suggestions import did_you_mean

if TYPE_CHECKING:
    from ono99_env.drawing.scene import Scene, ScenePlay

# Modules that draw are imported where they are needed: training need not wait for them.

RenderMode = Literal["human", "ansi", "rgb_array"]
"""``human`` shows the table in a window, or prints it where there is no screen; ``ansi`` returns it
as text, ``rgb_array`` as a picture."""

RENDER_MODES: tuple[RenderMode, ...] = get_args(RenderMode)

RENDER_FPS = 2
"""Frames per second: a play can be followed at this speed."""


class Renderer:
    """Shows the table of one environment.

    Args:
        render_mode: One of `RENDER_MODES`, or None.
        render_seat: Who looks, or None for the environment's own choice.
        num_players: Seats at the table.

    Raises:
        ValueError: If there is no such mode or seat.
    """

    def __init__(
        self, render_mode: str | None, render_seat: Watcher | None, num_players: int
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            known = ", ".join(RENDER_MODES)
            raise ValueError(
                f"render_mode must be None or one of {known}, not {render_mode!r}"
                f"{did_you_mean(render_mode, RENDER_MODES)}"
            )
        if render_seat is not None:
            check_watcher(render_seat, num_players, name="render_seat")
        self._mode = render_mode
        self._window: Window | None = None
        self._prints = False
        if render_mode == "human":
            self._prints = find_spec("resvg_py") is None or not Window.is_possible()

    @property
    def writes(self) -> bool:
        """Whether it writes text, with the plays since the last frame."""
        return self._mode == "ansi" or self._prints

    def render(
        self, scene: "Scene", plays: "Sequence[ScenePlay]" = ()
    ) -> str | NDArray[np.uint8] | None:
        """Show a table.

        Args:
            scene: What is to be seen.
            plays: What was played since the last frame, in order.

        Returns:
            Text for ``ansi``, an array (height, width, 3) for ``rgb_array``, else None.
        """
        if self._mode is None:
            gymnasium.logger.warn("render() needs a render_mode; nothing is drawn")
            return None
        if self.writes:
            from ono99_env.drawing.table_text import write_table

            text = write_table(scene, plays)
            if self._mode == "ansi":
                return text
            print(text, end="\n\n")
            return None
        from ono99_env.drawing.rasters import pixels_of
        from ono99_env.drawing.table_picture import draw_table

        picture = pixels_of(draw_table(scene))
        if self._mode == "rgb_array":
            return picture
        if self._window is None:
            self._window = Window(RENDER_FPS)
        self._window.show(picture)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


def notebook_picture(scene: "Scene") -> str:
    """Return the SVG that notebooks show for an environment."""
    from ono99_env.drawing.table_picture import draw_table

    return draw_table(scene, width=NOTEBOOK_WIDTH)
