"""Luce's choice model: how often bots of given strengths win.

Who wins a game is a choice among its players: a bot of strength w wins with probability w over the
sum of the strengths at the table (Luce, *Individual Choice Behavior*, 1959).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEP = 0.1
"""Step of the integration over the logarithm of time, at which it is exact to the last digits."""

_TAILS = (-40.0, 5.0)
"""Where integrands are over: exp(-40) of all, and exp(-exp(5)) of it."""


@dataclass(frozen=True)
class Expectation:
    """What bots win of a game in the mean, and how that changes with their strengths."""

    wins: NDArray[np.float64]
    """Wins of all seats of each bot in a game, shape (bots,)."""
    slopes: NDArray[np.float64]
    """Derivative of each by the logarithm of each strength, shape (bots, bots); symmetric."""


def at_table(strengths: NDArray[np.float64], copies: NDArray[np.float64]) -> Expectation:
    """What bots win at one table.

    Args:
        strengths: Logarithms of the strengths, shape (bots,).
        copies: Seats of each bot, shape (bots,).
    """
    weights = copies * np.exp(strengths - strengths.max())
    wins = weights / weights.sum()
    return Expectation(wins, np.diag(wins) - np.outer(wins, wins))


def at_mixed_tables(strengths: NDArray[np.float64], num_players: int) -> Expectation:
    """What bots win at tables whose seats are drawn as `LineUps` draws them.

    All tables at once: 1 over a sum of strengths is the integral of the product of exp(-w t) over
    the time t, in which the independent seats of a table come apart.

    Args:
        strengths: Logarithms of the strengths, shape (bots,).
        num_players: Seats at a table.
    """
    bots = len(strengths)
    log_time = np.arange(_TAILS[0] - strengths.max(), _TAILS[1] - strengths.min(), _STEP)
    # Of each bot w t at each moment, shape (moments, bots), and the chance that it has not won.
    ticks = np.exp(np.minimum(log_time[:, None] + strengths, _TAILS[1]))
    waiting = np.exp(-ticks)
    one_waits = waiting.mean(axis=1)
    rates = ticks * waiting
    scale = _STEP * num_players / bots
    wins = scale * one_waits ** (num_players - 1) @ rates
    others = one_waits ** (num_players - 2) * (num_players - 1) / bots
    slopes = np.diag(scale * one_waits ** (num_players - 1) @ (rates * (1 - ticks)))
    slopes -= scale * (others[:, None] * rates).T @ rates
    # Tables of one bot alone are not played; there it would win every game.
    alone = float(bots) ** -num_players
    is_played = 1 - bots * alone
    return Expectation((wins - alone) / is_played, slopes / is_played)
