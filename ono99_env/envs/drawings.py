"""Drawings of a table: text, or a picture (`ono99_env.envs.pictures`)."""

from typing import Literal, get_args

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.records import GAME_OVER, counts_from_hand, counts_from_pile
from ono99_env.jit.types import State
from ono99_env.rules.cards import Card
from ono99_env.rules.rules import Rules

RenderMode = Literal["human", "ansi", "rgb_array"]
"""``human`` prints the table, ``ansi`` returns it as text, ``rgb_array`` as a picture."""

RENDER_MODES: tuple[RenderMode, ...] = get_args(RenderMode)


def check_render_mode(render_mode: str | None) -> None:
    """Refuse a render mode that does not exist.

    Raises:
        ValueError: If it is neither None nor one of `RENDER_MODES`.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        known = ", ".join(RENDER_MODES)
        raise ValueError(f"render_mode must be None or one of {known}, not {render_mode!r}")


def render(
    state: State, rules: Rules, render_mode: RenderMode | None
) -> str | NDArray[np.uint8] | None:
    """Draw a table as a render mode says.

    Args:
        state: A game's record, or a redacted one.
        rules: The rules of the game.
        render_mode: One of `RENDER_MODES`; None draws nothing, with a warning.

    Returns:
        Text for ``ansi``, an array (height, width, 3) for ``rgb_array``, else None.
    """
    if render_mode is None:
        gymnasium.logger.warn("render() needs a render_mode; nothing is drawn")
        return None
    if render_mode == "rgb_array":
        from ono99_env.envs.pictures import render_picture

        return render_picture(state, rules)
    text = render_text(state, rules)
    if render_mode == "ansi":
        return text
    print(text, end="\n\n")
    return None


def render_text(state: State, rules: Rules) -> str:
    """Draw a table as lines of text: the total, the piles, and a line for each seat.

    Args:
        state: A game's record, or a redacted one (hidden cards are drawn as ``?``).
        rules: The rules of the game.
    """
    arrow = "clockwise" if state.direction == 1 else "counter-clockwise"
    in_hidden_hands = int(np.sum(state.hidden_cards))
    draw_pile = int(counts_from_pile(state.draw_pile).sum()) - in_hidden_hands
    discard_pile = int(counts_from_pile(state.discard_pile).sum())
    lines = [
        f"total {state.total} of {rules.highest_total}, {arrow}, "
        f"draw pile {draw_pile}, discard pile {discard_pile}"
    ]
    if rules.format != "single_round":
        lines[0] += f", round {state.round_number}"
    lines += [_seat_line(state, rules, seat) for seat in range(state.num_players)]
    return "\n".join(lines)


def _seat_line(state: State, rules: Rules, seat: int) -> str:
    marker = ">" if state.current_player == seat else " "
    counts = counts_from_hand(state.hands[seat])
    cards = [Card(int(card)).label for card in np.repeat(np.arange(len(Card)), counts)]
    cards += ["?"] * int(state.hidden_cards[seat])
    line = f"{marker} player_{seat}: {' '.join(cards) or '(no cards)'}"
    if rules.format == "chips":
        line += f"  chips {state.chips[seat]}"
    if rules.has_points:
        line += f"  points {state.points[seat]}"
    return line + _remark(state, seat)


def _remark(state: State, seat: int) -> str:
    in_match = int(state.in_match) >> seat & 1
    if state.phase in GAME_OVER:
        return "  wins" if in_match else ""
    if not int(state.in_round) >> seat & 1:
        return "  out" if in_match else "  out of the game"
    if state.current_player == seat and state.plays_owed == 2:
        return "  owes two cards"
    return "  owes the second card" if state.current_player == seat and state.second_play else ""
