"""Self-play at tables of several kinds at once: each kind has its own rules."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots import Bot
from ono99_env.rules.rules import Rules
from training.self_play.seat_draw import SeatDraw
from training.self_play.self_play_tables import SelfPlayTables

_ARRAYS = (
    "observation",
    "action_mask",
    "seats",
    "rewards",
    "game_over",
    "left_games",
    "left_holders",
    "left_returns",
)


class MixedTables:
    """Several `SelfPlayTables` as one; their tables come one kind after the other.

    The attributes are those of `SelfPlayTables`.

    Args:
        parts: The tables of each kind, which share one `SeatDraw`.
    """

    def __init__(self, parts: Sequence[SelfPlayTables]) -> None:
        self.parts = list(parts)
        self.seat_draw = parts[0].seat_draw
        self.observation: NDArray[np.float32]
        self.action_mask: NDArray[np.int8]
        self.seats: NDArray[np.int64]
        self.rewards: NDArray[np.float32]
        self.game_over: NDArray[np.bool_]
        self.left_games: NDArray[np.void]
        self.left_holders: NDArray[np.int8]
        self.left_returns: NDArray[np.float64]
        self._starts = np.cumsum([len(part) for part in parts])[:-1]
        self._concatenate()

    def __len__(self) -> int:
        """Return how many tables there are in all."""
        return len(self.seats)

    def reset(self, seed: int | None = None) -> None:
        """Deal new games at all tables; see `SelfPlayTables.reset`."""
        for number, part in enumerate(self.parts):
            part.reset(None if seed is None else seed + number)
        self._concatenate()

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take one decision at every table; see `SelfPlayTables.step`."""
        for part, chosen in zip(self.parts, np.split(actions, self._starts), strict=True):
            part.step(chosen)
        self._concatenate()

    def state_dict(self) -> dict[str, Any]:
        """Return all that the games continue from; see `SelfPlayTables.state_dict`."""
        return {"parts": [part.state_dict() for part in self.parts]}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue where others were; see `SelfPlayTables.load_state_dict`."""
        for part, saved in zip(self.parts, state["parts"], strict=True):
            part.load_state_dict(saved)
        self._concatenate()

    def _concatenate(self) -> None:
        for name in _ARRAYS:
            setattr(self, name, np.concatenate([getattr(part, name) for part in self.parts]))


AnyTables = SelfPlayTables | MixedTables
"""Tables where the learner plays itself, with one set of rules or several."""


def make_tables(
    kinds: Sequence[Rules], bots: Sequence[Bot], seat_draw: SeatDraw, num_tables: int, seed: int
) -> AnyTables:
    """Make tables that the kinds of rules share evenly.

    Args:
        kinds: The rules of each kind.
        bots: The bots that may hold seats.
        seat_draw: Who holds the seats of new games.
        num_tables: How many games run side by side in all.
        seed: Start of all randomness.

    Raises:
        ValueError: If a bot does not fit the rules.
    """
    sizes = [len(part) for part in np.array_split(np.arange(num_tables), len(kinds))]
    parts = [
        SelfPlayTables(rules, bots, seat_draw, size, seed + number)
        for number, (rules, size) in enumerate(zip(kinds, sizes, strict=True))
    ]
    return parts[0] if len(parts) == 1 else MixedTables(parts)
