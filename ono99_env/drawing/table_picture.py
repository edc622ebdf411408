"""`draw_table`: a table as an SVG picture, the one drawing that everything shows."""

from xml.sax.saxutils import escape

from ono99_env.drawing.arrangement import BOTTOM, HEIGHT, WIDTH, arrange
from ono99_env.drawing.elements import box, element, number
from ono99_env.drawing.glyphs import definitions
from ono99_env.drawing.middle import draw_middle, draw_outcome
from ono99_env.drawing.scene import Scene
from ono99_env.drawing.seat_panels import draw_seat, draw_watched_seat
from ono99_env.drawing.table_text import write_table
from ono99_env.drawing.themes import theme_of

NOTEBOOK_WIDTH = 640
"""Width in pixels at which notebooks show a table."""


def draw_table(scene: Scene, theme: str = "light", width: int | None = None) -> str:
    """Draw a table as an SVG picture: large cards, the seat of the watcher at the bottom.

    The picture needs no font and no other file. Cards of the hand at the bottom carry
    ``class="card"`` and ``data-card``, seats ``class="seat"`` and ``data-seat``.

    Args:
        scene: What is to be seen.
        theme: ``"light"`` or ``"dark"``.
        width: Width in pixels; None leaves it to whoever shows the picture.

    Raises:
        ValueError: If there is no such theme, or the width is not positive.
    """
    if width is not None and width < 1:
        raise ValueError(f"width must be at least 1 pixel, not {width}")
    colours, places = theme_of(theme), arrange(len(scene.seats))
    players = len(scene.seats)
    others = [(scene.bottom + 1 + index) % players for index in range(players - 1)]
    drawing = [
        box(0, 0, WIDTH, HEIGHT, colours.page),
        box(4, 4, WIDTH - 8, HEIGHT - 8, colours.table, radius=26),
        draw_middle(scene, places.center, colours),
        *(
            draw_seat(scene, seat, area, colours)
            for seat, area in zip(others, places.others, strict=True)
        ),
        draw_watched_seat(scene, BOTTOM, colours),
        draw_outcome(scene, places.center, colours) if scene.is_over else "",
    ]
    body = "".join(drawing)
    title = scene.outcome or f"total {scene.total} of {scene.highest_total}"
    told = element("title", escape(f"ONO 99: {title}")) + element(
        "desc", escape(write_table(scene))
    )
    return element(
        "svg",
        told + definitions(body) + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=None if width is None else number(width),
        height=None if width is None else number(width * HEIGHT / WIDTH),
        role="img",
    )
