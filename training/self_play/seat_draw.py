"""Draw the player count of a new game and the holder of each seat."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.tables import LEARNER


@dataclass
class SeatDraw:
    """Weights by which each seat of a new game gets its holder; one seat is always the learner's.

    A game meets at most one snapshot, so that a win rate against it has a meaning.
    """

    num_players: Sequence[int]
    """Player counts, drawn evenly."""
    learner: float
    """Weight of the learner, above 0."""
    bots: Sequence[float]
    """Weight of each named bot; the holder of a seat is the bot's place in this list."""
    snapshots: float = 0.0
    """Weight of the snapshots together."""
    active: Sequence[int] = ()
    """Holders of the snapshots that new games meet, drawn evenly; none: the learner plays."""

    def draw(
        self, rng: np.random.Generator, count: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
        """Draw the seatings of new games.

        Args:
            rng: The source of randomness.
            count: How many games.

        Returns:
            Player counts, shape (count,), and holders of the seats, shape (count, 8): `LEARNER` or
            the index of a bot. Seats beyond the player count have holders without a meaning.
        """
        num_players = rng.choice(np.asarray(self.num_players, np.int64), count)
        learner_seat = rng.integers(num_players)
        weights = np.array([self.learner, self.snapshots, *self.bots])
        shares = np.cumsum(weights / weights.sum())
        # The last share may be a rounding error below 1, above which a draw may lie.
        kinds = np.searchsorted(shares[:-1], rng.random((count, MAX_PLAYERS)), side="right")
        snapshot = rng.choice(self.active or [LEARNER], count)
        holders = np.where(kinds == 1, snapshot[:, None], kinds - 2)
        holders[kinds == 0] = LEARNER
        holders[np.arange(count), learner_seat] = LEARNER
        return num_players, holders.astype(np.int8)
