"""A table as lines of text: the same that the picture shows."""

from collections.abc import Sequence

from ono99_env.drawing.scene import Scene, ScenePlay, SceneSeat
from ono99_env.messages.text import printable


def write_table(scene: Scene, plays: Sequence[ScenePlay] = ()) -> str:
    """Write a table as text: the total, the piles, and a line for each seat.

    Args:
        scene: What is to be seen; hidden cards are written as ``?``.
        plays: What was played since the last frame, in order; it is written first.
    """
    lines = [write_plays(scene, plays)] if plays else []
    arrow = "clockwise" if scene.direction == 1 else "counter-clockwise"
    head = (
        f"total {scene.total} of {scene.highest_total}, {arrow}, "
        f"draw pile {scene.draw_pile}, discard pile {scene.discard_pile}"
    )
    if scene.top_discard is not None:
        head += f" (top {scene.top_discard})"
    if scene.round_number is not None:
        head += f", round {scene.round_number}"
    lines.append(head)
    lines += [_seat_line(scene, seat) for seat in scene.seats]
    if scene.outcome:
        lines.append(printable(scene.outcome))
    return "\n".join(lines)


def write_plays(scene: Scene, plays: Sequence[ScenePlay]) -> str:
    """Write plays as a line, in order."""
    told = (f"{printable(scene.seats[play.seat].name)} {play.words}" for play in plays)
    return "; ".join(told)


def _seat_line(scene: Scene, seat: SceneSeat) -> str:
    marker = ">" if scene.current_player == seat.seat else " "
    cards = [*seat.cards, *["?"] * seat.hidden]
    line = f"{marker} {printable(seat.name)}: {' '.join(cards) or '(no cards)'}"
    if seat.chips is not None:
        line += f"  chips {seat.chips}"
    if seat.points is not None:
        line += f"  points {seat.points}"
    return line + _remark(scene, seat)


def _remark(scene: Scene, seat: SceneSeat) -> str:
    remarks = []
    if seat.standing == "wins":
        remarks.append("wins")
    elif seat.standing != "playing" and not scene.is_over:
        remarks.append({"out of the round": "out"}.get(seat.standing, seat.standing))
    if scene.current_player == seat.seat and scene.duty != "to play":
        remarks.append(scene.duty)
    if scene.last_play is not None and scene.last_play.seat == seat.seat:
        remarks.append(scene.last_play.words)
    return f"  {', '.join(remarks)}" if remarks else ""
