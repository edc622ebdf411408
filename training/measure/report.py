"""The results of a run as a table for the terminal and as a Markdown report."""

import json
from collections.abc import Sequence

from rich.table import Table

from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.cli.consoles import name_cell
from ono99_env.messages.text import markdown_text
from ono99_env.rules.rules import Rules
from training.config.config import Config
from training.measure.measurements import Measurement

_HEADINGS = ("format", "players", "against", "win rate", "95% interval", "parity", "games")


def results_table(measurements: Sequence[Measurement]) -> Table:
    """Return the measurements as a table for the terminal."""
    headings, *rows = _rows(measurements)
    table = Table(*headings, title="One seat against copies of an opponent in the others")
    for row in rows:
        table.add_row(*map(name_cell, row))
    return table


def run_report(
    name: str, config: Config, metadata: BotMetadata, measurements: Sequence[Measurement]
) -> str:
    """Return the report of a finished run, in Markdown.

    Args:
        name: Name of the run.
        config: Its config.
        metadata: What its bot file says.
        measurements: How the bot fared.
    """
    training = metadata.training
    headings, *rows = _rows(measurements)
    escaped = [[markdown_text(cell) for cell in row] for row in rows]
    return "\n".join(
        [
            f"# {markdown_text(name)}",
            "",
            f"Trained on {training['decisions']:,} decisions in "
            f"{training['seconds_learning']:,.0f} s of learning (seed {config.seed}, code "
            f"{training['code_version']}) {_company(config)} "
            f"at tables of {_listed(config.num_players)} players. All settings: `config.yaml`.",
            "",
            f"Rules: {_rules_in_words(metadata)}.",
            "",
            "![Win rates over the decisions trained on](learning_curve.png)",
            "",
            "The bot file `bot.onnx`, loaded as an opponent, held one seat and copies of one bot "
            "the others. Each deal was played once with the bot in every seat; intervals are over "
            "deals. Parity is the win rate of an equal.",
            "",
            *(f"| {' | '.join(row)} |" for row in (headings, ["---"] * len(headings), *escaped)),
            "",
        ]
    )


def _rows(measurements: Sequence[Measurement]) -> list[list[str]]:
    """Return the headings and a row for each measurement, without the format if it is one."""
    rows = [list(_HEADINGS), *map(_cells, measurements)]
    is_one_format = len({measurement.format for measurement in measurements}) == 1
    return [row[1:] for row in rows] if is_one_format else rows


def _cells(measurement: Measurement) -> list[str]:
    outcome = measurement.outcome
    low, high = outcome.interval
    return [
        measurement.format,
        str(measurement.num_players),
        measurement.opponent,
        f"{outcome.win_rate:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{measurement.parity:.1%}",
        f"{outcome.games:,}",
    ]


def _rules_in_words(metadata: BotMetadata) -> str:
    """Return the edition, the match formats, and the fields that differ from the edition."""
    rules = metadata.rules
    formats = ", ".join(each.replace("_", " ") for each in metadata.played_formats)
    preset = Rules.preset(rules.edition, num_players=rules.num_players).model_dump(mode="json")
    own = rules.model_dump(mode="json")
    changed = [
        f"`{name}: {json.dumps(own[name])}`"
        for name in own
        if own[name] != preset[name] and name != "format"
    ]
    options = f", with {', '.join(changed)}" if changed else ""
    return f"the {rules.edition} edition, {formats}{options}"


def _company(config: Config) -> str:
    if config.self_play is None:
        return f"against {markdown_text(', '.join(config.opponents))}"
    held = (name for name, weight in config.self_play.bots.items() if weight)
    bots = markdown_text(", ".join(held))
    return f"in self-play{f' and against {bots}' if bots else ''}"


def _listed(counts: Sequence[int]) -> str:
    *first, last = sorted(set(counts))
    return f"{', '.join(map(str, first))} or {last}" if first else str(last)
