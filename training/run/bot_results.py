"""The results of a finished run: its bot measured, in the bot file and in a report."""

from rich.console import Console

from ono99_env import load_bot
from ono99_env.bots.base import Bot
from ono99_env.bots.policies.bot_file import read_metadata, write_metadata
from ono99_env.cli.progress import GamesProgress
from ono99_env.messages.errors import BotFileError, UsageError
from training.measure.evaluation import EvaluationPlan, evaluate
from training.measure.report import results_table, run_report
from training.run.run import Run


def measure_bot(run: Run, console: Console) -> bool:
    """Measure the bot of a run; write the results into the folder and into the bot file.

    Args:
        run: A run that has kept a bot.
        console: Where to report.

    Returns:
        Whether it was measured without an interruption.

    Raises:
        UsageError: If the bot of the run is missing or damaged.
    """
    config, folder = run.config, run.folder
    bot = _load_kept(run)
    plan = EvaluationPlan(
        [load_bot(name) for name in config.evaluation.opponents],
        config.evaluated_tables,
        config.evaluation.games,
        config.evaluation.seed,
    )
    if not console.is_terminal:
        console.print("Measuring the bot.")
    try:
        with GamesProgress(console) as progress:
            measurements = list(evaluate(bot, plan, progress))
    except KeyboardInterrupt:
        return False
    results = {"evaluation": [measurement.as_dict() for measurement in measurements]}
    metadata = read_metadata(folder.bot)
    write_metadata(folder.bot, metadata.model_copy(update={"results": results}))
    report = run_report(folder.path.name, config, metadata, measurements)
    folder.write_results({**metadata.training, **results}, report)
    console.print(results_table(measurements))
    console.print(f"The report is {folder.report}")
    return True


def _load_kept(run: Run) -> Bot:
    """Open the bot that the run has kept."""
    path = run.folder.bot
    try:
        return load_bot(str(path))
    except (FileNotFoundError, BotFileError) as error:
        raise UsageError(
            f"the bot of the run cannot be measured: {error}. Restore {path} from a copy, or write "
            f"it from the last checkpoint: python -m training.export {run.folder.path} {path} "
            "--overwrite"
        ) from error
