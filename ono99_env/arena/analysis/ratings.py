"""Ratings: how strong each bot is in Luce's choice model, fitted by `choix`.

Who wins a game is a choice among its players: a bot of strength w wins with probability w over the
sum of the strengths at the table (Luce, *Individual Choice Behavior*, 1959). The maximum-likelihood
strengths are found by iterative Luce spectral ranking (Maystre and Grossglauser, "Fast and Accurate
Inference of Plackett-Luce Models", NeurIPS 2015): the strengths are the stationary distribution of
a Markov chain that walks from losers to winners. `choix.ilsr_top1` walks through the games one by
one; games of one line-up with one winner are alike, so here they enter the chain together, with
their number as weight, and `choix` solves it.

Intervals come from the bootstrap over groups of rounds, which are independent of each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.play.jobs import WHOLE_WIN
from ono99_env.arena.play.tally import TableTally

ELO = 400 / log(10)
"""Rating points of a strength e times as large: 400 points are ten times the odds, as in chess."""

RESAMPLES = 200
"""Bootstrap samples."""

_PRIOR = 0.1
"""Rate added between all bots (`alpha` of choix), so that all ratings are finite."""

_TOLERANCE = 1e-8
_MOST_ITERATIONS = 500


@dataclass(frozen=True)
class Rating:
    """The strength of a bot, in points around the mean of all bots of the tournament."""

    value: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Choices:
    """Who was chosen, at one player count."""

    copies: NDArray[np.float64]
    """Seats of each bot in each line-up, shape (line-ups, bots)."""
    cells: tuple[NDArray[np.int64], NDArray[np.int64]]
    """Line-up and bot of each cell (see `Schedule`)."""
    cell_wins: NDArray[np.float64]
    """Wins by group of rounds and cell, shape (groups, cells)."""

    @classmethod
    def of(cls, tally: TableTally, num_bots: int) -> "Choices":
        """The choices in a tally."""
        schedule = tally.schedule
        cells = (schedule.cell_line_ups, schedule.cell_bots)
        copies = np.zeros((len(schedule.line_ups), num_bots))
        copies[cells] = schedule.cell_copies
        return cls(copies, cells, tally.wins / WHOLE_WIN)

    def wins(self, times: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Wins of each bot in each line-up, shape (line-ups, bots).

        Args:
            times: How often each group counts, shape (groups,); default: once.
        """
        weights = np.ones(len(self.cell_wins)) if times is None else times
        wins = np.zeros(self.copies.shape)
        wins[self.cells] = weights @ self.cell_wins
        return wins

    def resampled(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """The wins of as many groups, drawn with replacement."""
        groups = len(self.cell_wins)
        return self.wins(rng.multinomial(groups, np.full(groups, 1 / groups)).astype(np.float64))


def rate(tallies: Sequence[TableTally], num_bots: int, confidence: float) -> list[Rating]:
    """Rate the bots by all games of a tournament.

    Args:
        tallies: The counts at each player count.
        num_bots: How many bots took part.
        confidence: How often the intervals cover the truth.
    """
    choices = [Choices.of(tally, num_bots) for tally in tallies]
    copies = np.concatenate([each.copies for each in choices])
    fitted = fit_luce(copies, np.concatenate([each.wins() for each in choices]))
    rng = np.random.default_rng(0)
    resampled = []
    for _ in range(RESAMPLES):
        wins = np.concatenate([each.resampled(rng) for each in choices])
        resampled.append(fit_luce(copies, wins, fitted))
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.array(resampled) * ELO, [tail, 1 - tail], axis=0)
    return [
        Rating(value, (min(value, below), max(value, above)))
        for value, below, above in zip(
            (fitted * ELO).tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]


def fit_luce(
    copies: NDArray[np.float64],
    wins: NDArray[np.float64],
    start: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Fit Luce's model to counted choices by iterative Luce spectral ranking.

    Args:
        copies: Seats of each bot in each line-up, shape (line-ups, bots).
        wins: Wins of each bot in each line-up, fractions where wins are shared; same shape.
        start: Where to start, as returned.

    Returns:
        Logarithms of the strengths, with mean 0; shape (bots,).
    """
    from choix.utils import exp_transform, log_transform, statdist

    parameters = np.zeros(copies.shape[1]) if start is None else start
    for _ in range(_MOST_ITERATIONS):
        at_table = copies @ exp_transform(parameters)
        chain = _PRIOR + copies.T @ (wins / at_table[:, None])
        np.fill_diagonal(chain, 0)
        chain -= np.diag(chain.sum(axis=1))
        before, parameters = parameters, log_transform(statdist(chain))
        if np.abs(parameters - before).sum() < _TOLERANCE * len(parameters):
            break
    return np.asarray(parameters)
