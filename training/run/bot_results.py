"""The results of a finished run: its bot measured, in the bot file and in a report."""

from rich.console import Console

from ono99_env import load_bot
from ono99_env.bots.policies.bot_file import read_metadata, write_metadata
from ono99_env.cli.progress import GamesProgress
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
    """
    config, folder = run.config, run.folder
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
            measurements = list(evaluate(load_bot(str(folder.bot)), plan, progress))
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
