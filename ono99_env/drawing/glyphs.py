"""Text as outlines, so that a drawing looks the same on every machine, with fonts or without.

The outlines are those of the font Manrope (see ``glyphs.json`` and ``OFL.txt`` beside this file).
"""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple
from xml.sax.saxutils import escape

from ono99_env.drawing.elements import element, number
from ono99_env.messages.text import printable

Weight = Literal["bold", "heavy"]
"""``bold`` has letters and signs, ``heavy`` digits for the faces of cards."""

MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
"""Signs that look better than a hyphen and a letter."""

UNITS = 1000
"""Units of an outline to the size of the text."""
CAP_HEIGHT = 0.72
"""Height of a capital letter, in sizes."""
_LEAST_SHRINK = 0.78
"""How far a text is shrunk to fit before it is cut."""

_REFERENCE = re.compile(r'href="#g-(bold|heavy)-([0-9a-f]+)"')


class Glyph(NamedTuple):
    """The outline of one character."""

    advance: int
    """How far the next character is to the right, in `UNITS`."""
    path: str
    """SVG path data, y down from the baseline."""


@cache
def glyphs(weight: Weight) -> dict[str, Glyph]:
    """Return the outlines of a weight by character."""
    text = files("ono99_env.drawing").joinpath("glyphs.json").read_text(encoding="utf-8")
    return {character: Glyph(*outline) for character, outline in json.loads(text)[weight].items()}


def text_width(text: str, size: float, weight: Weight = "bold") -> float:
    """Return how wide a text is. Characters without an outline count as one size each."""
    known = glyphs(weight)
    return sum(known[each].advance if each in known else UNITS for each in text) * size / UNITS


class Label(NamedTuple):
    """A text and the size at which it fits."""

    text: str
    size: float


def fit(text: str, size: float, width: float, weight: Weight = "bold") -> Label:
    """Return a text that is at most so wide: shrunk a little, and then cut with an ellipsis."""
    text = printable(text)
    natural = text_width(text, size, weight)
    size *= max(_LEAST_SHRINK, min(1.0, width / max(natural, 1e-9)))
    if text_width(text, size, weight) <= width + 0.01:
        return Label(text, size)
    while text and text_width(f"{text}…", size, weight) > width:
        text = text[:-1]
    return Label(f"{text.rstrip()}…", size)


def write(
    text: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    *,
    anchor: Literal["start", "middle", "end"] = "start",
    weight: Weight = "bold",
) -> str:
    """Return a text as SVG.

    Args:
        text: A line; a character without an outline makes it ordinary text in a system's font.
        x: Where it starts, has its middle, or ends.
        y: The baseline.
        size: The size of the font.
        fill: The colour.
        anchor: What `x` is.
        weight: Which outlines.
    """
    known = glyphs(weight)
    width = text_width(text, size, weight)
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    if not all(each in known for each in text):
        return element(
            "text",
            escape(text),
            x=left,
            y=y,
            fill=fill,
            font_size=size,
            font_family="sans-serif",
            font_weight="bold",
            textLength=width,
            lengthAdjust="spacingAndGlyphs",
        )
    uses, at = [], 0
    for each in text:
        if known[each].path:
            uses.append(f'<use href="#g-{weight}-{ord(each):x}" x="{at}"/>')
        at += known[each].advance
    transform = f"translate({number(left)} {number(y)}) scale({size / UNITS:.5g})"
    return element("g", "".join(uses), fill=fill, transform=transform)


def definitions(drawing: str) -> str:
    """Return the outlines that a drawing refers to."""
    used = sorted(set(_REFERENCE.findall(drawing)))
    paths = [
        f'<path id="g-{weight}-{code}" d="{glyphs(weight)[chr(int(code, 16))].path}"/>'
        for weight, code in used
    ]
    return f"<defs>{''.join(paths)}</defs>"
