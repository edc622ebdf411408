"""Pictures in pixels: their size, and that they need nothing of the machine."""

import subprocess
import sys

import numpy as np
import pytest

from ono99_env import Game
from ono99_env.drawing import draw_table
from ono99_env.drawing.rasters import pixels_of, rasterize

SVG = draw_table(Game(seed=1).scene(0))


@pytest.mark.parametrize("width", [400, 1000])
def test_a_picture_has_the_width_asked_for(width: int) -> None:
    picture = pixels_of(SVG, width)
    assert picture.shape == (round(width * 0.9), width, 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50


def test_the_bytes_are_those_of_a_png_file() -> None:
    assert rasterize(SVG, 400).startswith(b"\x89PNG")


def test_a_picture_without_foreign_names_holds_no_text_element() -> None:
    assert "<text" not in SVG
    assert "font-family" not in SVG


def test_without_the_extra_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['resvg_py'] = None\n"
        "from ono99_env.drawing.rasters import rasterize\n"
        "try: rasterize('<svg/>')\n"
        "except ImportError as error: print(error)"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "ono99-env[render]" in done.stdout
