"""Show the figures of a tournament as tables in the terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from ono99_env.cli.consoles import name_cell
from ono99_env.messages.text import printable

_MOST_PAIRS = 15
"""Pairs that are shown at most; the files hold them all."""


def show_record(console: Console, record: Mapping[str, Any]) -> None:
    """Print the results of a tournament.

    Args:
        console: The terminal.
        record: See `Arena.record`.
    """
    confidence = f"{record['setup']['confidence']:.0%}"
    counts = record["players"]
    for count in counts:
        bots = record["bots"] if len(counts) == 1 else count["bots"]
        title = f"{count['num_players']} players, {count['games']:,} games"
        console.print(_bots_table(title, confidence, bots, record["bots"]))
    if len(counts) > 1:
        console.print(_bots_table("All player counts", confidence, record["bots"], record["bots"]))
    if record["tables"]:
        console.print(_one_vs_rest_table(confidence, record["tables"]))
    elif sum(len(count["pairs"]) for count in counts) <= _MOST_PAIRS:
        for count in counts:
            console.print(_pairs_table(confidence, count))
    ratios = [bot["variance_ratio"] for count in counts for bot in count["bots"]]
    known = [ratio for ratio in ratios if ratio is not None]
    if known:
        mean = sum(known) / len(known)
        console.print(f"Duplicate deals: {mean:.2f} times the variance of independent games.")
    for failure in record["failures"].values():
        console.print(Text(f"Forfeited: {printable(failure)}"), soft_wrap=True)


def _bots_table(
    title: str,
    confidence: str,
    bots: Sequence[Mapping[str, Any]],
    rated: Sequence[Mapping[str, Any]],
) -> Table:
    """Return a table with a row for each bot, in the order of the ratings."""
    has_points = any(bot["mean_points"] is not None for bot in bots)
    has_forfeits = any(bot["forfeits"] for bot in bots)
    interval = f"{confidence} interval"
    headings: list[Column | str] = [_names("bot"), "win rate", interval, "score", "place"]
    headings += ["points"] * has_points + ["forfeits"] * has_forfeits
    table = Table(*headings, title=title, title_justify="left")
    if bots is rated:
        table.add_column("rating")
    by_name = {bot["name"]: bot for bot in bots}
    for row in (by_name[bot["name"]] for bot in rated):
        cells = [*_figures(row), f"{row['mean_place']:.2f}"]
        if has_points:
            cells.append(f"{row['mean_points']:.1f}")
        if has_forfeits:
            cells.append(f"{row['forfeits']:,}")
        if bots is rated:
            low, high = row["rating_interval"]
            cells.append(f"{row['rating']:+.0f} ({low:+.0f} to {high:+.0f})")
        table.add_row(name_cell(row["name"]), *cells)
    return table


def _one_vs_rest_table(confidence: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    headings = (
        "players",
        _names("against"),
        "win rate",
        f"{confidence} interval",
        "score",
        "games",
    )
    title = name_cell(f"{rows[0]['name']} alone against copies of one opponent")
    table = Table(*headings, title=title, title_justify="left")
    for row in rows:
        count, games = str(row["num_players"]), f"{row['games']:,}"
        table.add_row(count, name_cell(row["opponent"]), *_figures(row), games)
    return table


def _pairs_table(confidence: str, count: Mapping[str, Any]) -> Table:
    headings = (_names("pair"), "win rates", "difference", f"{confidence} interval", "p (Holm)")
    title = f"Pairs at tables of {count['num_players']}"
    table = Table(*headings, title=title, title_justify="left")
    for pair in count["pairs"]:
        first, second = pair["win_rates"]
        low, high = pair["interval"]
        table.add_row(
            name_cell(" - ".join(pair["bots"])),
            f"{first:.1%} - {second:.1%}",
            f"{pair['difference']:+.1%}",
            f"{low:+.1%} to {high:+.1%}",
            f"{pair['p_adjusted']:.3f}" if pair["p_adjusted"] >= 0.001 else "<0.001",
        )
    return table


def _names(heading: str) -> Column:
    """Return a column of names, which are never cut short."""
    return Column(heading, overflow="fold")


def _figures(row: Mapping[str, Any]) -> tuple[str, str, str]:
    low, high = row["interval"]
    return f"{row['win_rate']:.2%}", f"{low:.2%} to {high:.2%}", f"{row['score']:.3f}"
