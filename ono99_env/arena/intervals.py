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


def estimate_share(shares: NDArray[np.float64], confidence: float) -> Estimate:
    """Estimate a mean share, from 0 to 1, from independent deals.

    The interval is the mean plus or minus the normal quantile times the standard error, for which
    one deal that went all wrong and one that went all right are added to those played. With
    thousands of deals this changes nothing, but it keeps the interval honest when few deals were
    played or all ended alike (the idea of Agresti and Coull, The American Statistician 52, 1998).

    Args:
        shares: One number a deal, from 0 to 1, shape (deals,); deals are independent.
        confidence: How often such an interval covers the truth, between 0 and 1.

    Raises:
        ValueError: If there is no deal or `confidence` is not between 0 and 1.
    """
    if len(shares) == 0:
        raise ValueError("an interval needs at least one deal")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    padded = np.append(shares, [0.0, 1.0])
    stderr = float(padded.std(ddof=1) / np.sqrt(len(padded)))
    margin = NormalDist().inv_cdf((1 + confidence) / 2) * stderr
    center = float(padded.mean())
    interval = (max(0.0, center - margin), min(1.0, center + margin))
    return Estimate(float(shares.mean()), stderr, interval)
