"""Run the web server until the user stops it."""

import socket
import threading
import webbrowser
from collections.abc import Callable
from importlib.util import find_spec

import uvicorn
from starlette.applications import Starlette

from ono99_env.play.server.seat_socket import LARGEST_MESSAGE

MOST_CONNECTIONS = 1000
"""Connections at once; more are turned away with the status 503."""

_SECONDS_TO_STOP = 2


def open_port(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Args:
        host: Name or address of the network interface.
        port: The port; 0 takes any that is free.

    Raises:
        OSError: If the port is taken, or there is no such address; the message says which.
    """
    kind = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(kind, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        reason = error.strerror or str(error)
        raise OSError(error.errno, reason, f"--host {host} --port {port}") from error
    listening.listen(2048)
    return listening


def web_server(application: Starlette) -> uvicorn.Server:
    """Return a server for an application, with its limits."""
    return uvicorn.Server(
        uvicorn.Config(
            application,
            log_level="warning",
            access_log=False,
            ws="websockets-sansio" if find_spec("websockets") else "auto",
            ws_max_size=4 * LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=_SECONDS_TO_STOP,
            server_header=False,
        )
    )


def serve(
    application: Starlette,
    listening: socket.socket,
    path: str,
    announce: Callable[[str], None],
    opens_browser: bool,
) -> None:
    """Serve until Ctrl-C.

    Args:
        application: What is served.
        listening: Where.
        path: The secret path of the first page.
        announce: Is given the address of that page.
        opens_browser: Whether to open it in the user's browser.
    """
    host, port = listening.getsockname()[:2]
    named = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    address = f"http://{f'[{named}]' if ':' in named else named}:{port}{path}"
    announce(address)
    if opens_browser:
        threading.Timer(0.5, webbrowser.open, [address]).start()
    web_server(application).run(sockets=[listening])
