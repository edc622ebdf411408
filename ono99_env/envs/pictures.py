"""A table as a picture, drawn with pygame (the extra ``render``)."""

import math
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.records import GAME_OVER, NOBODY, counts_from_hand, counts_from_pile
from ono99_env.jit.types import State
from ono99_env.messages.extras import brought_by
from ono99_env.rules.cards import Card
from ono99_env.rules.rules import Rules

WIDTH, HEIGHT = 960, 640
"""Size of the picture in pixels."""

_CARD_WIDTH, _CARD_HEIGHT = 40, 56
_FELT = (24, 92, 68)
_FELT_EDGE = (14, 60, 44)
_INK = (28, 28, 32)
_PAPER = (250, 248, 240)
_BACK = (150, 40, 48)
_PALE = (214, 226, 218)
_GLOW = (255, 206, 84)
_NUMBER_COLOR = (40, 70, 140)
_SPECIAL_COLORS = {
    Card.ONO99: (170, 30, 40),
    Card.REVERSE: (120, 60, 150),
    Card.MINUS_TEN: (20, 120, 60),
    Card.PLAY_TWO: (200, 110, 10),
    Card.HOLD: (70, 70, 80),
}
_FACES = {
    Card.ONO99: "ONO",
    Card.REVERSE: "Rev",
    Card.MINUS_TEN: "-10",
    Card.PLAY_TWO: "x2",
    Card.HOLD: "Hold",
}


def render_picture(state: State, rules: Rules) -> NDArray[np.uint8]:
    """Draw a table: the seats around it, the total and the piles in the middle.

    Args:
        state: A game's record, or a redacted one (hidden cards are drawn face down).
        rules: The rules of the game.

    Returns:
        The picture, shape (640, 960, 3).

    Raises:
        ImportError: If pygame is not installed.
    """
    pygame = _import_pygame()
    surface = pygame.Surface((WIDTH, HEIGHT))
    surface.fill(_FELT_EDGE)
    pygame.draw.ellipse(surface, _FELT, (30, 30, WIDTH - 60, HEIGHT - 60))
    _draw_middle(pygame, surface, state, rules)
    for seat in range(state.num_players):
        _draw_seat(pygame, surface, state, rules, seat)
    pixels = pygame.surfarray.pixels3d(surface)
    return np.ascontiguousarray(pixels.transpose(1, 0, 2))


def _import_pygame() -> Any:
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    with brought_by("render", "render_mode 'rgb_array'"):
        import pygame
        import pygame.surfarray
    pygame.font.init()
    return pygame


def _draw_middle(pygame: Any, surface: Any, state: State, rules: Rules) -> None:
    center = (WIDTH // 2, HEIGHT // 2)
    _text(pygame, surface, str(int(state.total)), 84, _PAPER, center)
    arrow = "clockwise" if state.direction == 1 else "counter-clockwise"
    below = [f"of {rules.highest_total}, {arrow}"]
    if rules.format != "single_round":
        below.append(f"round {state.round_number}")
    for line, text in enumerate(below):
        _text(pygame, surface, text, 22, _PALE, (center[0], center[1] + 76 + 24 * line))
    in_hands = int(np.sum(state.hidden_cards))
    draw_pile = int(counts_from_pile(state.draw_pile).sum()) - in_hands
    discard_pile = int(counts_from_pile(state.discard_pile).sum())
    top = None if state.top_discard == NOBODY else Card(int(state.top_discard))
    if draw_pile > 0:
        _draw_card(pygame, surface, None, center[0] - 130, center[1] - 28)
    _text(pygame, surface, f"draw {draw_pile}", 20, _PALE, (center[0] - 110, center[1] + 42))
    if top is not None:
        _draw_card(pygame, surface, top, center[0] + 90, center[1] - 28)
    _text(pygame, surface, f"played {discard_pile}", 20, _PALE, (center[0] + 110, center[1] + 42))


def _draw_seat(pygame: Any, surface: Any, state: State, rules: Rules, seat: int) -> None:
    # Seat 0 sits at the bottom; clockwise as seen from above is to the left from there.
    angle = math.pi / 2 + 2 * math.pi * seat / state.num_players
    x = WIDTH / 2 + 350 * math.cos(angle)
    y = HEIGHT / 2 + 220 * math.sin(angle)
    cards = _cards_of(state, seat)
    left = x - (len(cards) * (_CARD_WIDTH + 4)) / 2
    for place, card in enumerate(cards):
        _draw_card(pygame, surface, card, left + place * (_CARD_WIDTH + 4), y - 34)
    is_up = state.current_player == seat
    _text(pygame, surface, _caption(state, rules, seat), 22, _GLOW if is_up else _PALE, (x, y + 40))


def _cards_of(state: State, seat: int) -> list[Card | None]:
    counts = counts_from_hand(state.hands[seat])
    shown: list[Card | None] = [Card(int(card)) for card in np.repeat(np.arange(len(Card)), counts)]
    return shown + [None] * int(state.hidden_cards[seat])


def _caption(state: State, rules: Rules, seat: int) -> str:
    caption = f"player_{seat}"
    if rules.format == "chips":
        caption += f", chips {state.chips[seat]}"
    if rules.has_points:
        caption += f", points {state.points[seat]}"
    in_match = int(state.in_match) >> seat & 1
    if state.phase in GAME_OVER:
        return caption + (" wins" if in_match else "")
    if not int(state.in_round) >> seat & 1:
        return caption + " is out"
    if state.current_player == seat:
        return caption + (" owes two" if state.plays_owed == 2 else " to play")
    return caption


def _draw_card(pygame: Any, surface: Any, card: Card | None, left: float, top: float) -> None:
    """Draw a card face up, or face down for None."""
    box = pygame.Rect(int(left), int(top), _CARD_WIDTH, _CARD_HEIGHT)
    pygame.draw.rect(surface, _BACK if card is None else _PAPER, box, border_radius=6)
    pygame.draw.rect(surface, _INK, box, width=1, border_radius=6)
    if card is not None:
        color = _SPECIAL_COLORS.get(card, _NUMBER_COLOR)
        face = _FACES.get(card, card.label)
        _text(pygame, surface, face, 22 if len(face) > 2 else 30, color, box.center)


def _text(
    pygame: Any, surface: Any, text: str, size: int, color: tuple[int, int, int], center: Any
) -> None:
    image = pygame.font.Font(None, size).render(text, True, color)
    surface.blit(image, image.get_rect(center=(int(center[0]), int(center[1]))))
