"""Measure a bot: ``python -m training.evaluate BOT --opponents random highest --players 2,4``.

The bot holds one seat and copies of one opponent hold the others. Every deal is played once with
the bot in each seat; intervals are over deals. The same command line gives the same figures.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console

from ono99_env import Bot, Rules, __version__, load_bot
from ono99_env.bots.foreign import check_bot
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import SUCCESS, run_command
from ono99_env.cli.outputs import check_file, write_result
from ono99_env.cli.progress import GamesProgress
from ono99_env.cli.usage_errors import mistakes_explained, table_options
from ono99_env.envs.arguments import resolve_rules
from training.config.argument_parser import CommandParser, parse_counts, whole_number
from training.measure.evaluation import EvaluationPlan, evaluate
from training.measure.measurements import Measurement
from training.measure.report import results_table

_DEFAULT_EDITION = "2022"
_DEFAULT_COUNTS = (2, 4)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words of the command line; default: those of the process.

    Returns:
        The exit code of the process.
    """
    options = _parser().parse_args(arguments)
    return run_command(lambda: _run(options), "Interrupted: nothing was written.")


def _run(options: Namespace) -> int:
    measure_opponents(options, PlainConsole())
    return SUCCESS


def measure_opponents(options: Namespace, console: Console) -> list[Measurement]:
    """Play an evaluation, show it, and write it if asked to.

    Args:
        options: What the command line says.
        console: Where to report.

    Returns:
        One measurement for each opponent and player count.

    Raises:
        UsageError: If the evaluation cannot be played as asked; nothing has been played then.
    """
    with mistakes_explained():
        bot, opponents = load_bot(options.bot), [load_bot(name) for name in options.opponents]
    metadata: BotMetadata | None = getattr(bot, "metadata", None)
    kinds = _resolve_rules(options.rules, metadata)
    counts = options.players or (metadata.num_players if metadata else _DEFAULT_COUNTS)
    tables = _tables(kinds, counts, [bot, *opponents])
    if options.json is not None:
        check_file("--json", options.json, options.overwrite)
    plan = EvaluationPlan(opponents, tables, options.games, options.seed)
    with GamesProgress(console) as progress:
        measurements = list(evaluate(bot, plan, progress))
    if options.json is not None:
        text = json.dumps(_record(options, kinds[0], measurements), indent=2)
        write_result("--json", options.json, text)
    console.print(results_table(measurements))
    return measurements


def _parser() -> CommandParser:
    parser = CommandParser(
        "training.evaluate",
        description="Measure a bot in one seat against copies of others, over duplicate deals.",
    )
    parser.add_argument(
        "bot",
        metavar="BOT",
        help='a name ("highest") or a bot file ("runs/x/bot.onnx", with "?sample" to draw actions)',
    )
    parser.add_argument(
        "--opponents",
        nargs="+",
        default=["random", "highest"],
        metavar="BOT",
        help="who holds the other seats, one after the other (default: random highest)",
    )
    _add_game_options(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there as well")
    parser.add_argument("--overwrite", action="store_true", help="replace an older file")
    return parser


def _add_game_options(parser: CommandParser) -> None:
    parser.add_argument(
        "--players",
        "--num_players",
        type=parse_counts,
        metavar="N",
        help="player count, or several: 2,4 (default: those that the bot was trained for, or 2,4)",
    )
    parser.add_argument(
        "--rules",
        help='"2022", "1980" or a YAML file (default: what the bot was trained for, or 2022)',
    )
    parser.add_argument(
        "--games",
        type=whole_number(1),
        default=20_000,
        metavar="N",
        help="games against each opponent at each player count, at least (default: 20000)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0),
        default=1,
        metavar="N",
        help="start of the deals (default: 1)",
    )


def _resolve_rules(text: str | None, metadata: BotMetadata | None) -> list[Rules]:
    """Return the rules asked for, or those with each format that the bot was trained for."""
    if text is None and metadata is not None:
        formats = metadata.formats or (metadata.rules.format,)
        return [metadata.rules.model_copy(update={"format": each}) for each in formats]
    with mistakes_explained(table_options(text)):
        return [resolve_rules(text or _DEFAULT_EDITION)]


def _tables(kinds: Sequence[Rules], counts: Sequence[int], bots: Sequence[Bot]) -> list[Rules]:
    """Return the rules at each player count, all of which every bot can play."""
    with mistakes_explained(table_options(None)):
        tables = [rules.with_players(count) for rules, count in product(kinds, counts)]
    with mistakes_explained():
        for table, bot in product(tables, bots):
            check_bot(bot, table)
    return tables


def _record(
    options: Namespace, rules: Rules, measurements: Sequence[Measurement]
) -> dict[str, Any]:
    """Return what is needed to play the evaluation again, and its results."""
    return {
        "bot": options.bot,
        "version": __version__,
        "rules": rules.model_dump(mode="json", exclude={"num_players", "format"}),
        "seed": options.seed,
        "results": [measurement.as_dict() for measurement in measurements],
    }


if __name__ == "__main__":
    sys.exit(main())
