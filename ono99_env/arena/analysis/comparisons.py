"""Is one bot better than another? Every pair is compared at the tables where both sit."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.play.jobs import WHOLE_WIN
from ono99_env.arena.play.tally import TableTally


@dataclass(frozen=True)
class Comparison:
    """Two bots at the tables where both sit."""

    bots: tuple[int, int]
    games: int
    """Games in which both sat."""
    win_rates: tuple[float, float]
    """Wins of a seat of each."""
    difference: float
    """The first win rate less the second."""
    interval: tuple[float, float]
    """Confidence interval of the difference, over rounds."""
    p_value: float
    """How probable so large a difference would be between equals (Student's t, two-sided)."""
    p_adjusted: float
    """The same, corrected for the number of pairs at this player count (Holm)."""


def compare(tally: TableTally, num_bots: int, confidence: float) -> list[Comparison]:
    """Compare all pairs of bots that meet.

    The two have the same cards as often as each other, so that their difference is far less noisy
    than the win rates.

    Args:
        tally: The counts of a finished tournament at one player count.
        num_bots: How many bots took part.
        confidence: How often the intervals cover the truth.
    """
    schedule = tally.schedule
    holds = np.zeros((len(schedule.line_ups), num_bots), np.bool_)
    holds[schedule.cell_line_ups, schedule.cell_bots] = True
    pairs = []
    for first, second in combinations(range(num_bots), 2):
        shared = holds[:, first] & holds[:, second]
        if shared.any():
            pairs.append(_compare_pair(tally, (first, second), shared, confidence))
    adjusted = holm([pair.p_value for pair in pairs])
    return [
        Comparison(**{**vars(pair), "p_adjusted": p_adjusted})
        for pair, p_adjusted in zip(pairs, adjusted, strict=True)
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, so that a false alarm anywhere is as rare as each says.

    Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6 (1979).
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    steps = np.maximum.accumulate(np.asarray(p_values)[order] * factors)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(steps, 1)
    return [float(value) for value in adjusted]


def _compare_pair(
    tally: TableTally, bots: tuple[int, int], shared: NDArray[np.bool_], confidence: float
) -> Comparison:
    from scipy.special import stdtr, stdtrit

    first, second = (_rates(tally, bot, shared) for bot in bots)
    differences = first - second
    mean = float(differences.mean())
    stderr = float(differences.std(ddof=1) / np.sqrt(len(differences)))
    freedom = len(differences) - 1
    margin = float(stdtrit(freedom, (1 + confidence) / 2)) * stderr
    p_value = 2 * float(stdtr(freedom, -abs(mean) / stderr)) if stderr else float(mean == 0)
    games = sum(
        len(each.arrangements)
        for each, is_shared in zip(tally.schedule.line_ups, shared, strict=True)
        if is_shared
    )
    return Comparison(
        bots=bots,
        games=games * tally.schedule.rounds,
        win_rates=(float(first.mean()), float(second.mean())),
        difference=mean,
        interval=(mean - margin, mean + margin),
        p_value=p_value,
        p_adjusted=p_value,
    )


def _rates(tally: TableTally, bot: int, line_ups: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Wins of a seat of a bot in some line-ups, by group of rounds; shape (groups,)."""
    schedule = tally.schedule
    cells = (schedule.cell_bots == bot) & line_ups[schedule.cell_line_ups]
    seats = (schedule.cell_copies * schedule.cell_games)[cells].sum() * schedule.rounds_per_group
    return np.asarray(tally.wins[:, cells].sum(axis=1) / (WHOLE_WIN * seats))
