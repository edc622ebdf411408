"""Measure on a noisy machine: alternate the candidates, and compare medians."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured path beside its reference."""

    name: str
    """What was measured."""
    rate: float
    """Median of the runs, in `unit`."""
    unit: str
    reference: str
    """What it is compared with."""
    reference_rate: float
    """Median of the reference's runs, in the same unit."""

    @property
    def ratio(self) -> float:
        """How many times the reference."""
        return self.rate / self.reference_rate


def alternate(candidates: list[Callable[[], float]], rounds: int) -> list[float]:
    """Run each candidate in turn, several times; return the median of what each measured.

    Args:
        candidates: Functions that do some work and return its rate.
        rounds: How often each runs, after one run that is not counted.
    """
    measured: list[list[float]] = [[] for _ in candidates]
    for index in range(rounds + 1):
        for candidate, rates in zip(candidates, measured, strict=True):
            rate = candidate()
            if index > 0:
                rates.append(rate)
    return [statistics.median(rates) for rates in measured]
