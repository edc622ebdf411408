"""Cards: a face for each kind, told apart by its sign and not only by its colour."""

from collections.abc import Callable
from dataclasses import dataclass

from ono99_env.drawing.elements import box, element, group, number, stroke_path
from ono99_env.drawing.glyphs import CAP_HEIGHT, MINUS, text_width, write
from ono99_env.drawing.themes import BACK, BACK_LINE, CARD_EDGE, CARD_INK, KIND_COLOURS, PAPER
from ono99_env.rules.cards import Card

PROPORTION = 1.4
"""Height of a card to its width."""

_WORDS = {
    "ono99": "ONO 99",
    "reverse": "REVERSE",
    "minus_ten": "MINUS TEN",
    "play_two": "PLAY TWO",
    "hold": "HOLD",
}
_UPSIDE_DOWN_TWINS = ("6", "9")
"""Numbers with a line under them, which tells one from the other when the card is turned."""
_LEAST_WIDTH_FOR_WORDS = 96
"""A card narrower than this has no word under its sign: nobody could read it."""


@dataclass(frozen=True)
class Place:
    """Where a card lies: its left top corner and its width."""

    x: float
    y: float
    width: float

    @property
    def height(self) -> float:
        """Its height."""
        return self.width * PROPORTION

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2


def draw_card(label: str | None, place: Place, **attributes: str | float | None) -> str:
    """Draw a card face up, or face down for None.

    Args:
        label: The label of the card.
        place: Where.
        **attributes: Attributes of the group of the card, such as ``class_``.
    """
    if label is None:
        return group(_back(place), **attributes)
    face = _special(label, place) if label in KIND_COLOURS else _number(label, place)
    return group(_sheet(place, PAPER), face, **attributes)


def draw_empty(place: Place, colour: str) -> str:
    """Draw the place of a pile that is empty."""
    return box(
        place.x,
        place.y,
        place.width,
        place.height,
        "none",
        radius=place.width * 0.1,
        stroke=colour,
        stroke_width=2.5,
        dash="8 7",
    )


def _sheet(place: Place, fill: str) -> str:
    return box(
        place.x,
        place.y,
        place.width,
        place.height,
        fill,
        radius=place.width * 0.1,
        stroke=CARD_EDGE,
        stroke_width=max(1.5, place.width * 0.018),
    )


def _number(label: str, place: Place) -> str:
    x, y = place.middle
    is_small = place.width < _LEAST_WIDTH_FOR_WORDS
    size = place.width * (0.66 if label == "10" else 0.92 if is_small else 0.8)
    baseline = y + size * CAP_HEIGHT / 2
    sign = write(label, x, baseline, size, CARD_INK, anchor="middle", weight="heavy")
    if label in _UPSIDE_DOWN_TWINS:
        half, below = size * 0.22, baseline + size * 0.16
        line = f"M{number(x - half)} {number(below)}H{number(x + half)}"
        sign += stroke_path(line, CARD_INK, size * 0.07)
    if is_small:
        return sign
    corner = place.width * 0.2
    left, top = place.x + place.width * 0.09, place.y + place.width * 0.09 + corner * CAP_HEIGHT
    small = write(label, left, top, corner, CARD_INK, weight="heavy")
    turned = group(small, transform=f"rotate(180 {number(x)} {number(y)})")
    return sign + small + turned


def _special(label: str, place: Place) -> str:
    """Draw a coloured field with the sign of a special card, and its word if there is room."""
    edge = place.width * 0.07
    colour = KIND_COLOURS[label]
    field = box(
        place.x + edge,
        place.y + edge,
        place.width - 2 * edge,
        place.height - 2 * edge,
        colour,
        radius=place.width * 0.06,
    )
    has_word = place.width >= _LEAST_WIDTH_FOR_WORDS
    x, y = place.middle
    sign = _SPECIAL[label](
        x,
        y - (place.width * 0.1 if has_word else 0),
        place.width * (0.31 if has_word else 0.36),
        colour,
    )
    if not has_word:
        return field + sign
    word = _WORDS[label]
    size = min(place.width * 0.15, place.width * 0.72 * 100 / text_width(word, 100))
    baseline = place.y + place.height - edge - place.width * 0.13
    return field + sign + write(word, x, baseline, size, PAPER, anchor="middle")


def _ono99(x: float, y: float, radius: float, colour: str) -> str:
    """Draw 99 in a barred ring: the card that may not be played."""
    size = radius * 1.1
    ring = element("circle", cx=x, cy=y, r=radius * 1.12, fill=PAPER)
    text = write("99", x, y + size * CAP_HEIGHT / 2, size, colour, anchor="middle", weight="heavy")
    inner = element(
        "circle", cx=x, cy=y, r=radius * 0.97, fill="none", stroke=colour, stroke_width=radius * 0.1
    )
    return ring + inner + text


