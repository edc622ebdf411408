"""All subcommands of ``ono99``."""

import typer

from ono99_env import __version__
from ono99_env.cli.arena_command import arena
from ono99_env.cli.benchmark_command import benchmark
from ono99_env.cli.bots_command import bots
from ono99_env.cli.explain_command import explain
from ono99_env.cli.replay_command import replay

app = typer.Typer(
    name="ono99",
    help="ONO 99: bots, tournaments between them, and games to look at.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(bots)
app.command()(arena)
app.command()(benchmark)
app.command()(explain)
app.command()(replay)


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"ono99-env {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", help="Show the version.", callback=_show_version, is_eager=True
    ),
) -> None:
    """Options that stand before the subcommand."""
