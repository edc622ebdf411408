"""What a page is told about its seat: the picture, its cards with reasons, and the news."""

from typing import Any

import numpy as np

from ono99_env.drawing.scene import Scene, card_name
from ono99_env.drawing.table_picture import draw_table
from ono99_env.drawing.table_text import write_table
from ono99_env.game.legality import why_illegal
from ono99_env.observation.views import Views
from ono99_env.play.live_table import LiveTable
from ono99_env.rules.cards import Action

_KEPT_NEWS = 60
"""Sentences that a page gets when it opens."""


def state_message(table: LiveTable, seat: int, theme: str) -> dict[str, Any]:
    """Return all that the page of a seat shows; it holds nothing that the seat may not know.

    Args:
        table: The table.
        seat: The seat, whose view is redacted as those of bots are.
        theme: Theme of the picture.

    Raises:
        ValueError: If there is no such theme.
    """
    scene = table.scene(seat)
    return {
        "type": "state",
        "version": table.version,
        "seat": seat,
        "name": table.names[seat],
        "svg": draw_table(scene, theme),
        "text": write_table(scene),
        "is_over": scene.is_over,
        "has_won": seat in scene.winners,
        "outcome": scene.outcome,
        "is_your_turn": scene.current_player == seat,
        "prompt": prompt(table, scene, seat),
        "cards": cards_in_hand(table, scene, seat),
        "draw": _draw(table, seat),
        "news": table.news[-_KEPT_NEWS:],
        "first_news": max(0, len(table.news) - _KEPT_NEWS),
        "has_coach": table.setup.coach,
    }


def prompt(table: LiveTable, scene: Scene, seat: int) -> str:
    """Return what is to be done now, as a sentence to one seat."""
    if scene.is_over:
        return "You win!" if scene.winners == (seat,) else f"{scene.outcome}."
    if table.due_draw is not None:
        mine = table.due_draw.seat == seat
        return "Draw your card!" if mine else f"{table.names[table.due_draw.seat]} has to draw."
    if scene.current_player is None:
        return ""
    if scene.current_player != seat:
        duty = " and must play two" if scene.plays_owed == 2 else ""
        return f"{table.names[scene.current_player]} is to play{duty}."
    if scene.plays_owed == 2:
        return "You must play two cards: choose the first."
    return "Choose the second card." if scene.is_second_play else "Your turn: choose a card."


def cards_in_hand(table: LiveTable, scene: Scene, seat: int) -> list[dict[str, Any]]:
    """Return every kind of card that a seat holds, and why it may not be played if so.

    Args:
        table: The table.
        scene: What the seat sees.
        seat: The seat.
    """
    labels = list(dict.fromkeys(scene.seats[seat].cards))
    if Action.DISCARD_FOUR_ONO99.label in scene.legal:
        labels.append(Action.DISCARD_FOUR_ONO99.label)
    waiting = "" if scene.current_player == seat else prompt(table, scene, seat)
    return [
        {
            "action": label,
            "name": action_name(label),
            "is_legal": label in scene.legal,
            "reason": waiting or _reason(table, scene, seat, label),
        }
        for label in labels
    ]


def action_name(label: str) -> str:
    """Return what an action is called on its button."""
    if label == Action.DISCARD_FOUR_ONO99.label:
        return "Discard four ONO 99"
    return card_name(label)


def _reason(table: LiveTable, scene: Scene, seat: int, label: str) -> str:
    if label in scene.legal:
        return ""
    views = Views.of(table.rules, table.game.games, np.array([seat]))
    return why_illegal(views.states[0], table.rules, Action.from_label(label))


def _draw(table: LiveTable, seat: int) -> dict[str, float] | None:
    """Return the time that a seat has to draw, or None if it has nothing to draw."""
    if table.due_draw is None or table.due_draw.seat != seat:
        return None
    return {"seconds": table.seconds_to_draw(), "of": table.setup.draw_seconds or 0.0}
