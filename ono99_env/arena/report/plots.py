"""Draw the plots of a tournament as PNG files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ono99_env.arena.report.figure_files import write_figure
from ono99_env.messages.extras import brought_by
from ono99_env.messages.text import plot_text

with brought_by("arena", "a report"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_DOTS_PER_INCH = 120
_MOST_LABELLED = 12
"""Bots up to which the cells of a heat map hold numbers; in larger ones nobody can read them."""


def draw_plots(folder: Path, record: Mapping[str, Any]) -> list[dict[str, str]]:
    """Draw all plots of a record into a folder.

    Args:
        folder: An existing folder.
        record: See `Arena.record`.

    Returns:
        For each plot its ``file``, ``title`` and ``caption``.
    """
    names = [bot["name"] for bot in record["bots"]]
    plots = [_save(folder, "ratings.png", draw_ratings(record), "Ratings", _RATINGS_CAPTION)]
    for count in record["players"]:
        seats = count["num_players"]
        title = f"Pairs, {seats} players"
        file = f"pairs_{seats}.png"
        plots.append(_save(folder, file, draw_pairs(count, names), title, _PAIRS_CAPTION))
        title = f"Score by seat, {seats} players"
        file = f"seats_{seats}.png"
        plots.append(_save(folder, file, draw_seats(count, names), title, _SEATS_CAPTION))
    if len(record["players"]) > 1:
        figure = draw_player_counts(record["players"], names)
        caption = "Win rate times the number of players: 1 is parity."
        plots.append(_save(folder, "players.png", figure, "Score by player count", caption))
    return plots


_RATINGS_CAPTION = (
    "Strength in Luce's choice model over all games. 0 is the mean of these bots, and 400 points "
    "more are ten times the odds of winning. Bars are intervals."
)
_PAIRS_CAPTION = (
    "Of the wins that two bots take at tables where both sit, the share of the bot in the row, "
    "seat for seat: above 50% it is ahead of the bot in the column."
)
_SEATS_CAPTION = "Win rate in each seat times the number of players: 1 is parity."


def draw_ratings(record: Mapping[str, Any]) -> Figure:
    """Draw ratings with their intervals, the highest at the top."""
    bots = record["bots"]
    figure, axes = _figure(7, 1.2 + 0.35 * len(bots))
    values = np.array([bot["rating"] for bot in bots])
    ends = np.array([bot["rating_interval"] for bot in bots])
    rows = np.arange(len(bots))
    axes.errorbar(values, rows, xerr=np.abs(ends - values[:, None]).T, fmt="o", capsize=3)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.set_yticks(rows, [plot_text(bot["name"]) for bot in bots])
    axes.invert_yaxis()
    axes.set_xlabel("rating")
    return figure


def draw_pairs(count: Mapping[str, Any], names: Sequence[str]) -> Figure:
    """Draw a heat map of every bot against every other."""
    shares = np.full((len(names), len(names)), np.nan)
    for pair in count["pairs"]:
        rows = [names.index(name) for name in pair["bots"]]
        total = sum(pair["win_rates"])
        for row, column, rate in zip(rows, reversed(rows), pair["win_rates"], strict=True):
            shares[row, column] = rate / total if total else 0.5
    figure, axes = _figure(2.5 + 0.6 * len(names), 1.8 + 0.5 * len(names))
    spread = max(0.02, float(np.nanmax(np.abs(shares - 0.5), initial=0)))
    image = axes.imshow(shares, cmap="RdYlGn", vmin=0.5 - spread, vmax=0.5 + spread)
    figure.colorbar(image, ax=axes, format=lambda value, _: f"{value:.0%}")
    labels = [plot_text(name) for name in names]
    axes.set_xticks(range(len(names)), labels, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), labels)
    if len(names) <= _MOST_LABELLED:
        for row, column in np.argwhere(~np.isnan(shares)):
            text = f"{shares[row, column]:.1%}"
            axes.text(column, row, text, ha="center", va="center", fontsize=8)
    return figure


def draw_seats(count: Mapping[str, Any], names: Sequence[str]) -> Figure:
    """Draw the score of every bot in each seat, clockwise from seat 0."""
    seats = range(count["num_players"])
    by_name = {bot["name"]: bot for bot in count["bots"]}
    figure, axes = _figure(7, 4)
    for name in names:
        rates = np.array(by_name[name]["seat_win_rates"])
        axes.plot(seats, rates * count["num_players"], marker="o", label=plot_text(name))
    _finish_scores(axes, "seat", seats)
    return figure


def draw_player_counts(counts: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Figure:
    """Draw the score of every bot at each player count, with its interval."""
    figure, axes = _figure(7, 4)
    seats = np.array([count["num_players"] for count in counts])
    for name in names:
        rows = [next(bot for bot in count["bots"] if bot["name"] == name) for count in counts]
        scores = np.array([row["score"] for row in rows])
        ends = np.array([row["interval"] for row in rows]) * seats[:, None]
        bars = np.abs(ends - scores[:, None]).T
        axes.errorbar(seats, scores, yerr=bars, marker="o", capsize=3, label=plot_text(name))
    _finish_scores(axes, "players", seats.tolist())
    return figure


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    # Not through pyplot, which keeps global state and may look for a display.
    figure = Figure(figsize=(width, height), dpi=_DOTS_PER_INCH, layout="constrained")
    return figure, figure.add_subplot()


def _finish_scores(axes: Axes, label: str, ticks: Sequence[int]) -> None:
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_xticks(list(ticks))
    axes.set_xlabel(label)
    axes.set_ylabel("score")
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))


def _save(folder: Path, file: str, figure: Figure, title: str, caption: str) -> dict[str, str]:
    write_figure(folder / file, figure)
    return {"file": file, "title": title, "caption": caption}
