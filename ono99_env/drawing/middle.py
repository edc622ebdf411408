"""The middle of the table: the total with its gauge, the direction, and the piles."""

import math

from ono99_env.drawing.arrangement import Area
from ono99_env.drawing.card_faces import Place, draw_card, draw_empty
from ono99_env.drawing.elements import box, element, group, number, stroke_path
from ono99_env.drawing.glyphs import CAP_HEIGHT, MINUS, fit, write
from ono99_env.drawing.scene import Scene
from ono99_env.drawing.themes import Theme

_RADIUS = 116
"""Of the gauge."""
_ARROW_RADIUS = 150
_PILE_WIDTH = 92
_GAUGE_START, _GAUGE_SWEEP = 135.0, 270.0
"""Degrees clockwise from the right: the gauge opens at the bottom."""
_NEAR_LIMIT = 9
"""A total that a 10 would lift over the limit is drawn as a danger."""


def draw_middle(scene: Scene, area: Area, theme: Theme) -> str:
    """Draw the middle into an area."""
    x = area.middle[0]
    y = area.y + 34 + (area.height - 34) / 2
    return (
        _heading(scene, area, theme)
        + _direction(scene, x, y, theme)
        + _gauge(scene, x, y, theme)
        + _draw_pile(scene, x, y, theme)
        + _discard_pile(scene, x, y, theme)
    )


def draw_outcome(scene: Scene, area: Area, theme: Theme) -> str:
    """Draw who has won, over the middle."""
    x = area.middle[0]
    y = area.y + 34 + (area.height - 34) / 2
    width = min(area.width, 560)
    names, words = scene.outcome_lines
    name, size = fit(names, 54, width - 50)
    line, line_size = fit(words, 34, width - 50)
    return group(
        box(
            x - width / 2,
            y + 48,
            width,
            116,
            theme.gold,
            radius=22,
            stroke=theme.page,
            stroke_width=6,
        ),
        write(name, x, y + 102, size, theme.on_gold, anchor="middle"),
        write(line, x, y + 146, line_size, theme.on_gold, anchor="middle"),
        class_="outcome",
    )


def _heading(scene: Scene, area: Area, theme: Theme) -> str:
    parts = [f"{scene.edition} edition"]
    if scene.round_number is not None:
        parts = [f"round {scene.round_number}", scene.match_format.replace("_", " ")]
    text, size = fit(" · ".join(parts), 26, area.width - 20)
    return write(text, area.middle[0], area.y + 24, size, theme.muted, anchor="middle")


def _point(x: float, y: float, radius: float, degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def _arc(x: float, y: float, radius: float, start: float, sweep: float) -> str:
    """Return path data of an arc; degrees clockwise from the right, negative turn back."""
    x0, y0 = _point(x, y, radius, start)
    x1, y1 = _point(x, y, radius, start + sweep)
    large, turn = int(abs(sweep) > 180), int(sweep > 0)
    r = number(radius)
    return f"M{number(x0)} {number(y0)}A{r} {r} 0 {large} {turn} {number(x1)} {number(y1)}"


def _direction(scene: Scene, x: float, y: float, theme: Theme) -> str:
    """Draw two arrows round the gauge, above and below it, that point where play goes."""
    sweep = 64 * scene.direction
    arrows = []
    for start in (270, 90):
        first = start - sweep / 2
        arc = stroke_path(_arc(x, y, _ARROW_RADIUS, first, sweep), theme.muted, 11)
        tip_x, tip_y = _point(x, y, _ARROW_RADIUS, first + sweep)
        turn = first + sweep + 90 * scene.direction
        head = element(
            "path",
            d="M-10 -23L25 0L-10 23z",
            fill=theme.muted,
            transform=f"translate({number(tip_x)} {number(tip_y)}) rotate({number(turn)})",
        )
        arrows.append(arc + head)
    return group(*arrows, class_="direction")


def _gauge(scene: Scene, x: float, y: float, theme: Theme) -> str:
    """Draw the total, and how much of the way to the limit it has gone."""
    limit, total = scene.highest_total, scene.total
    share = min(1.0, max(0.0, total / limit)) if limit > 0 else 1.0
    is_near = total > limit - _NEAR_LIMIT
    colour = theme.danger if is_near else theme.accent
    track = stroke_path(_arc(x, y, _RADIUS - 14, _GAUGE_START, _GAUGE_SWEEP), theme.line, 24)
    size = 118 if len(str(total)) < 3 else 92
    text = str(total).replace("-", MINUS)
    filled = ""
    if share > 0:
        filled = stroke_path(
            _arc(x, y, _RADIUS - 14, _GAUGE_START, max(0.5, _GAUGE_SWEEP * share)), colour, 24
        )
    return (
        element("circle", cx=x, cy=y, r=_RADIUS, fill=theme.panel)
        + track
        + filled
        + write(
            text, x, y + size * CAP_HEIGHT / 2 - 6, size, theme.ink, anchor="middle", weight="heavy"
        )
        + write(
            f"of {limit}", x, y + 96, 30, theme.danger if is_near else theme.muted, anchor="middle"
        )
    )


def _draw_pile(scene: Scene, x: float, y: float, theme: Theme) -> str:
    place = Place(x - _RADIUS - 14 - _PILE_WIDTH, y - _PILE_WIDTH * 0.8, _PILE_WIDTH)
    under = Place(place.x + 4, place.y - 4, _PILE_WIDTH)
    pile = draw_card(None, under) + draw_card(None, place) if scene.draw_pile else ""
    if not scene.draw_pile:
        pile = draw_empty(place, theme.muted)
    text = f"{scene.draw_pile} left"
    return pile + write(
        text, place.middle[0], place.y + place.height + 32, 25, theme.muted, anchor="middle"
    )


def _discard_pile(scene: Scene, x: float, y: float, theme: Theme) -> str:
    place = Place(x + _RADIUS + 14, y - _PILE_WIDTH * 0.8, _PILE_WIDTH)
    if scene.top_discard is None:
        pile = draw_empty(place, theme.muted)
    else:
        pile = draw_card(scene.top_discard, place, class_="discard")
    last = scene.last_play
    name = scene.seats[last.seat].name if last else f"{scene.discard_pile} played"
    text, size = fit(name, 25, _PILE_WIDTH + 26)
    return pile + write(
        text, place.middle[0], place.y + place.height + 32, size, theme.muted, anchor="middle"
    )
