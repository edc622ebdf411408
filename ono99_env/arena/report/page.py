"""Write a page about a tournament: ``index.html`` and its plots in a folder."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ono99_env.arena.report.plots import draw_plots
from ono99_env.files.atomic import write_atomically
from ono99_env.messages.extras import brought_by
from ono99_env.messages.text import printable
from ono99_env.rules.rules import Rules

with brought_by("arena", "a report"):
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup


def write_report(folder: Path, record: Mapping[str, Any]) -> None:
    """Write the report of a tournament.

    Args:
        folder: The folder; it is created if it does not exist.
        record: See `Arena.record`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = _in_order_of_ratings(record)
    environment = Environment(
        loader=PackageLoader("ono99_env.arena.report"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    page = environment.get_template("report.html").render(
        record=record, plots=draw_plots(folder, record), command=repeat_command(record["setup"])
    )
    write_atomically(folder / "index.html", page.encode())


def _in_order_of_ratings(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record with the bots and pairs at each player count in the order of ratings."""
    rank = {bot["name"]: index for index, bot in enumerate(record["bots"])}
    players = [
        {
            **count,
            "bots": sorted(count["bots"], key=lambda bot: rank[bot["name"]]),
            "pairs": sorted(
                (_better_first(pair, rank) for pair in count["pairs"]),
                key=lambda pair: [rank[name] for name in pair["bots"]],
            ),
        }
        for count in record["players"]
    ]
    return {**record, "players": players}


def _better_first(pair: Mapping[str, Any], rank: Mapping[str, int]) -> dict[str, Any]:
    """Return the comparison of two bots with the one that is rated higher in front."""
    if rank[pair["bots"][0]] <= rank[pair["bots"][1]]:
        return dict(pair)
    low, high = pair["interval"]
    turned = {name: list(reversed(pair[name])) for name in ("bots", "win_rates")}
    return {**pair, **turned, "difference": -pair["difference"], "interval": [-high, -low]}


def repeat_command(setup: Mapping[str, Any]) -> str:
    """Return the command that plays a tournament again.

    Args:
        setup: The setup in its record.
    """
    rules = Rules.of_fields(setup["rules"])
    if rules != Rules.preset(rules.edition, num_players=rules.num_players):
        return "ono99 arena --repeat FILE  # the file of --json, since the rules have options"
    words = ["ono99", "arena", *setup["bots"], "--rules", rules.edition]
    words += ["--players", ",".join(map(str, setup["players"]))]
    words += ["--games", str(setup["games"]), "--seed", str(setup["seed"])]
    if setup["seating"] == "one_vs_rest":
        words.append("--one-vs-rest")
    if setup["forfeit"]:
        words.append("--forfeit")
    if setup["time_limit"] is not None:
        words += ["--time-limit", f"{setup['time_limit']:g}"]
    return shlex.join(words)


def _shown(value: Any) -> Any:
    """Write invisible characters of a text as escapes; HTML of the template stays as it is."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _percent(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}%}"
