"""Run the benchmarks and print one table: ``python -m benchmarks [--only SECTION ...]``."""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.machine import description
from benchmarks.timing import Figure

_WIDTH = 150
"""Of the table in a file."""

_SECTIONS: dict[str, tuple[str, Callable[[Any], tuple[Any, ...]]]] = {
    "engine": ("engine_figures", lambda options: (options.decisions, options.rounds)),
    "environments": (
        "environment_figures",
        lambda options: (options.env_decisions, options.rounds),
    ),
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


def main() -> None:
    """Measure what can be measured here; say what could not."""
    options = _parser().parse_args()
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    options.say = lambda text: console.print(text, markup=False)
    console.print(description())
    console.print(f"medians of {options.rounds} alternating runs")
    figures = []
    for name in options.only:
        figures += _measured(console, name, options)
    console.print(_table(figures))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
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
            f"{_number(figure.rate)} {figure.unit}",
            figure.reference,
            _number(figure.reference_rate),
            f"{figure.ratio:.2f}",
        )
    return table


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
