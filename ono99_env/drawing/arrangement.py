"""Where everything is in a drawing: the seats, the middle, and the hand at the bottom."""

from dataclasses import dataclass

WIDTH, HEIGHT = 1000, 900
"""Size of a drawing in its own units."""

MARGIN = 14
"""Between the edge, the seats, and one seat and the next."""


@dataclass(frozen=True)
class Area:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.height

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2


BOTTOM = Area(MARGIN, 624, WIDTH - 2 * MARGIN, HEIGHT - 624 - MARGIN)
"""The hand of the watcher."""

_SIDE_WIDTH = 246
_ROWS: dict[int, tuple[int, int, int]] = {
    2: (0, 1, 0),
    3: (0, 2, 0),
    4: (1, 1, 1),
    5: (1, 2, 1),
    6: (1, 3, 1),
    7: (2, 2, 2),
    8: (2, 3, 2),
}
"""By number of players: how many sit at the left, at the top, and at the right."""


@dataclass(frozen=True)
class Arrangement:
    """The areas of a table."""

    others: tuple[Area, ...]
    """The seats but for the one at the bottom, clockwise from its left."""
    center: Area
    """The total and the piles."""


def arrange(num_players: int) -> Arrangement:
    """Return where the seats of a table are.

    Args:
        num_players: 2 to 8.
    """
    at_left, at_top, at_right = _ROWS[num_players]
    # Few players get more room, so that their cards are larger.
    top_height, top_width = (212, 470) if num_players <= 3 else (180, 314)
    step = top_width + MARGIN
    start = (WIDTH - (at_top * step - MARGIN)) / 2
    top = [Area(start + step * index, MARGIN, top_width, top_height) for index in range(at_top)]
    above = top_height + 2 * MARGIN
    left = _column(MARGIN, above, at_left)
    right = _column(WIDTH - MARGIN - _SIDE_WIDTH, above, at_right)
    side = _SIDE_WIDTH + MARGIN if at_left else 0
    center = Area(MARGIN + side, above, WIDTH - 2 * (MARGIN + side), BOTTOM.y - MARGIN - above)
    return Arrangement((*left[::-1], *top, *right), center)


def _column(x: float, above: float, count: int) -> list[Area]:
    """Return the seats at one side, from the top down."""
    room = BOTTOM.y - MARGIN - above
    height = 186 if count == 2 else 190
    gap = (room - count * height) / (count + 1) if count else 0
    return [
        Area(x, above + gap + index * (height + gap), _SIDE_WIDTH, height) for index in range(count)
    ]
