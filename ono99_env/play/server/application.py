"""The application: which address leads to what."""

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from ono99_env.play.lobby import Lobby
from ono99_env.play.server.guard import Guard
from ono99_env.play.server.host_pages import HostPages
from ono99_env.play.server.pages import PAGES, sentence_page
from ono99_env.play.server.seat_pages import SeatPages
from ono99_env.play.server.showing_pages import ShowingPages
from ono99_env.play.showing import Showing


def play_application(lobby: Lobby, hosts: Collection[str] = ()) -> Starlette:
    """Return the application of a server at which people play.

    Args:
        lobby: Its tables.
        hosts: Names under which the server is reached; see `Guard`.
    """
    return _application([*HostPages(lobby).routes, *SeatPages(lobby).routes], hosts, lobby)


def showing_application(showing: Showing, key: str, hosts: Collection[str] = ()) -> Starlette:
    """Return the application of a server that shows one game.

    Args:
        showing: The game.
        key: The secret part of its address.
        hosts: Names under which the server is reached; see `Guard`.
    """
    return _application(ShowingPages(showing, key).routes, hosts)


def _application(
    routes: Sequence[BaseRoute], hosts: Collection[str], lobby: Lobby | None = None
) -> Starlette:
    @asynccontextmanager
    async def close_tables(_: Starlette) -> AsyncIterator[None]:
        yield
        if lobby is not None:
            lobby.close()

    assets = Mount("/pages", StaticFiles(directory=PAGES))
    return Starlette(
        routes=[Route("/", _say_where), assets, *routes],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={HTTPException: _explain},
        lifespan=close_tables,
    )


async def _say_where(_: Request) -> Response:
    return sentence_page("Open the secret address that the command printed.", 200)


async def _explain(_: Request, error: Any) -> Response:
    """Answer what is not there in a sentence."""
    texts = {404: "There is nothing at this address.", 405: "This is not done that way."}
    return sentence_page(texts.get(error.status_code, str(error.detail)), error.status_code)
