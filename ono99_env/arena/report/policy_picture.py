"""Draw a policy: which groups of actions it chooses at each running total."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.decisions import ACTION_GROUPS, Decisions
from ono99_env.arena.report.figure_files import write_figure
from ono99_env.messages.extras import brought_by
from ono99_env.messages.text import plot_text

with brought_by("arena", "a report"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch


WINDOW = 2
"""Totals up to this far away are counted together, which smooths the edges of the areas."""

LEAST_CHOICES = 30
"""With fewer choices at a total, nothing is drawn there."""

_COLOURS = (
    # Number cards: the higher, the darker.
    "#c6dbef",
    "#6baed6",
    "#2171b5",
    "#08306b",
    # Action cards.
    "#74c476",
    "#e6550d",
    "#756bb1",
    "#fdd049",
    "#969696",
    "#252525",
)
"""The colour of each group, in the order of `ACTION_GROUPS`."""

_DOTS_PER_INCH = 120


def draw_policy(name: str, tables: Sequence[Decisions]) -> Figure:
    """Draw a policy: a column for each player count, a row for one and one for two cards due.

    Args:
        name: The name of the bot in the title.
        tables: Its decisions at each player count.
    """
    size = (1.8 + 4.6 * len(tables), 6.4)
    figure = Figure(figsize=size, dpi=_DOTS_PER_INCH, layout="constrained")
    grid = figure.subplots(2, len(tables), squeeze=False, sharex=True, sharey=True)
    drawn = np.zeros(len(ACTION_GROUPS), np.bool_)
    for column, decisions in enumerate(tables):
        for row, owes_two in enumerate((False, True)):
            drawn |= _draw(grid[row, column], decisions, owes_two)
    for axes in grid[-1]:
        axes.set_xlabel("running total")
    for axes in grid[:, 0]:
        axes.set_ylabel("share of choices")
    rules = tables[0].rules
    match = rules.format.replace("_", " ")
    shown = plot_text(name).strip()
    figure.suptitle(f"What {shown} plays where it has a choice ({rules.edition}, {match})")
    groups = zip(ACTION_GROUPS, _COLOURS, drawn, strict=True)
    patches = [Patch(color=colour, label=group) for group, colour, is_drawn in groups if is_drawn]
    figure.legend(handles=patches[::-1], loc="outside right center", fontsize=9)
    return figure


def save_policy(path: Path, name: str, tables: Sequence[Decisions]) -> None:
    """Draw a policy into a PNG file.

    Args:
        path: The file.
        name: The name of the bot in the title.
        tables: Its decisions at each player count.
    """
    write_figure(path, draw_policy(name, tables))


def _draw(axes: Axes, decisions: Decisions, owes_two: bool) -> NDArray[np.bool_]:
    """Draw one plot, and return which groups are in it."""
    totals, shares = decisions.shares(owes_two, WINDOW, LEAST_CHOICES)
    tops = np.cumsum(shares, axis=1)
    for group, colour in enumerate(_COLOURS):
        bottom = tops[:, group] - shares[:, group]
        axes.fill_between(totals, bottom, tops[:, group], color=colour, linewidth=0)
    choices = int((decisions.is_choice & (decisions.owes_two == owes_two)).sum())
    due = "first of two cards due" if owes_two else "one card due"
    axes.set_title(f"{decisions.rules.num_players} players, {due}: {choices:,} choices", fontsize=9)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda share, _: f"{share:.0%}")
    axes.grid(alpha=0.3)
    return np.asarray(np.nansum(shares, axis=0) > 0)
