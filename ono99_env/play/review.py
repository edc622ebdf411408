"""`review_choices`: a game looked back on, with the choices that cost the most."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ono99_env.bots.search.win_chances import estimate_win_chances
from ono99_env.drawing.scene import open_cards
from ono99_env.play.live_table import Choice
from ono99_env.rules.cards import Action

MOST_MARKED = 3
"""How many choices are marked as the costliest."""

_CLEAR = 2.0
"""Standard errors by which another action must be better for a choice to be marked."""


@dataclass(frozen=True)
class ReviewedChoice:
    """A decision of a person, and what playouts make of it."""

    move: int
    """How many plays came before it."""
    total: int
    """The running total then."""
    hand: tuple[str, ...]
    """The cards in hand, by card id."""
    action: Action
    """What was played."""
    best: Action
    """What would have won most."""
    win_chance: float
    """The chance to win after what was played."""
    best_chance: float
    """The chance to win after the best action."""
    is_clear: bool
    """Whether the difference is more than the luck of the playouts."""

    @property
    def cost(self) -> float:
        """What the choice gave away of the chance to win."""
        return self.best_chance - self.win_chance

    def as_data(self, is_marked: bool) -> dict[str, Any]:
        """Return the choice as JSON-serialisable data.

        Args:
            is_marked: Whether it is among the costliest.
        """
        return {
            "move": self.move,
            "total": self.total,
            "hand": list(self.hand),
            "action": self.action.label,
            "best": self.best.label,
            "win_chance": self.win_chance,
            "best_chance": self.best_chance,
            "cost": self.cost,
            "is_marked": is_marked,
        }


def review_choices(choices: Sequence[Choice], seed: int = 0) -> list[dict[str, Any]]:
    """Judge the decisions of a person by playouts from what the person could know then.

    Args:
        choices: The decisions, in order.
        seed: Decides the chance in the playouts.

    Returns:
        Each as `ReviewedChoice.as_data`, in order, with up to three marked as the costliest.
    """
    judged = [_judge(each, np.random.default_rng([seed, each.move])) for each in choices]
    clear = sorted((each for each in judged if each.is_clear), key=lambda each: -each.cost)
    marked = {each.move for each in clear[:MOST_MARKED]}
    return [each.as_data(each.move in marked) for each in judged]


def _judge(choice: Choice, rng: np.random.Generator) -> ReviewedChoice:
    chances = estimate_win_chances(choice.views, rng)
    means, state = chances.means, choice.views.states[0]
    cost, error = chances.cost(choice.action)
    best = max(means, key=lambda each: means[each])
    return ReviewedChoice(
        move=choice.move,
        total=int(state["total"]),
        hand=open_cards(state, int(state["current_player"])),
        action=choice.action,
        best=best if cost > _CLEAR * error else choice.action,
        win_chance=means[choice.action],
        best_chance=means[best] if cost > _CLEAR * error else means[choice.action],
        is_clear=cost > _CLEAR * error,
    )
