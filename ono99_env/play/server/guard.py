"""What every answer carries, and which requests are answered at all."""

import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_LOCAL = ("localhost", "127.0.0.1", "::1")


class Guard:
    """Answers only who came by this server's own address, and adds headers of safety.

    Pages of other sites could otherwise send orders to a server on the same machine, under a name
    of their own that leads here.

    Args:
        app: The application.
        hosts: Names of this server besides those of the machine itself and plain addresses.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] = ()) -> None:
        self._app, self._hosts = app, {*_LOCAL, *hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        problem = self._problem(Headers(scope=scope), scope)
        if problem is None:
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": problem})
        else:
            answer = PlainTextResponse(problem, status_code=403)
            await answer(scope, receive, _with_headers(send))

    def _problem(self, headers: Headers, scope: Scope) -> str | None:
        """Return why a request is refused, or None."""
        host = headers.get("host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if name not in self._hosts and not _is_address(name):
            return "This server does not go by that name."
        origin = headers.get("origin")
        is_reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        if origin is not None and not is_reading and urlsplit(origin).netloc != host:
            return "Requests from pages of other sites are refused."
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(_HEADERS)
        await send(message)

    return send_with_headers
