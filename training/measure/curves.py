"""The measurements of a run while it trained: a table and a picture."""

import csv
import io
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from ono99_env.arena.report.figure_files import write_figure
from ono99_env.files.atomic import write_atomically
from ono99_env.messages.text import plot_text, spreadsheet_cell
from training.measure.champions import Champions, match_of
from training.measure.measurements import Evaluation, Measurement

_COLUMNS = 3
_COLUMN_NAMES = (
    "decisions",
    "format",
    "num_players",
    "opponent",
    "win_rate",
    "low",
    "high",
    "score",
    "parity",
    "games",
)


def write_table(path: Path, history: Sequence[Evaluation]) -> None:
    """Write one line for each measurement of each evaluation."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMN_NAMES)
    for evaluation in history:
        for each in evaluation.measurements:
            outcome = each.outcome
            table.writerow(
                [
                    evaluation.decisions,
                    each.format,
                    each.num_players,
                    spreadsheet_cell(each.opponent),
                    outcome.win_rate,
                    *outcome.interval,
                    outcome.score,
                    each.parity,
                    outcome.games,
                ]
            )
    write_atomically(path, text.getvalue().encode())


def draw_curves(
    path: Path,
    history: Sequence[Evaluation],
    kept_after: int,
    champions: Champions = MappingProxyType({}),
) -> None:
    """Draw the win rates over the decisions, one panel for each table, with 95% bands.

    Args:
        path: The picture, a PNG.
        history: At least one evaluation.
        kept_after: The decisions after which the bot was written that is kept.
        champions: What to compare with: a line for each opponent that is among them.
    """
    tables = [
        (f"{key[0].replace('_', ' ')}, {key[1]} players", list(numbers))
        for key, numbers in groupby(
            range(len(history[0].measurements)), lambda number: _table(history[0], number)
        )
    ]
    rows = -(-len(tables) // _COLUMNS)
    columns = min(_COLUMNS, len(tables))
    figure = Figure(figsize=(4.5 * columns, 3.2 * rows), dpi=110, layout="constrained")
    figure.suptitle("Win rate while training")
    panels = figure.subplots(rows, columns, squeeze=False).flatten()
    for panel in panels[len(tables) :]:
        panel.set_visible(False)
    for panel, (title, numbers) in zip(panels, tables, strict=False):
        panel.set_title(title)
        for index, number in enumerate(numbers):
            _draw_line(panel, history, number, f"C{index}")
            _draw_champion(panel, history[0].measurements[number], champions, f"C{index}")
        panel.axhline(
            100 * history[0].measurements[numbers[0]].parity, color="gray", ls="--", label="parity"
        )
        panel.axvline(kept_after, color="gray", ls=":", label="kept")
        _finish_axes(panel, history)
    write_figure(path, figure)


def _finish_axes(panel: Axes, history: Sequence[Evaluation]) -> None:
    """Let the decisions begin at 0, so that a single evaluation has a place among them too."""
    panel.set_xlim(0, max(1, history[-1].decisions) * 1.05)
    panel.set_xlabel("decisions")
    panel.xaxis.set_major_formatter(EngFormatter(sep=""))
    panel.set_ylabel("win rate in %")
    panel.legend(fontsize="small")


def _table(evaluation: Evaluation, number: int) -> tuple[str, int]:
    measurement = evaluation.measurements[number]
    return measurement.format, measurement.num_players


def _draw_line(panel: Axes, history: Sequence[Evaluation], number: int, colour: str) -> None:
    """Draw the line of one opponent, whose measurements have that number in each evaluation."""
    measurements: list[Measurement] = [each.measurements[number] for each in history]
    decisions = [each.decisions for each in history]
    rates = [100 * each.outcome.win_rate for each in measurements]
    low = [100 * each.outcome.interval[0] for each in measurements]
    high = [100 * each.outcome.interval[1] for each in measurements]
    label = f"against {plot_text(measurements[0].opponent)}"
    panel.plot(decisions, rates, marker=".", color=colour, label=label)
    panel.fill_between(decisions, low, high, color=colour, alpha=0.2)
    if len(history) == 1:  # a band of no width cannot be seen
        panel.vlines(decisions, low, high, color=colour)


def _draw_champion(
    panel: Axes, measurement: Measurement, champions: Champions, colour: str
) -> None:
    """Draw how a champion fares against the same opponent, in the colour of its line."""
    champion = champions.get(match_of(measurement))
    if champion is not None:
        label = f"{plot_text(champion.name)} against {plot_text(measurement.opponent)}"
        rate = 100 * champion.win_rate
        panel.axhline(rate, color=colour, ls=(0, (1, 1)), lw=1.2, label=label)
