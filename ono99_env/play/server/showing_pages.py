"""The pages of a game that is only looked at: a replay, or a game between bots."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ono99_env.messages.errors import RefusedError
from ono99_env.play.server.host_pages import refused
from ono99_env.play.server.pages import page, sentence_page
from ono99_env.play.showing import Showing

_PICTURE = ".svg"


class ShowingPages:
    """The pages of one showing, at ``/show/KEY``.

    Args:
        showing: The game.
        key: The secret part of its address.
    """

    def __init__(self, showing: Showing, key: str) -> None:
        self._showing, self._key = showing, key
        self.routes = [
            Route("/show/{key}", self._show),
            Route("/show/{key}/{part}", self._send),
        ]

    async def _show(self, request: Request) -> Response:
        if request.path_params["key"] != self._key:
            return sentence_page("there is no game at this address", 404)
        return page("replay")

    async def _send(self, request: Request) -> Response:
        if request.path_params["key"] != self._key:
            return refused(RefusedError("there is no game at this address"), 404)
        return showing_answer(self._showing, request)


def showing_answer(showing: Showing, request: Request) -> Response:
    """Return the words of a showing, or one of its pictures.

    Args:
        showing: The game.
        request: Its path ends with ``part``: ``moments``, or ``12.svg``.
    """
    part = request.path_params["part"]
    if part == "moments":
        return JSONResponse(showing.as_data())
    number = part.removesuffix(_PICTURE)
    try:
        if not part.endswith(_PICTURE) or not (number.isascii() and number.isdecimal()):
            raise ValueError("there is nothing at this address")
        picture = showing.picture(int(number[:9]), request.query_params.get("theme", "light"))
    except ValueError as error:
        return refused(RefusedError(str(error)), 404)
    return Response(picture, media_type="image/svg+xml")
