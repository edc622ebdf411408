"""Pictures in pixels, made of the vector drawing with resvg (the extra ``render``)."""

import io

import numpy as np
from numpy.typing import NDArray

from ono99_env.messages.extras import brought_by

DEFAULT_WIDTH = 800
"""Width of a picture in pixels. Its height is even too, as video encoders need it."""


def rasterize(svg: str, width: int = DEFAULT_WIDTH) -> bytes:
    """Return a drawing as the bytes of a PNG file.

    The result is the same on every machine: resvg draws it without the system's help. Only a name
    with characters that `ono99_env.drawing.glyphs` lacks is drawn with a font of the system.

    Args:
        svg: The drawing, as `draw_table` returns it.
        width: Width in pixels; the height follows from the drawing.

    Raises:
        ImportError: If the extra ``render`` is not installed.
    """
    with brought_by("render", "a picture in pixels"):
        import resvg_py
    return bytes(
        resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts="<text" not in svg)
    )


def pixels_of(svg: str, width: int = DEFAULT_WIDTH) -> NDArray[np.uint8]:
    """Return a drawing as an array, shape (height, width, 3).

    Args:
        svg: The drawing, as `draw_table` returns it.
        width: Width in pixels.

    Raises:
        ImportError: If the extra ``render`` is not installed.
    """
    png = rasterize(svg, width)
    with brought_by("render", "an array of pixels"):
        from PIL import Image
    with Image.open(io.BytesIO(png)) as image:
        return np.array(image.convert("RGB"))
