"""Train a bot: ``python -m training.train configs/quickstart.yaml [--field value ...]``.

Writes into a fresh folder ``runs/NAME/``: the resolved config, TensorBoard logs and the same as a
table, the bot, and its measured results. Ctrl-C ends the training early and still writes the bot.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import CSVOutputFormat, Logger, TensorBoardOutputFormat

from ono99_env import load_bot
from ono99_env.bots.files import BotMetadata, write_metadata
from training.command_line import read_config
from training.config import Config
from training.errors import UsageError
from training.evaluate import evaluate
from training.export import export_bot, export_network
from training.learner import decisions_of_run, make_learner
from training.metadata import describe_bot
from training.progress import ShowProgress
from training.report import report_text, results_table
from training.run_folder import RunFolder
from training.self_play.callback import LeagueCallback
from training.self_play.league import League
from training.stopping import StopOnRequest, StopRequest

FINISHED, WRONG_USAGE, INTERRUPTED = 0, 2, 130
"""Exit codes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    console = Console(markup=False, highlight=False, soft_wrap=True)
    try:
        config, origin = read_config(arguments)
        return run(config, origin, console)
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_USAGE
    except KeyboardInterrupt:
        console.print("Interrupted.")
        return INTERRUPTED


def run(config: Config, origin: Path, console: Console) -> int:
    """Train, export and measure a bot.

    Args:
        config: What to do.
        origin: The file that the config comes from.
        console: Where to report.

    Returns:
        The exit code: 0, or 130 if the run was stopped early.

    Raises:
        UsageError: If the run cannot start (nothing is written then), or has come to nothing.
    """
    folder = RunFolder.choose(config, origin)
    with console.status("Preparing; the first time the game is compiled, for half a minute"):
        learner, league = make_learner(config)
    folder.create(config)
    console.print(f"Training in {folder.path}. Ctrl-C stops early and keeps the bot.")
    with StopRequest() as stop:
        metadata = train(learner, league, config, folder, stop, console)
        write_bot(learner, metadata, folder, console)
        if league is not None:
            write_snapshots(league.league, metadata, folder, console)
    is_measured = not stop.is_made and measure(config, folder, metadata, console)
    if not is_measured:
        console.print(f"It is not measured: python -m training.evaluate {folder.bot} does that.")
    return FINISHED if is_measured else INTERRUPTED


def train(
    learner: MaskablePPO,
    league: LeagueCallback | None,
    config: Config,
    folder: RunFolder,
    stop: StopRequest,
    console: Console,
) -> BotMetadata:
    """Train the learner until it has made all its decisions or a stop is requested.

    Returns:
        What the bot file will say about the training.
    """
    formats = [
        CSVOutputFormat(str(folder.progress)),
        TensorBoardOutputFormat(str(folder.tensorboard)),
    ]
    learner.set_logger(Logger(str(folder.path), formats))
    total = decisions_of_run(config)
    needed = [] if league is None else [league]
    start = time.monotonic()
    with ShowProgress(console, total, stop) as progress:
        learner.learn(total, callback=[*needed, progress, StopOnRequest(stop)])
    seconds = time.monotonic() - start
    learner.logger.close()
    ending = "Stopped after" if stop.is_made else "Trained on"
    console.print(f"{ending} {progress.trained_on:,} decisions in {seconds:,.0f} s.")
    return describe_bot(config, progress.trained_on, seconds)


def write_bot(
    learner: MaskablePPO, metadata: BotMetadata, folder: RunFolder, console: Console
) -> None:
    """Export the learner's policy.

    Raises:
        UsageError: If the training has diverged, so that there is no bot.
    """
    try:
        with console.status("Writing the bot"):
            export_bot(learner.policy, folder.bot, metadata)
    except ValueError as error:
        raise UsageError(f"there is no bot: {error}. A lower learning rate may help.") from error
    console.print(f"The bot is {folder.bot}")


def write_snapshots(
    league: League, metadata: BotMetadata, folder: RunFolder, console: Console
) -> None:
    """Export the snapshots of the league, each named after the decisions it had learned from."""
    folder.league.mkdir()
    for bot, decisions in zip(league.bots, league.taken_after[: league.size], strict=False):
        training = {**metadata.training, "decisions": int(decisions)}
        about = metadata.model_copy(update={"training": training})
        with console.status(f"Writing the snapshot after {decisions:,} decisions"):
            export_network(bot.copy, folder.league / f"after-{decisions}.onnx", about)


def measure(config: Config, folder: RunFolder, metadata: BotMetadata, console: Console) -> bool:
    """Measure the exported bot; write the results into the folder and into the bot file.

    Returns:
        Whether it was measured, and not interrupted.
    """
    plan = config.evaluation
    bot, opponents = load_bot(str(folder.bot)), [load_bot(name) for name in plan.opponents]
    tables = [config.rules_for(count) for count in config.evaluated_counts]
    columns = TextColumn("Measuring with {task.description}"), BarColumn()
    try:
        with Progress(*columns, console=console, transient=True) as progress:
            played = evaluate(bot, opponents, tables, plan.games, plan.seed, progress)
            measurements = list(played)
    except KeyboardInterrupt:
        return False
    results = {"evaluation": [measurement.as_dict() for measurement in measurements]}
    write_metadata(folder.bot, metadata.model_copy(update={"results": results}))
    report = report_text(folder.path.name, config, metadata, measurements)
    folder.write_results({**metadata.training, **results}, report)
    console.print(results_table(measurements))
    console.print(f"The report is {folder.report}")
    return True


if __name__ == "__main__":
    sys.exit(main())
