"""Measure a bot: ``python -m training.evaluate BOT --opponents random highest --players 2,4``.

The bot holds one seat and copies of one opponent hold the others. Every deal is played once with
the bot in each seat; intervals are over deals. The same words give the same figures.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from ono99_env import Bot, Rules, __version__, load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.bots.foreign import check_bot
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.parameters import join_player_counts
from ono99_env.cli.usage_errors import in_words, show_error, table_options
from ono99_env.envs.arguments import resolve_rules
from ono99_env.messages.errors import UsageError
from ono99_env.messages.text import printable
from training.config.command_line import counts_of_word
from training.measure.measurements import Measurement
from training.measure.report import results_table
from training.run.output_files import check_result_file, write_result
from training.run.progress_lines import GamesProgress

FINISHED, WRONG_USAGE, INTERRUPTED = 0, 2, 130
"""Exit codes."""

_DEFAULT_EDITION = "2022"
_DEFAULT_COUNTS = (2, 4)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    words = join_player_counts(sys.argv[1:] if arguments is None else arguments)
    options = _parser().parse_args(words)
    try:
        run(options, PlainConsole())
    except UsageError as error:
        show_error(str(error))
        return WRONG_USAGE
    except KeyboardInterrupt:
        PlainConsole().print("Interrupted: nothing was written.")
        return INTERRUPTED
    return FINISHED


def run(options: argparse.Namespace, console: Console) -> list[Measurement]:
    """Play an evaluation, show it, and write it if asked to.

    Args:
        options: What the command line says.
        console: Where to report.

    Returns:
        One measurement for each opponent and player count.

    Raises:
        UsageError: If the evaluation cannot be played as asked; nothing has been played then.
    """
    bot = _load(options.bot)
    opponents = [_load(name) for name in options.opponents]
    metadata: BotMetadata | None = getattr(bot, "metadata", None)
    kinds = _resolve_rules(options.rules, metadata)
    counts = options.players or (metadata.num_players if metadata else _DEFAULT_COUNTS)
    tables = _tables(kinds, counts, [bot, *opponents])
    if options.json is not None:
        check_result_file("--json", options.json, options.overwrite)
    with _progress(console) as progress:
        played = evaluate(bot, opponents, tables, options.games, options.seed, progress)
        measurements = list(played)
    if options.json is not None:
        text = json.dumps(_record(options, kinds[0], measurements), indent=2)
        write_result(options.json, text)
    console.print(results_table(measurements))
    return measurements


def evaluate(
    bot: Bot,
    opponents: Sequence[Bot],
    tables: Sequence[Rules],
    games: int,
    seed: int,
    progress: Progress,
    executor: Executor | None = None,
    has_own_deals: bool = False,
) -> Iterator[Measurement]:
    """Play a bot against copies of each opponent at each table.

    Args:
        bot: The bot to measure.
        opponents: Who holds the other seats, one after the other.
        tables: The rules with each player count to play at.
        games: Games against each opponent at each table, at least.
        seed: Start of all randomness.
        progress: Where to show how far it is.
        executor: Plays all of it side by side; the figures do not depend on it. None: here.
        has_own_deals: Whether each measurement has deals of its own, so that all are independent.
            If not, all opponents meet the same deals, and what one measurement has of luck the
            others have, too.

    Yields:
        One measurement for each table and opponent, when it has been played.
    """
    pairs = list(product(tables, opponents))
    seeds = [_own_seed(seed, *pair) if has_own_deals else seed for pair in pairs]
    if executor is not None:
        yield from _evaluate_elsewhere(bot, pairs, games, seeds, executor)
        return
    for (rules, opponent), its_seed in zip(pairs, seeds, strict=True):
        title = f"{rules.format}, {rules.num_players} players, against {printable(opponent.name)}"
        task = progress.add_task(title, total=games)

        def show(done: int, total: int, task: TaskID = task) -> None:
            progress.update(task, completed=done, total=total)

        outcome = one_vs_rest(
            rules, bot, opponent, rules.num_players, games, its_seed, progress=show
        )
        yield Measurement(opponent.name, rules.num_players, rules.format, outcome)


def _evaluate_elsewhere(
    bot: Bot,
    pairs: Sequence[tuple[Rules, Bot]],
    games: int,
    seeds: Sequence[int],
    executor: Executor,
) -> Iterator[Measurement]:
    outcomes = executor.map(
        one_vs_rest,
        *([rules for rules, _ in pairs], [bot] * len(pairs), [opponent for _, opponent in pairs]),
        *([rules.num_players for rules, _ in pairs], [games] * len(pairs), seeds),
    )
    for (rules, opponent), outcome in zip(pairs, outcomes, strict=True):
        yield Measurement(opponent.name, rules.num_players, rules.format, outcome)


def _own_seed(seed: int, rules: Rules, opponent: Bot) -> int:
    """A seed that no other opponent, format or player count has."""
    text = "\0".join([str(seed), rules.format, str(rules.num_players), opponent.name])
    return int.from_bytes(sha256(text.encode()).digest()[:8], "little")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m training.evaluate",
        description="Measure a bot in one seat against copies of others, over duplicate deals.",
        allow_abbrev=False,
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


def _add_game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players",
        type=counts_of_word,
        metavar="N",
        help="player count, or several: 2,4 (default: those that the bot was trained for, or 2,4)",
    )
    parser.add_argument(
        "--rules",
        help='"2022", "1980" or a YAML file (default: what the bot was trained for, or 2022)',
    )
    parser.add_argument(
        "--games",
        type=_whole(1),
        default=20_000,
        metavar="N",
        help="games against each opponent at each player count, at least (default: 20000)",
    )
    parser.add_argument(
        "--seed", type=_whole(0), default=1, metavar="N", help="start of the deals (default: 1)"
    )


def _whole(least: int) -> Callable[[str], int]:
    """A whole number of a least size, for argparse."""

    def parse(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least}, not {text!r}")
        return int(text)

    return parse


def _load(name: str) -> Bot:
    try:
        return load_bot(name)
    except (ValueError, OSError, ImportError) as error:
        raise UsageError(str(error)) from error


def _resolve_rules(text: str | None, metadata: BotMetadata | None) -> list[Rules]:
    """The rules to play by: those asked for, or with each format that the bot was trained for."""
    if text is None and metadata is not None:
        formats = metadata.formats or (metadata.rules.format,)
        return [metadata.rules.model_copy(update={"format": each}) for each in formats]
    try:
        return [resolve_rules(text or _DEFAULT_EDITION)]
    except (ValueError, OSError) as error:
        raise UsageError(in_words(error, table_options(text))) from error


def _tables(kinds: Sequence[Rules], counts: Sequence[int], bots: Sequence[Bot]) -> list[Rules]:
    """The rules at each player count, which every bot must be able to play."""
    tables = []
    for rules, count in product(kinds, counts):
        try:
            tables.append(rules.with_players(count))
        except ValueError as error:
            raise UsageError(in_words(error, table_options(None))) from error
    try:
        for table, bot in product(tables, bots):
            check_bot(bot, table)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return tables


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    return GamesProgress(console, *columns, TimeRemainingColumn())


def _record(
    options: argparse.Namespace, rules: Rules, measurements: Sequence[Measurement]
) -> dict[str, Any]:
    """What is needed to play the evaluation again, and what came of it."""
    return {
        "bot": options.bot,
        "version": __version__,
        "rules": rules.model_dump(mode="json", exclude={"num_players", "format"}),
        "seed": options.seed,
        "results": [measurement.as_dict() for measurement in measurements],
    }


if __name__ == "__main__":
    sys.exit(main())
