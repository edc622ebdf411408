"""Run the benchmarks and print one table: ``python -m benchmarks [--only SECTION ...]``.

With ``--json FILE`` the figures are kept; a later run with ``--compare FILE`` shows what has
changed since, and exits with 1 if a path is slower.
"""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import comparison
from benchmarks.machine import description
from benchmarks.records import FileError, Measurements
from benchmarks.timing import Figure

_WIDTH = 150
"""Of the table in a file."""

_SECTIONS: dict[str, tuple[str, Callable[[Any], tuple[Any, ...]]]] = {
    "engine": ("engine_figures", lambda options: (options.decisions, options.rounds)),
    "environments": (
        "environment_figures",
        lambda options: (options.env_decisions, options.rounds),
    ),
    "one_table": ("one_table_figures", lambda options: (options.rounds,)),
    "bots": ("bot_figures", lambda options: (options.games, options.rounds)),
    "arena": ("arena_figures", lambda options: (options.games, options.rounds)),
    "strong_bots": (
        "strong_bot_figures",
        lambda options: (options.strong_games, options.rounds),
    ),
    "peers": ("peer_figures", lambda options: (options.seconds, options.rounds, options.say)),
    "sb3": ("sb3_figures", lambda options: (options.updates, options.rounds)),
    "training": ("self_play_figures", lambda options: (options.updates, options.rounds)),
    "growth": ("growth_figures", lambda options: (options.decisions // 10, options.rounds)),
    "memory": ("memory_figures", lambda options: ()),
    "startup": ("startup_figures", lambda options: (options.rounds,)),
}
"""By name, which is also the module's: its function, and what that takes."""


def main() -> int:
    """Measure what can be measured here; say what could not, and what has changed.

    Returns:
        The exit status: 1 if a path is slower than in the file that it is compared with, 2 if that
        file cannot be read, else 0.
    """
    options = _parser().parse_args()
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    options.say = lambda text: console.print(text, markup=False)
    try:
        old = Measurements.read(options.compare) if options.compare else None
    except FileError as error:
        console.print(str(error), markup=False)
        return 2
    console.print(description())
    console.print(f"medians of {options.rounds} alternating runs")
    figures = []
    for name in options.only:
        figures += _measured(console, name, options)
    console.print(_table(figures))
    new = Measurements.of(description(), figures)
    if options.json:
        new.write(options.json)
    return 0 if old is None else _compare(console, old, new, options.tolerance)


def _compare(console: Console, old: Measurements, new: Measurements, tolerance: float) -> int:
    """Print what has changed; return 1 if a path is slower, else 0."""
    found = comparison.changes(old, new, tolerance)
    console.print(f"then: {old.machine}", markup=False)
    console.print(comparison.table(found))
    slower = [change.new.name for change in found if change.verdict == "slower"]
    console.print(f"slower: {', '.join(slower) or 'none'} of {len(found)} paths", markup=False)
    return int(bool(slower))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=(__doc__ or "").partition(":")[0] + ".",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    names = list(_SECTIONS)
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="sections to run")
    parser.add_argument("--rounds", type=int, default=7, help="runs of each; medians are shown")
    parser.add_argument("--decisions", type=int, default=20_000_000, help="engine decisions a run")
    parser.add_argument("--env-decisions", type=int, default=400_000, help="learner's, a run")
    parser.add_argument("--games", type=int, default=400_000, help="games of bots a run")
    parser.add_argument("--strong-games", type=int, default=4096, help="games of champions a run")
    parser.add_argument("--seconds", type=float, default=1.0, help="of a run beside a peer")
    parser.add_argument("--updates", type=int, default=2, help="updates of MaskablePPO a run")
    parser.add_argument("--json", type=Path, help="a file to keep the figures in")
    parser.add_argument("--compare", type=Path, help="a file of earlier figures; 1 if slower")
    parser.add_argument("--tolerance", type=float, default=0.03, help="share that is no change")
    return parser


def _measured(console: Console, name: str, options: argparse.Namespace) -> list[Figure]:
    with console.status(f"measuring: {name}"):
        try:
            function, arguments = _SECTIONS[name]
            measure = getattr(import_module(f"benchmarks.{name}"), function)
            figures: list[Figure] = measure(*arguments(options))
        except (ImportError, FileNotFoundError) as error:
            console.print(f"left out: {name}: {error}", markup=False)
            return []
        return figures


def _table(figures: list[Figure]) -> Table:
    table = Table("path", "figure", "reference", "its figure", "ratio")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{comparison.number(figure.rate)} {figure.unit}",
            figure.reference,
            comparison.number(figure.reference_rate),
            f"{figure.ratio:.2f}",
        )
    return table


if __name__ == "__main__":
    sys.exit(main())
