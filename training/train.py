"""Train a bot: ``python -m training.train configs/quickstart.yaml [--field value ...]``.

Writes into a fresh folder ``runs/NAME/``: the resolved config, checkpoints, TensorBoard logs and
the same as a table, the learning curve, the best bot, and its measured results. Ctrl-C ends the
training early and still writes the bot; ``--resume runs/NAME`` goes on exactly where a run ended,
however it ended.
"""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.progress import BarColumn, TextColumn

from ono99_env import load_bot
from ono99_env.bots.policies.bot_file import read_metadata, write_metadata
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.usage_errors import show_error
from ono99_env.messages.errors import UsageError
from training.config.command_line import Command, read_command
from training.config.config import Config
from training.evaluate import evaluate
from training.learner.learner import decisions_of_run
from training.measure.report import report_text, results_table
from training.run.progress_lines import GamesProgress
from training.run.resumption import read_state
from training.run.run import Run
from training.run.run_folder import RunFolder

FINISHED, WRONG_USAGE, INTERRUPTED = 0, 2, 130
"""Exit codes."""


@dataclass(frozen=True)
class Purpose:
    """What a run is for."""

    module: str
    """The module whose command starts it and goes on with it."""
    measure: Callable[[Run, Console], bool]
    """Measures the bot of a finished run and writes the report; tells whether it was not
    interrupted."""
    run: type[Run] = Run
    """What trains."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    console = PlainConsole(soft_wrap=True)
    try:
        command = read_command(arguments)
        go = resume if command.is_resumed else start
        return go(command, console, Purpose("training.train", measure))
    except UsageError as error:
        show_error(str(error))
        return WRONG_USAGE
    except KeyboardInterrupt:
        console.print("Interrupted.")
        return INTERRUPTED


def start(command: Command, console: Console, purpose: Purpose) -> int:
    """Train, keep and measure a new bot.

    Args:
        command: What to do.
        console: Where to report.
        purpose: What the run is for.

    Returns:
        The exit code: 0, or 130 if the run was stopped early.

    Raises:
        UsageError: If the run cannot start (nothing is written then), or cannot go on.
    """
    folder = RunFolder.choose(command.config, command.origin)
    run = _prepare(command.config, folder, console, purpose)
    folder.create(command.config)
    with folder.lock():
        console.print(f"Training in {folder.path}. Ctrl-C stops early and keeps the bot.")
        return _train_and_measure(run, console, purpose)


def resume(command: Command, console: Console, purpose: Purpose) -> int:
    """Go on with a run exactly where its last checkpoint was written.

    Args:
        command: What to do; its origin is the config in the folder of the run.
        console: Where to report.
        purpose: What the run is for.

    Returns:
        The exit code: 0, or 130 if the run was stopped early.

    Raises:
        UsageError: If the run cannot go on; nothing is changed then.
    """
    folder = RunFolder(command.origin.parent)
    with folder.lock():
        state = read_state(folder, command.config)
        decisions = 0 if state is None else state["learner"]["num_timesteps"]
        total = decisions_of_run(command.config)
        if decisions >= total and folder.report.exists():
            raise UsageError(
                f"the run {folder.path} is finished; see {folder.report}. To train it further, "
                f"ask for more decisions than {total}: --total_decisions N"
            )
        run = _prepare(command.config, folder, console, purpose)
        folder.remove_drafts()
        if state is not None:
            run.load_state_dict(state)
        folder.write_config(command.config)
        console.print(f"Going on in {folder.path} after {decisions:,} decisions.")
        return _train_and_measure(run, console, purpose)


def _prepare(config: Config, folder: RunFolder, console: Console, purpose: Purpose) -> Run:
    with console.status("Preparing"):
        return purpose.run(config, folder, console)


def _train_and_measure(run: Run, console: Console, purpose: Purpose) -> int:
    folder, stop = run.folder, run.stop
    try:
        with stop:
            run.train()
        ending = "Stopped after" if stop.is_made else "Trained on"
        decisions = run.evaluations.history[-1].decisions
        learning, in_all = run.stopwatch.seconds_learning, run.stopwatch.seconds
        console.print(
            f"{ending} {decisions:,} decisions in {learning:,.0f} s of learning, {in_all:,.0f} s "
            "in all with measuring."
        )
        kept = run.evaluations.kept_after
        console.print(f"The bot is {folder.bot}, as it was after {kept:,} decisions.")
        is_measured = not stop.is_made and purpose.measure(run, console)
    except OSError as error:
        raise _cannot_write(folder, error) from error
    if not is_measured:
        resume = f"--resume {shlex.quote(str(folder.path))}{run.allow_code_words}"
        console.print(
            f"To go on: python -m {purpose.module} {resume}. To measure the bot: "
            f"python -m training.evaluate {shlex.quote(str(folder.bot))}"
        )
    return FINISHED if is_measured else INTERRUPTED


def _cannot_write(folder: RunFolder, error: OSError) -> UsageError:
    what_next = (
        f"Its last checkpoint is whole. When there is room, go on with it: --resume {folder.path}"
        if folder.checkpoint.exists()
        else f"Nothing was trained yet. Make room, delete {folder.path} and start again"
    )
    return UsageError(f"cannot write to {folder.path}: {error.strerror or error}. {what_next}")


def measure(run: Run, console: Console) -> bool:
    """Measure the bot; write the results into the folder and into the bot file.

    Args:
        run: A run whose bot has been kept.
        console: Where to report.

    Returns:
        Whether it was measured, and not interrupted.
    """
    config, folder, plan = run.config, run.folder, run.config.evaluation
    bot, opponents = load_bot(str(folder.bot)), [load_bot(name) for name in plan.opponents]
    if not console.is_terminal:
        console.print("Measuring the bot.")
    columns = TextColumn("Measuring with {task.description}", markup=False), BarColumn()
    try:
        with GamesProgress(console, *columns) as progress:
            played = evaluate(
                bot, opponents, config.evaluated_tables, plan.games, plan.seed, progress
            )
            measurements = list(played)
    except KeyboardInterrupt:
        return False
    results = {"evaluation": [measurement.as_dict() for measurement in measurements]}
    metadata = read_metadata(folder.bot)
    write_metadata(folder.bot, metadata.model_copy(update={"results": results}))
    report = report_text(folder.path.name, config, metadata, measurements)
    folder.write_results({**metadata.training, **results}, report)
    console.print(results_table(measurements))
    console.print(f"The report is {folder.report}")
    return True


if __name__ == "__main__":
    sys.exit(main())
