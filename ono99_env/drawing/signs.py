"""Signs of a seat: its chips or points, and what it has to do, has won, or has played."""

from typing import NamedTuple

from ono99_env.drawing.elements import box, element, group, number
from ono99_env.drawing.glyphs import CAP_HEIGHT, TIMES, fit, text_width, write
from ono99_env.drawing.scene import SceneSeat
from ono99_env.drawing.themes import Theme

SIZE = 25
"""Size of the text of signs."""
PILL_HEIGHT = 36
_DISC_RADIUS = 11
_DISC_STEP = 2 * _DISC_RADIUS + 5
_MOST_DISCS = 4
"""Chips up to which each is drawn; more are a number."""


class Sign(NamedTuple):
    """Something small, drawn from the point (0, 0) to the right."""

    drawing: str
    width: float

    def at(self, x: float, y: float) -> str:
        """Return it at a place: its left end and, for a text, its baseline, else its top."""
        if not self.drawing:
            return ""
        return group(self.drawing, transform=f"translate({number(x)} {number(y)})")


NOTHING = Sign("", 0)


def text_sign(text: str, fill: str, most_width: float = 1e9) -> Sign:
    """Return a text as a sign, at most so wide."""
    label, size = fit(text, SIZE, most_width)
    return Sign(write(label, 0, 0, size, fill), text_width(label, size))


def score_sign(seat: SceneSeat, theme: Theme) -> Sign:
    """Return the chips or points of a seat; `NOTHING` in formats without."""
    if seat.points is not None:
        return text_sign(f"{seat.points} pts", theme.ink)
    if seat.chips is None:
        return NOTHING
    if seat.chips == 0:
        return text_sign("no chips", theme.muted)
    if seat.chips > _MOST_DISCS:
        count = text_sign(f"{TIMES}{seat.chips}", theme.ink)
        return Sign(_disc(0, theme) + count.at(_DISC_STEP, 0), _DISC_STEP + count.width)
    discs = (_disc(index * _DISC_STEP, theme) for index in range(seat.chips))
    return Sign("".join(discs), seat.chips * _DISC_STEP - 5)


def _disc(left: float, theme: Theme) -> str:
    """Draw a chip that stands on the baseline as a capital letter would."""
    x, y = left + _DISC_RADIUS, -SIZE * CAP_HEIGHT / 2
    rim = element(
        "circle",
        cx=x,
        cy=y,
        r=_DISC_RADIUS * 0.6,
        fill="none",
        stroke=theme.panel,
        stroke_width=2.5,
        stroke_dasharray="4 3",
    )
    return element("circle", cx=x, cy=y, r=_DISC_RADIUS, fill=theme.danger) + rim


def pill_sign(text: str, shape: str, fill: str, ink: str, most_width: float) -> Sign:
    """Return a text on a field with round ends.

    Args:
        text: What it says.
        shape: ``"pointer"`` or ``"star"`` before the text, or ``""``.
        fill: Colour of the field.
        ink: Colour of the text.
        most_width: How wide it may be.
    """
    before = 44 if shape else 15
    label, size = fit(text, SIZE, most_width - before - 15)
    width = before + text_width(label, size) + 15
    middle = PILL_HEIGHT / 2
    drawn = {"pointer": _pointer(18, middle, ink), "star": star(27, middle, 13, ink), "": ""}[shape]
    written = write(label, before, middle + size * CAP_HEIGHT / 2, size, ink)
    return Sign(box(0, 0, width, PILL_HEIGHT, fill, radius=middle) + drawn + written, width)


def _pointer(x: float, y: float, fill: str) -> str:
    return element("path", d=f"M{number(x)} {number(y - 10)}l17 10l-17 10z", fill=fill)


_STAR = (
    *((0, -1), (0.22, -0.31), (0.95, -0.31), (0.36, 0.12), (0.59, 0.81)),
    *((0, 0.38), (-0.59, 0.81), (-0.36, 0.12), (-0.95, -0.31), (-0.22, -0.31)),
)


def star(x: float, y: float, radius: float, fill: str) -> str:
    """Draw a star with five points."""
    points = " ".join(f"{number(x + radius * a)},{number(y + radius * b)}" for a, b in _STAR)
    return element("polygon", points=points, fill=fill)
