"""``ono99 play``: a table for people, in the browser or in the terminal."""

import secrets
from typing import Annotated

import typer

from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import SUCCESS
from ono99_env.cli.showings import LOCAL_ADDRESS
from ono99_env.cli.usage_errors import mistakes_explained, table_options
from ono99_env.envs.arguments import resolve_rules
from ono99_env.messages.errors import UsageError
from ono99_env.messages.extras import need_extra
from ono99_env.rules.cards import MAX_PLAYERS

_BOTS = "Bots besides those of the package, which the page then offers; with --terminal: opponents."
_RULES = 'With --terminal: "2022", "1980", or a YAML file of rules.'
_PLAYERS = "With --terminal: how many play. [4]"
_SEED = "With --terminal: decides all chance. [drawn at random]"
_HOST = "Where the server is reached. 0.0.0.0 lets other machines of the network in."
_PORT = "Its port. [one that is free]"
_NO_BROWSER = "Only print the address."
_TERMINAL = "Play in this terminal."


def play(
    bots: Annotated[list[str] | None, typer.Argument(metavar="[BOT]...", help=_BOTS)] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help=_TERMINAL)] = False,
    rules: Annotated[str, typer.Option(metavar="RULES", help=_RULES)] = "2022",
    players: Annotated[
        int | None, typer.Option(metavar="N", min=2, max=MAX_PLAYERS, help=_PLAYERS)
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help=_SEED)] = None,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help=_HOST)] = LOCAL_ADDRESS,
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help=_PORT)] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help=_NO_BROWSER)] = False,
) -> int:
    """Play against bots or friends.

    The page in the browser sets up tables: edition, match, house rules, and a person or a bot in
    every seat. Each person gets a secret link. See docs/play.md. (extra: play)
    """
    with mistakes_explained(table_options(rules)):
        need_extra("play", "play", "starlette", "uvicorn", "websockets", "textual")
        if terminal:
            _play_in_terminal(bots or [], rules, players, seed)
        else:
            _serve_tables(bots or [], host, port, opens_browser=not no_browser)
    return SUCCESS


def _serve_tables(bots: list[str], host: str, port: int, opens_browser: bool) -> None:
    from ono99_env.play.lobby import Lobby
    from ono99_env.play.offered_bots import OfferedBots
    from ono99_env.play.preparation import prepare_bots
    from ono99_env.play.server.application import play_application
    from ono99_env.play.server.serving import open_port, serve

    lobby, console = Lobby(OfferedBots(bots)), PlainConsole(soft_wrap=True)
    with open_port(host, port) as listening:
        prepare_bots(lobby.bots)

        def announce(address: str) -> None:
            console.print(f"Set up a table at {address}")
            console.print("Keep this address to yourself. Ctrl-C ends the server and its games.")

        path = f"/host/{lobby.host_key}"
        serve(play_application(lobby, [host]), listening, path, announce, opens_browser)


def _play_in_terminal(bots: list[str], rules: str, players: int | None, seed: int | None) -> None:
    from ono99_env.play.live_table import LiveTable
    from ono99_env.play.offered_bots import OfferedBots
    from ono99_env.play.table_setup import TableSetup
    from ono99_env.play.terminal.table_screen import play_in_terminal

    resolved = resolve_rules(rules, num_players=players or (len(bots) + 1 if bots else 4))
    count = resolved.num_players
    if len(bots) > 1 and len(bots) != count - 1:
        raise UsageError(
            f"{len(bots)} bots and you are {len(bots) + 1} players, not {count}: name one bot, or "
            f"{count - 1}"
        )
    offered = OfferedBots(bots)
    opponents = ((bots or [offered.best_for(resolved)]) * count)[: count - 1]
    house = resolved.model_dump(mode="json", exclude={"edition", "num_players"})
    setup = TableSetup(
        edition=resolved.edition,
        house_rules=house,
        seats=({"name": "You"}, *({"bot": each} for each in opponents)),
        seed=secrets.randbits(63) if seed is None else seed,
    )
    play_in_terminal(LiveTable(setup, offered))
