"""Show a game in the browser or in the terminal, as several commands do."""

from ono99_env.cli.consoles import PlainConsole
from ono99_env.play.showing import Showing

LOCAL_ADDRESS = "127.0.0.1"
"""Where servers are reached unless the user says otherwise: from this machine only."""


def show_in_browser(showing: Showing, host: str, port: int, opens_browser: bool) -> None:
    """Serve the pages of a game until Ctrl-C.

    Args:
        showing: The game.
        host: Where the server is reached.
        port: Its port; 0: any that is free.
        opens_browser: Whether to open the page.

    Raises:
        OSError: If the port is taken.
    """
    from ono99_env.play.lobby import new_secret
    from ono99_env.play.server.application import showing_application
    from ono99_env.play.server.serving import open_port, serve

    console, key = PlainConsole(soft_wrap=True), new_secret()
    with open_port(host, port) as listening:

        def announce(address: str) -> None:
            console.print(f"{showing.title}: {address}")
            console.print("Ctrl-C ends it.")

        application = showing_application(showing, key, [host])
        serve(application, listening, f"/show/{key}", announce, opens_browser)


def show_in_terminal(showing: Showing, seconds: float) -> None:
    """Show a game on the whole terminal, until the user quits.

    Args:
        showing: The game.
        seconds: How long each moment is shown at first.
    """
    from ono99_env.play.terminal.showing_screen import ShowingScreen

    ShowingScreen(showing, seconds).run()
