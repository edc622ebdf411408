"""Confidence intervals of what is measured over deals."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Estimate:
    """A mean over deals with its uncertainty."""

    mean: float
    stderr: float
    """Standard error of the mean."""
    interval: tuple[float, float]
    """Lower and upper end of the confidence interval."""


def estimate_share(
    shares: NDArray[np.float64], confidence: float, games_per_deal: int = 1
) -> Estimate:
    """Estimate a mean share of wins from independent deals.

    The interval is the mean plus or minus the normal quantile times the standard error, for which
    one game lost and one game won are added to those played. After thousands of deals that changes
    nothing, but it keeps the interval honest when few were played or all ended alike (the idea of
    Agresti and Coull, The American Statistician 52, 1998).

    Args:
        shares: The mean share of the games of each deal, from 0 to 1, shape (deals,).
        confidence: How often such an interval covers the truth, between 0 and 1.
        games_per_deal: How many games each deal was played.

    Raises:
        ValueError: If there is no deal or `confidence` is not between 0 and 1.
    """
    if len(shares) == 0:
        raise ValueError("an interval needs at least one deal")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    values = np.append(shares, [0.0, 1.0])
    weights = np.append(np.ones(len(shares)), [1 / games_per_deal] * 2)
    center = float(np.average(values, weights=weights))
    variance = weights @ (values - center) ** 2 / (weights.sum() - 1)
    stderr = float(np.sqrt(variance / weights.sum()))
    margin = NormalDist().inv_cdf((1 + confidence) / 2) * stderr
    mean = float(shares.mean())
    low, high = max(0.0, center - margin), min(1.0, center + margin)
    return Estimate(mean, stderr, (min(low, mean), max(high, mean)))
