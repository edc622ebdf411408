"""Run the benchmarks and print one table: ``python -m benchmarks``."""

import argparse
import platform
from collections.abc import Callable

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.aec import aec_figures
from benchmarks.arena import arena_figures
from benchmarks.bots import bot_figures
from benchmarks.engine import engine_figures
from benchmarks.environments import environment_figures
from benchmarks.startup import startup_seconds
from benchmarks.strong_bots import strong_bot_figures
from benchmarks.timing import Figure


def main() -> None:
    """Measure what can be measured here; say what could not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="runs of each; medians are shown")
    parser.add_argument("--decisions", type=int, default=20_000_000, help="engine decisions a run")
    parser.add_argument("--loop-decisions", type=int, default=20_000, help="AEC decisions a run")
    parser.add_argument("--env-decisions", type=int, default=400_000, help="learner's, a run")
    parser.add_argument("--games", type=int, default=400_000, help="games of bots a run")
    parser.add_argument("--strong-games", type=int, default=4096, help="games of champions a run")
    arguments = parser.parse_args()
    console = Console()
    console.print(
        f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, Numba {numba.__version__}; medians of {arguments.rounds} runs"
    )
    figures = _measured(console, lambda: engine_figures(arguments.decisions, arguments.rounds))
    figures += _measured(console, lambda: aec_figures(arguments.loop_decisions, arguments.rounds))
    figures += _measured(
        console, lambda: environment_figures(arguments.env_decisions, arguments.rounds)
    )
    figures += _measured(console, lambda: bot_figures(arguments.games, arguments.rounds))
    figures += _measured(console, lambda: arena_figures(arguments.games, arguments.rounds))
    figures += _measured(
        console, lambda: strong_bot_figures(arguments.strong_games, arguments.rounds)
    )
    console.print(_table(figures))
    _print_startup(console, arguments.rounds)


def _measured(console: Console, measure: Callable[[], list[Figure]]) -> list[Figure]:
    with console.status("measuring"):
        try:
            return measure()
        except (ImportError, FileNotFoundError) as error:
            console.print(f"left out: {error}")
            return []


def _table(figures: list[Figure]) -> Table:
    table = Table("path", "figure", "reference", "its figure", "ratio")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{figure.rate:,.0f} {figure.unit}",
            figure.reference,
            f"{figure.reference_rate:,.0f}",
            f"{figure.ratio:.2f}",
        )
    return table


def _print_startup(console: Console, rounds: int) -> None:
    with console.status("starting interpreters"):
        seconds = startup_seconds(rounds)
    for name, value in seconds.items():
        console.print(f"{name}: {value:.2f} s")


if __name__ == "__main__":
    main()
