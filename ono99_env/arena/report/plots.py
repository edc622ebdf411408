"""Draw the plots of a tournament as PNG files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.analysis.intervals import binomial_intervals
from ono99_env.arena.report.figure_files import write_figure
from ono99_env.messages.extras import brought_by
from ono99_env.messages.text import plot_text

with brought_by("arena", "a report"):
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_DOTS_PER_INCH = 120
_MOST_LABELLED = 12
"""Bots up to which the cells of a heat map hold numbers; in larger ones nobody can read them."""

_SCALE = "PuOr"
"""From orange over white to violet, which the colour-blind can tell apart."""
_LEAST_SPREAD = 0.1
"""How far the colour scale reaches from 50% at least."""

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""The colours of Okabe and Ito, in which the colour-blind can tell lines apart; no yellow, which is
too pale on white."""
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")


def draw_plots(folder: Path, record: Mapping[str, Any]) -> list[dict[str, str]]:
    """Draw all plots of a record into a folder; bots are everywhere in the order of the ratings.

    Args:
        folder: An existing folder.
        record: See `Arena.record`.

    Returns:
        For each plot its ``file``, ``title`` and ``caption``.
    """
    names = [bot["name"] for bot in record["bots"]]
    confidence = record["setup"]["confidence"]
    plots = [_save(folder, "ratings.png", draw_ratings(record), "Ratings", _RATINGS_CAPTION)]
    for count in record["players"]:
        seats = count["num_players"]
        title = f"Pairs, {seats} players"
        file = f"pairs_{seats}.png"
        plots.append(_save(folder, file, draw_pairs(count, names), title, _PAIRS_CAPTION))
        title = f"Score by seat, {seats} players"
        figure = draw_seats(count, names, confidence)
        plots.append(_save(folder, f"seats_{seats}.png", figure, title, _SEATS_CAPTION))
    if len(record["players"]) > 1:
        figure = draw_player_counts(record["players"], names)
        caption = "Win rate times the number of players: 1 is parity. Bars are intervals."
        plots.append(_save(folder, "players.png", figure, "Score by player count", caption))
    return plots


_RATINGS_CAPTION = (
    "Strength in Luce's choice model over all games. 0 is the mean of these bots, and 400 points "
    "more are ten times the odds of winning. Bars are intervals."
)
_PAIRS_CAPTION = (
    "Of the wins that two bots take at tables where both sit, the share of the bot in the row, "
    "seat for seat: above 50% it is ahead of the bot in the column. A pair whose interval of the "
    "difference holds 0 is drawn without colour: the games do not tell the two apart."
)
_SEATS_CAPTION = (
    "Win rate in each seat times the number of players: 1 is parity. Bars are binomial intervals "
    "over the games in that seat."
)


def draw_ratings(record: Mapping[str, Any]) -> Figure:
    """Draw ratings with their intervals, the highest at the top."""
    bots = record["bots"]
    figure, axes = _figure(7, 1.5 + 0.35 * len(bots), "Ratings")
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
    """Draw a heat map of every bot against every other.

    Violet is ahead, orange behind: colours that the colour-blind can tell apart. The scale reaches
    from 40% to 60% at least, so that small differences have pale colours.
    """
    shares, is_clear = _shares_of(count["pairs"], names)
    title = f"Pairs, {count['num_players']} players"
    figure, axes = _figure(2.5 + 0.6 * len(names), 2.1 + 0.5 * len(names), title)
    spread = max(_LEAST_SPREAD, float(np.nanmax(np.abs(shares - 0.5), initial=0)))
    shown = np.where(is_clear | np.isnan(shares), shares, 0.5)
    image = axes.imshow(shown, cmap=_SCALE, vmin=0.5 - spread, vmax=0.5 + spread)
    figure.colorbar(image, ax=axes, format=lambda value, _: f"{value:.0%}")
    labels = [plot_text(name) for name in names]
    axes.set_xticks(range(len(names)), labels, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), labels)
    if len(names) <= _MOST_LABELLED:
        for row, column in np.argwhere(~np.isnan(shares)):
            is_dark = abs(shown[row, column] - 0.5) > 0.6 * spread
            axes.text(
                column,
                row,
                f"{shares[row, column]:.1%}",
                ha="center",
                va="center",
                fontsize=8,
                color="white" if is_dark else "black",
            )
    return figure


def _shares_of(
    pairs: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the share of each row's bot against each column's, and where it is clearly not 50%.

    Both have the shape (bots, bots); a share is NaN where two bots do not meet.
    """
    shares = np.full((len(names), len(names)), np.nan)
    is_clear = np.zeros(shares.shape, np.bool_)
    for pair in pairs:
        rows = [names.index(name) for name in pair["bots"]]
        total = sum(pair["win_rates"])
        low, high = pair["interval"]
        for row, column, rate in zip(rows, reversed(rows), pair["win_rates"], strict=True):
            shares[row, column] = rate / total if total else 0.5
            is_clear[row, column] = low > 0 or high < 0
    return shares, is_clear


def draw_seats(count: Mapping[str, Any], names: Sequence[str], confidence: float) -> Figure:
    """Draw the score of every bot in each seat with its interval, clockwise from seat 0."""
    players = count["num_players"]
    by_name = {bot["name"]: bot for bot in count["bots"]}
    figure, axes = _figure(7, 4, f"Score by seat, {players} players")
    for index, name in enumerate(names):
        rates = np.array(by_name[name]["seat_win_rates"])
        games = by_name[name]["games"] / players  # each bot has every seat equally often
        low, high = binomial_intervals(rates, games, confidence)
        bars = np.abs(np.array([rates - low, high - rates])) * players
        seats = np.arange(players) + _aside(index, len(names))
        axes.errorbar(seats, rates * players, yerr=bars, label=plot_text(name), **_style(index))
    _finish_scores(axes, "seat", range(players))
    return figure


def draw_player_counts(counts: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Figure:
    """Draw the score of every bot at each player count, with its interval."""
    figure, axes = _figure(7, 4, "Score by player count")
    seats = np.array([count["num_players"] for count in counts])
    for index, name in enumerate(names):
        rows = [next(bot for bot in count["bots"] if bot["name"] == name) for count in counts]
        scores = np.array([row["score"] for row in rows])
        ends = np.array([row["interval"] for row in rows]) * seats[:, None]
        bars = np.abs(ends - scores[:, None]).T
        places = seats + _aside(index, len(names))
        axes.errorbar(places, scores, yerr=bars, label=plot_text(name), **_style(index))
    _finish_scores(axes, "players", seats.tolist())
    return figure


def _aside(index: int, count: int) -> float:
    """Return how far a bot is drawn aside, so that the bars of several do not hide each other."""
    return (index - (count - 1) / 2) * min(0.04, 0.4 / count)


def _style(index: int) -> dict[str, Any]:
    """Return colour and marker of a bot: colours that the colour-blind can tell apart."""
    return {
        "color": _COLOURS[index % len(_COLOURS)],
        "marker": _MARKERS[index % len(_MARKERS)],
        "capsize": 3,
        "linewidth": 1.2,
    }


def _figure(width: float, height: float, title: str) -> tuple[Figure, Axes]:
    # Not through pyplot, which keeps global state and may look for a display.
    figure = Figure(figsize=(width, height), dpi=_DOTS_PER_INCH, layout="constrained")
    figure.suptitle(title)
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
