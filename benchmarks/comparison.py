"""What a change did to every path: figures of an earlier run beside those of now."""

import statistics
from dataclasses import dataclass

from rich.table import Table
from scipy.stats import mannwhitneyu

from benchmarks.records import Measurements, PathRuns

_SIGNIFICANCE = 0.05
_COUNTED = 4
"""Runs on both sides from which chance alone gives `_SIGNIFICANCE` rarely enough."""


@dataclass(frozen=True)
class Change:
    """One path, then and now."""

    old: PathRuns
    new: PathRuns
    tolerance: float
    """Slower by this share or less counts as noise."""

    @property
    def speed(self) -> float:
        """How many times as fast (or, of memory, as small) it is now, by medians."""
        old, new = statistics.median(self.old.runs), statistics.median(self.new.runs)
        return new / old if self.new.is_rate else old / new

    @property
    def is_clear(self) -> bool:
        """Whether the runs differ by more than chance, by the rank test of Mann and Whitney."""
        old, new = self.old.runs, self.new.runs
        if min(len(old), len(new)) < _COUNTED:
            return max(old) < min(new) or max(new) < min(old)
        return bool(mannwhitneyu(old, new).pvalue < _SIGNIFICANCE)

    @property
    def verdict(self) -> str:
        """One of "slower", "faster" and "same"."""
        if not self.is_clear or abs(self.speed - 1) <= self.tolerance:
            return "same"
        return "faster" if self.speed > 1 else "slower"


def changes(old: Measurements, new: Measurements, tolerance: float) -> list[Change]:
    """Return the paths that were measured both times, in the order of now."""
    before = {(path.name, path.unit): path for path in old.paths}
    return [
        Change(before[path.name, path.unit], path, tolerance)
        for path in new.paths
        if (path.name, path.unit) in before
    ]


def table(found: list[Change]) -> Table:
    """Return a table with the median and the range of all runs, then and now."""
    drawn = Table("path", "unit", "then", "now", "speed", "verdict")
    for change in found:
        drawn.add_row(
            change.new.name,
            change.new.unit,
            _range(change.old.runs),
            _range(change.new.runs),
            f"{change.speed:.3f}",
            change.verdict,
        )
    return drawn


def number(value: float) -> str:
    """Return a number as the tables show it."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _range(runs: tuple[float, ...]) -> str:
    median = number(statistics.median(runs))
    return median if len(runs) == 1 else f"{median} ({number(min(runs))} to {number(max(runs))})"
