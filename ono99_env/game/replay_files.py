"""A replay as files: a picture for each moment, or one that moves."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ono99_env.drawing.rasters import DEFAULT_WIDTH, pixels_of, rasterize
from ono99_env.drawing.table_picture import draw_table
from ono99_env.drawing.themes import ThemeName
from ono99_env.files.atomic import write_atomically
from ono99_env.game.replay import Frame

_MILLISECONDS_AT_END = 4000
_COLOURS = 128
"""Colours of a GIF: the drawing has a dozen, and the blends along their edges."""


def write_frames(
    folder: Path,
    frames: Sequence[Frame],
    kind: Literal["svg", "png"],
    theme: ThemeName = "light",
    width: int = DEFAULT_WIDTH,
) -> list[Path]:
    """Write a picture of each moment: ``000.svg``, ``001.svg`` ...

    Args:
        folder: The folder; it is created if it does not exist.
        frames: The moments.
        kind: The kind of picture.
        theme: Its theme.
        width: Its width in pixels.

    Returns:
        The files.

    Raises:
        ImportError: If PNG files need the extra ``render``, which is not installed.
        OSError: If a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    digits = max(3, len(str(len(frames) - 1)))
    paths = []
    for number, frame in enumerate(frames):
        svg = draw_table(frame.scene, theme, width)
        path = folder / f"{number:0{digits}}.{kind}"
        write_atomically(path, svg.encode() if kind == "svg" else rasterize(svg, width))
        paths.append(path)
    return paths


def write_gif(
    path: Path,
    frames: Sequence[Frame],
    theme: ThemeName = "light",
    width: int = DEFAULT_WIDTH,
    seconds: float = 1.0,
) -> None:
    """Write a GIF that shows one moment after the other, again and again.

    Args:
        path: The file; an older one stays until the new one is complete.
        frames: The moments.
        theme: The theme of the pictures.
        width: Their width in pixels.
        seconds: How long each is shown; the last one longer.

    Raises:
        ImportError: If the extra ``render`` is not installed.
        OSError: If the file cannot be written.
    """
    pictures = [pixels_of(draw_table(frame.scene, theme), width) for frame in frames]
    from PIL import Image  # `pixels_of` has explained it if it is missing

    images = [
        Image.fromarray(picture).quantize(_COLOURS, dither=Image.Dither.NONE)
        for picture in pictures
    ]
    durations = [round(1000 * seconds)] * len(images)
    durations[-1] = max(durations[-1], _MILLISECONDS_AT_END)
    buffer = io.BytesIO()
    images[0].save(
        buffer, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0
    )
    write_atomically(path, buffer.getvalue())
