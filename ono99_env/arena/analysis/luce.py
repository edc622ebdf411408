"""Compute how often bots of given strengths win, in the choice model of Luce.

A bot of strength w wins a game with probability w divided by the sum of the strengths at the table
(Luce, *Individual Choice Behavior*, 1959).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEP = 0.1
"""Step of the integration over the logarithm of time; at this one it is exact to rounding."""

_TAILS = (-40.0, 5.0)
"""Bounds of the integration: outside, less than exp(-40) of the integral is left."""


@dataclass(frozen=True)
class Expectation:
    """The expected wins of bots in a game, and how they change with the strengths."""

    wins: NDArray[np.float64]
    """Wins of all seats of each bot in a game, shape (bots,)."""
    slopes: NDArray[np.float64]
    """Derivatives of `wins` by the logarithms of the strengths, shape (bots, bots); symmetric."""


def at_table(strengths: NDArray[np.float64], copies: NDArray[np.float64]) -> Expectation:
    """Compute the expected wins at one table.

    Args:
        strengths: Logarithms of the strengths, shape (bots,).
        copies: Seats of each bot, shape (bots,).
    """
    weights = copies * np.exp(strengths - strengths.max())
    wins = weights / weights.sum()
    return Expectation(wins, np.diag(wins) - np.outer(wins, wins))


def at_mixed_tables(strengths: NDArray[np.float64], num_players: int) -> Expectation:
    """Compute the expected wins at mixed tables, whose seats `LineUps` draws.

    It sums over all tables at once: 1 / (sum of strengths w) is the integral of the product of
    exp(-w t) over the time t, and under the integral the independent seats factorise.

    Args:
        strengths: Logarithms of the strengths, shape (bots,).
        num_players: Seats at a table.
    """
    bots = len(strengths)
    log_time = np.arange(_TAILS[0] - strengths.max(), _TAILS[1] - strengths.min(), _STEP)
    # For each bot w t at each moment, shape (moments, bots), and the chance that it still waits.
    ticks = np.exp(np.minimum(log_time[:, None] + strengths, _TAILS[1]))
    waiting = np.exp(-ticks)
    one_waits = waiting.mean(axis=1)
    rates = ticks * waiting
    scale = _STEP * num_players / bots
    wins = scale * one_waits ** (num_players - 1) @ rates
    others = one_waits ** (num_players - 2) * (num_players - 1) / bots
    slopes = np.diag(scale * one_waits ** (num_players - 1) @ (rates * (1 - ticks)))
    slopes -= scale * (others[:, None] * rates).T @ rates
    # Tables of one bot alone are not played: leave out their wins.
    alone = float(bots) ** -num_players
    is_played = 1 - bots * alone
    return Expectation((wins - alone) / is_played, slopes / is_played)
