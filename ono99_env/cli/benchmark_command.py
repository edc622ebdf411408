"""``ono99 benchmark``: a bot measured by the frozen protocol."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from ono99_env.arena.benchmark import (
    QUICK_PART,
    Benchmark,
    leaderboard_headings,
    leaderboard_line,
)
from ono99_env.arena.protocol import V0
from ono99_env.arena.report.result_files import write_json
from ono99_env.bots import load_bot
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import INTERRUPTED, SUCCESS
from ono99_env.cli.outputs import check_file
from ono99_env.cli.progress import GamesProgress
from ono99_env.cli.usage_errors import mistakes_explained
from ono99_env.messages.errors import BotError, UsageError
from ono99_env.messages.text import printable

_JSON = "Write the result there."
_LINE = "Print only the line for the leaderboard in docs/benchmark.md."
_QUICK = (
    f"One deal in {QUICK_PART}, to see whether everything works; the figures are not comparable."
)


def benchmark(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Who is measured.")],
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, help="How many processes play.")
    ] = 1,
    quick: Annotated[bool, typer.Option("--quick", help=_QUICK)] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help=_JSON)] = None,
    line: Annotated[bool, typer.Option("--line", help=_LINE)] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace a result that exists.")
    ] = False,
) -> int:
    """Measure a bot by the frozen protocol ONO99-Bench v0.

    The same bot has the same figures in every run and on every machine, with any number of
    processes. An .onnx file takes about five minutes with two.
    """
    console = PlainConsole()
    with mistakes_explained():
        if json is not None:
            check_file("--json", json, overwrite)
        contest = Benchmark(load_bot(bot), is_quick=quick)
        try:
            record = _play(contest, processes, PlainConsole(is_error=True) if line else console)
        except KeyboardInterrupt:
            console.print("Interrupted: nothing was kept.")
            return INTERRUPTED
        except BotError as error:
            raise UsageError(str(error)) from error
        if json is not None:
            write_json(json, record)
    if not line:
        _show(console, record)
    console.print(leaderboard_line(record), soft_wrap=True)
    return SUCCESS


def _play(contest: Benchmark, processes: int, console: PlainConsole) -> dict[str, Any]:
    with GamesProgress(console) as progress:
        return contest.play(processes, progress.count(contest.games))


def _show(console: PlainConsole, record: Mapping[str, Any]) -> None:
    """Print the figures as a table, with notes about them."""
    console.print(_table(record))
    uncounted = " and ".join(record["protocol"]["not_scored"])
    lines = [f"The score is the mean over the settings; against {uncounted} does not count."]
    problems = [setting["problem"] for setting in record["settings"] if setting["problem"]]
    for problem in dict.fromkeys(problems):
        titles = [each["title"] for each in record["settings"] if each["problem"] == problem]
        lines.append(f"Not played: {'; '.join(titles)}: {problem}")
    if record["is_quick"]:
        lines.append(f"Quick: 1 deal in {QUICK_PART}. These figures are not comparable.")
    lines += ["", "The line for the leaderboard:", leaderboard_headings(V0)]
    console.print("\n".join(lines), soft_wrap=True)


def _table(record: Mapping[str, Any]) -> Table:
    """Make a table with a row per setting and edition, and a column per reference bot."""
    pool = record["protocol"]["pool"]
    title = f"{record['protocol']['name']}: {record['bot']} among copies of others (1 is parity)"
    headings = ["setting", *pool, "score", "95% interval"]
    table = Table(*headings, title=Text(printable(title)), title_justify="left")
    for setting in record["settings"]:
        scores = [f"{each['score']:.3f}" for each in setting["opponents"]] or ["-"] * len(pool)
        table.add_row(setting["title"], *scores, *_score_cells(setting))
    table.add_section()
    blanks = [""] * len(pool)
    for edition, part in record["editions"].items():
        table.add_row(f"{edition} edition", *blanks, *_score_cells(part))
    table.add_row("all", *blanks, *_score_cells(record), style="bold")
    return table


def _score_cells(part: Mapping[str, Any]) -> list[str]:
    if part["score"] is None:
        return ["-", "-"]
    low, high = part["interval"]
    return [f"{part['score']:.3f}", f"{low:.3f} to {high:.3f}"]