def _minus_ten(x: float, y: float, radius: float, _: str) -> str:
    size = radius * 1.3
    return write(
        f"{MINUS}10", x, y + size * CAP_HEIGHT / 2, size, PAPER, anchor="middle", weight="heavy"
    )


def _reverse(x: float, y: float, radius: float, _: str) -> str:
    """Draw two arrows that turn round each other."""
    r, width = radius * 0.9, radius * 0.28
    head = radius * 0.4
    arrow = stroke_path(
        f"M{number(x - r)} {number(y + head * 0.2)}"
        f"V{number(y - r * 0.15)}Q{number(x - r)} {number(y - r * 0.72)} {number(x - r * 0.35)} "
        f"{number(y - r * 0.72)}H{number(x + r * 0.42)}",
        PAPER,
        width,
        cap="butt",
    ) + element(
        "path",
        d=f"M{number(x + r * 0.36)} {number(y - r * 0.72 - head)}l{number(head * 1.5)} "
        f"{number(head)}l{number(-head * 1.5)} {number(head)}z",
        fill=PAPER,
    )
    return arrow + group(arrow, transform=f"rotate(180 {number(x)} {number(y)})")


def _play_two(x: float, y: float, radius: float, colour: str) -> str:
    """Draw two cards, one over the other, and the number."""
    width, height = radius * 1.15, radius * 1.5

    def sheet(dx: float, dy: float, turn: float) -> str:
        middle = f"{number(x + dx)} {number(y + dy)}"
        return group(
            box(
                x + dx - width / 2,
                y + dy - height / 2,
                width,
                height,
                PAPER,
                radius=width * 0.12,
                stroke=colour,
                stroke_width=radius * 0.12,
            ),
            transform=f"rotate({turn:g} {middle})",
        )

    size = radius * 1.15
    text = write(
        "2",
        x + radius * 0.26,
        y + radius * 0.1 + size * CAP_HEIGHT / 2,
        size,
        colour,
        anchor="middle",
        weight="heavy",
    )
    return sheet(-radius * 0.4, -radius * 0.06, -14) + sheet(radius * 0.26, radius * 0.1, 8) + text


def _hold(x: float, y: float, radius: float, colour: str) -> str:
    """Draw two bars in an octagon: stop here."""
    r, k = radius * 1.12, 0.4142
    corners = [(1, k), (k, 1), (-k, 1), (-1, k), (-1, -k), (-k, -1), (k, -1), (1, -k)]
    points = " ".join(f"{number(x + r * a)},{number(y + r * b)}" for a, b in corners)
    bar, height = radius * 0.34, radius * 1.1
    bars = "".join(
        box(
            x + side * radius * 0.34 - bar / 2,
            y - height / 2,
            bar,
            height,
            colour,
            radius=bar * 0.2,
        )
        for side in (-1, 1)
    )
    return element("polygon", points=points, fill=PAPER) + bars


_SPECIAL: dict[str, Callable[[float, float, float, str], str]] = {
    Card.ONO99.label: _ono99,
    Card.MINUS_TEN.label: _minus_ten,
    Card.REVERSE.label: _reverse,
    Card.PLAY_TWO.label: _play_two,
    Card.HOLD.label: _hold,
}


def _back(place: Place) -> str:
    """Draw the back: a lattice, with no letter or number that could be taken for a face."""
    edge, width, height = place.width * 0.1, place.width, place.height
    left, top = place.x + edge, place.y + edge
    inner_width, inner_height = width - 2 * edge, height - 2 * edge
    lines = []
    for step in range(1, 4):
        x, y = inner_width * step / 4, inner_height * step / 4
        right, bottom = left + inner_width, top + inner_height
        lines += [
            f"M{number(left + x)} {number(top)}L{number(left)} {number(top + y)}",
            f"M{number(right - x)} {number(top)}L{number(right)} {number(top + y)}",
            f"M{number(left + x)} {number(bottom)}L{number(right)} {number(top + y)}",
            f"M{number(right - x)} {number(bottom)}L{number(left)} {number(top + y)}",
        ]
    lattice = stroke_path("".join(lines), BACK_LINE, max(1.0, width * 0.02))
    frame = box(
        left,
        top,
        inner_width,
        inner_height,
        BACK,
        radius=width * 0.05,
        stroke=BACK_LINE,
        stroke_width=max(1.0, width * 0.02),
    )
    return _sheet(place, PAPER) + frame + lattice
