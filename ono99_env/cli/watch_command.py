"""``ono99 watch``: bots play, and people look on."""

import secrets
from typing import Annotated

import typer

from ono99_env.bots import load_bot
from ono99_env.bots.foreign import check_bot, name_of
from ono99_env.cli.exit_codes import SUCCESS
from ono99_env.cli.showings import LOCAL_ADDRESS, show_in_browser, show_in_terminal
from ono99_env.cli.usage_errors import mistakes_explained, table_options
from ono99_env.envs.arguments import resolve_rules
from ono99_env.game import list_frames
from ono99_env.messages.errors import UsageError
from ono99_env.messages.extras import need_extra
from ono99_env.play.showing import Showing, play_bots
from ono99_env.rules.cards import MAX_PLAYERS

_BOTS = "Who plays, by seat; fewer than players take turns."
_RULES = '"2022", "1980", or a YAML file of rules.'
_PLAYERS = "How many play. [as many as bots, at least 2]"
_SEED = "Decides all chance. [drawn at random]"
_TERMINAL = "Watch in this terminal."
_SECONDS = "With --terminal: how long each move is shown; keys change it."
_HOST = "Where the server is reached."
_PORT = "Its port. [one that is free]"
_NO_BROWSER = "Only print the address."


def watch(
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help=_BOTS)],
    rules: Annotated[str, typer.Option(metavar="RULES", help=_RULES)] = "2022",
    players: Annotated[
        int | None, typer.Option(metavar="N", min=2, max=MAX_PLAYERS, help=_PLAYERS)
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help=_SEED)] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help=_TERMINAL)] = False,
    seconds: Annotated[float, typer.Option(metavar="N", min=0.05, max=60, help=_SECONDS)] = 1.0,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help=_HOST)] = LOCAL_ADDRESS,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help=_PORT)] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help=_NO_BROWSER)] = False,
) -> int:
    """Watch bots play a game: at any speed, with pause, step and back.

    The same words and --seed show the same game. (extra: play)
    """
    with mistakes_explained(table_options(rules)):
        need_extra("play", "watch", "starlette", "uvicorn", "textual")
        table = resolve_rules(rules, num_players=players or max(2, len(bots)))
        if len(bots) > table.num_players:
            raise UsageError(f"--players: {len(bots)} bots need as many seats, not {players}")
        loaded = {name: load_bot(name) for name in bots}
        for each in loaded.values():
            check_bot(each, table)
        seated = [loaded[bots[seat % len(bots)]] for seat in range(table.num_players)]
        chosen = secrets.randbits(32) if seed is None else seed
        game = play_bots(seated, table, chosen)
        names = [f"{name_of(bot)} {seat + 1}" for seat, bot in enumerate(seated)]
        title = f"{' against '.join(dict.fromkeys(bots))}, {table.edition} edition, seed {chosen}"
        showing = Showing(list_frames(game, names=names), game.history, title, plays_itself=True)
        if terminal:
            show_in_terminal(showing, seconds)
        else:
            show_in_browser(showing, host, port, opens_browser=not no_browser)
    return SUCCESS
