"""Measure on a noisy machine: alternate the candidates, and compare medians."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self


class Median(float):
    """The median of several runs, which remembers them."""

    runs: tuple[float, ...]
    """What each run measured, in order."""

    @classmethod
    def of(cls, runs: list[float]) -> Self:
        """Return the median of some runs."""
        median = cls(statistics.median(runs))
        median.runs = tuple(runs)
        return median


@dataclass(frozen=True)
class Figure:
    """One measured path beside its reference."""

    name: str
    """What was measured."""
    rate: float
    """A `Median`, or a number that is the same in every run; in `unit`."""
    unit: str
    """What ends in "/s" is a rate, of which more is better; of all else, less is better."""
    reference: str
    """What it is compared with."""
    reference_rate: float
    """The reference's, in the same unit."""

    @property
    def ratio(self) -> float:
        """How many times the reference."""
        return self.rate / self.reference_rate


def runs_of(rate: float) -> list[float]:
    """Return the runs behind a figure; a number that was not measured counts as one run."""
    return list(rate.runs) if isinstance(rate, Median) else [float(rate)]


def alternate(candidates: list[Callable[[], float]], rounds: int) -> list[Median]:
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
    return [Median.of(rates) for rates in measured]
