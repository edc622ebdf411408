"""The panel of a seat: its name, its score, its cards, and what it did or has to do."""

from dataclasses import dataclass

from ono99_env.drawing.arrangement import Area
from ono99_env.drawing.card_faces import PROPORTION, Place, draw_card
from ono99_env.drawing.elements import box, group
from ono99_env.drawing.glyphs import fit, write
from ono99_env.drawing.scene import Scene, SceneSeat
from ono99_env.drawing.signs import (
    NOTHING,
    PILL_HEIGHT,
    Sign,
    pill_sign,
    score_sign,
    text_sign,
)
from ono99_env.drawing.themes import Theme

_PADDING = 14
_NAME_SIZE = 29
_COLUMN_WIDTH = 262
"""Of the words beside the hand at the bottom."""


@dataclass(frozen=True)
class Panel:
    """A seat, where it is drawn, and in which colours."""

    scene: Scene
    seat: SceneSeat
    area: Area
    theme: Theme

    @property
    def is_current(self) -> bool:
        """Whether it is the seat's turn."""
        return self.scene.current_player == self.seat.seat

    @property
    def is_out(self) -> bool:
        """Whether the seat plays no more, in this round or at all."""
        return self.seat.standing.startswith("out")

    @property
    def is_winner(self) -> bool:
        """Whether the seat has won."""
        return self.seat.standing == "wins"

    @property
    def last_words(self) -> str:
        """What the seat played, if its card is the last one on the pile."""
        last = self.scene.last_play
        return last.words if last is not None and last.seat == self.seat.seat else ""

    def faded(self, drawing: str) -> str:
        """Return a part of the panel, dimmed if the seat is out."""
        return group(drawing, opacity=0.55) if self.is_out and drawing else drawing


def draw_seat(scene: Scene, seat: int, area: Area, theme: Theme) -> str:
    """Draw a seat beside the table: name and score, cards, and a line of what it does."""
    panel = Panel(scene, scene.seats[seat], area, theme)
    left, right = area.x + _PADDING, area.right - _PADDING
    score = score_sign(panel.seat, theme)
    baseline = area.y + _PADDING + _NAME_SIZE * 0.84
    room = right - left - (score.width + _PADDING if score.width else 0)
    name, size = fit(panel.seat.name, _NAME_SIZE, room)
    head = write(name, left, baseline, size, theme.ink) + score.at(right - score.width, baseline)
    top = area.y + _PADDING + _NAME_SIZE + 12
    status_top = area.bottom - 10 - PILL_HEIGHT
    cards = _cards(panel, Area(left, top, right - left, status_top - 8 - top))
    status = _status(panel, right - left)
    played_left = left + (status.width + 12 if status.width else 0)
    played = _played(panel, right - played_left)
    return _as_seat(
        panel,
        panel.faded(head + cards),
        status.at(left, status_top),
        played.at(played_left, status_top + PILL_HEIGHT * 0.72),
    )


def draw_watched_seat(scene: Scene, area: Area, theme: Theme) -> str:
    """Draw the seat at the bottom: large cards, and the words in a column beside them."""
    panel = Panel(scene, scene.seats[scene.bottom], area, theme)
    left, room = area.x + _PADDING + 6, _COLUMN_WIDTH - _PADDING
    name, size = fit(panel.seat.name, _NAME_SIZE + 7, room)
    head = write(name, left, area.y + 52, size, theme.ink)
    score = score_sign(panel.seat, theme).at(left, area.y + 98)
    cards_left = area.x + _PADDING + _COLUMN_WIDTH + _PADDING
    height = area.height - 2 * _PADDING
    cards = Area(cards_left, area.y + _PADDING, area.right - _PADDING - cards_left, height)
    status = _status(panel, room)
    status_top = area.bottom - 2 * _PADDING - PILL_HEIGHT
    played_top = status_top - 22 if status.width else status_top + PILL_HEIGHT * 0.72
    return _as_seat(
        panel,
        panel.faded(head + score + _cards(panel, cards)),
        status.at(left, status_top),
        _played(panel, room, is_needed=True).at(left, played_top),
    )


def _as_seat(panel: Panel, *content: str) -> str:
    return group(_frame(panel), *content, class_="seat", data_seat=str(panel.seat.seat))


def _frame(panel: Panel) -> str:
    area, theme = panel.area, panel.theme
    stroke, width, dash = theme.line, 2.0, None
    if panel.is_winner:
        stroke, width = theme.gold, 9
    elif panel.is_current:
        stroke, width = theme.accent, 7
    elif panel.is_out:
        dash = "9 8"
    fill = theme.table if panel.is_out else theme.panel
    frame = box(
        area.x,
        area.y,
        area.width,
        area.height,
        fill,
        radius=18,
        stroke=stroke,
        stroke_width=width,
        dash=dash,
    )
    if not panel.is_winner:
        return frame
    shine = box(area.x, area.y, area.width, area.height, theme.gold, radius=18)
    return frame + group(shine, opacity=0.22)


def _cards(panel: Panel, room: Area) -> str:
    """Draw the hand into an area, open cards first; cards overlap if they need to."""
    seat, scene = panel.seat, panel.scene
    cards: list[str | None] = [*seat.cards, *[None] * seat.hidden]
    if not cards:
        return ""
    gap = 12 if room.height > 150 else 6
    at_once = max(len(cards), 4)  # a smaller hand has no larger cards
    width = min(room.height / PROPORTION, (room.width - gap * 3) / min(at_once, 4))
    step = min(width + gap, (room.width - width) / max(1, len(cards) - 1))
    left = room.x + (room.width - width - step * (len(cards) - 1)) / 2
    top = room.y + (room.height - width * PROPORTION) / 2
    knows_legal = panel.is_current and scene.watcher == seat.seat
    return "".join(
        draw_card(
            card,
            Place(left + index * step, top, width),
            class_="card",
            data_card=card,
            opacity=0.38 if knows_legal and card is not None and card not in scene.legal else None,
        )
        for index, card in enumerate(cards)
    )


def _status(panel: Panel, room: float) -> Sign:
    """Return what the seat has to do, or has won or lost."""
    scene, theme = panel.scene, panel.theme
    if panel.is_winner:
        text = "WINS" if len(scene.winners) == 1 else "SHARES THE WIN"
        return pill_sign(text, "star", theme.gold, theme.on_gold, room)
    if panel.is_current:
        return pill_sign(scene.duty, "pointer", theme.accent, theme.on_accent, room)
    if panel.is_out:
        text = "OUT" if scene.is_over else panel.seat.standing.upper()
        return pill_sign(text, "", theme.muted, theme.panel, room)
    return NOTHING


def _played(panel: Panel, room: float, is_needed: bool = False) -> Sign:
    """Return what the seat played last, if there is room for it or it is needed."""
    words = text_sign(panel.last_words, panel.theme.ink)
    if is_needed or words.width <= room:
        return text_sign(panel.last_words, panel.theme.ink, room)
    return NOTHING
