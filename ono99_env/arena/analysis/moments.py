"""Sums over rounds, from which intervals are computed; their size does not grow with the games.

They are whole numbers, so they do not depend on the order in which rounds are counted.
"""

from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Moments:
    """Sums over the rounds in which two bots both sit, each of shape (bots, bots).

    Entry [i, j] is about bot i in the rounds in which bot j sits too; [i, i] is about all rounds in
    which bot i sits. In a round, *wins* are the 840ths of wins of all seats of a bot, and *seats*
    is how many seats it held, over all games of the round.
    """

    rounds: NDArray[np.int64]
    """Rounds in which both sit."""
    wins: NDArray[np.int64]
    """Wins of bot i."""
    seats: NDArray[np.int64]
    """Seats of bot i."""
    squared_wins: NDArray[np.int64]
    """Squares of the wins of bot i."""
    wins_times_seats: NDArray[np.int64]
    """Wins times seats of bot i."""
    squared_seats: NDArray[np.int64]
    """Squares of the seats of bot i."""
    joint_wins: NDArray[np.int64]
    """Wins of bot i times those of bot j."""
    wins_times_other_seats: NDArray[np.int64]
    """Wins of bot i times seats of bot j."""
    joint_seats: NDArray[np.int64]
    """Seats of bot i times those of bot j."""

    @classmethod
    def of(cls, wins: NDArray[np.int64], seats: NDArray[np.int64]) -> Self:
        """Compute the sums over some rounds.

        Args:
            wins: 840ths of wins of each bot, shape (rounds, bots).
            seats: Seats of each bot, same shape.
        """
        # Float products are fast, and exact: all sums of a job are far below 2**53.
        won, held = wins.astype(np.float64), seats.astype(np.float64)
        sits = (seats > 0).astype(np.float64)
        own = [each.T @ sits for each in (sits, won, held, won**2, won * held, held**2)]
        joint = [won.T @ won, won.T @ held, held.T @ held]
        return cls(*(sums.astype(np.int64) for sums in (*own, *joint)))

    def add(self, other: Self) -> None:
        """Add the sums over other rounds."""
        for field in fields(self):
            sums = getattr(self, field.name)
            sums += getattr(other, field.name)
