"""What the host may do: see the choices there are, set up a table, renew a link."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ono99_env.messages.errors import RefusedError
from ono99_env.play.lobby import Lobby
from ono99_env.play.server.pages import page, sentence_page
from ono99_env.play.table_setup import LONGEST_NAME
from ono99_env.rules.rules import Rules

LARGEST_BODY = 64 * 1024
"""Bytes of a request at most."""

_CHOICES: dict[str, Any] = {
    "format": ["single_round", "chips", "points_last_standing", "points_lowest"],
    "ono99_play": ["never", "total_ends_in_zero", "total_is_zero"],
    "four_ono99_discard": ["as_play", "then_play", "off"],
    "eliminated_hands": ["face_up", "face_down"],
    "stuck_round_winner": ["last_to_play", "last_remaining"],
    "next_dealer": ["rotate", "loser_starts"],
}
"""House rules that the page offers, with their values; any field of `Rules` may be sent."""


class HostPages:
    """The pages of the host, at ``/host/KEY``.

    Args:
        lobby: The tables.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self.routes = [
            Route("/host/{key}", self._show),
            Route("/host/{key}/choices", self._list_choices),
            Route("/host/{key}/tables", self._add_table, methods=["POST"]),
            Route(
                "/host/{key}/tables/{table:int}/seats/{seat:int}/link",
                self._renew_link,
                methods=["POST"],
            ),
        ]

    async def _show(self, request: Request) -> Response:
        try:
            self._lobby.check_host(request.path_params["key"])
        except RefusedError as refusal:
            return sentence_page(str(refusal), 404)
        return page("host")

    async def _list_choices(self, request: Request) -> Response:
        try:
            self._lobby.check_host(request.path_params["key"])
        except RefusedError as refusal:
            return refused(refusal, 404)
        presets = {
            name: {field: getattr(Rules.preset(name), field) for field in (*_CHOICES, *_NUMBERS)}
            for name in ("2022", "1980")
        }
        choices = {"bots": self._lobby.bots.as_data(), "rules": _CHOICES, "presets": presets}
        return JSONResponse({**choices, "longest_name": LONGEST_NAME})

    async def _add_table(self, request: Request) -> Response:
        try:
            self._lobby.check_host(request.path_params["key"])
            hosted = self._lobby.add_table(await _json_of(request))
        except RefusedError as refusal:
            return refused(refusal, 400)
        names = hosted.table.names
        seats = [
            {"seat": seat, "name": names[seat], "link": f"/seat/{link.secret}"}
            for seat, link in hosted.links.items()
        ]
        return JSONResponse({"table": hosted.number, "seats": seats}, status_code=201)

    async def _renew_link(self, request: Request) -> Response:
        path = request.path_params
        try:
            self._lobby.check_host(path["key"])
            link = self._lobby.renew_link(path["table"], path["seat"])
        except RefusedError as refusal:
            return refused(refusal, 400)
        return JSONResponse({"link": f"/seat/{link.secret}"}, status_code=201)


_NUMBERS = ("highest_total", "hand_size", "chips", "target_points", "num_players")


def refused(refusal: RefusedError, status: int) -> JSONResponse:
    """Return a refusal as a page's script reads it.

    Args:
        refusal: Why.
        status: The status code of the answer.
    """
    return JSONResponse({"refusal": f"{refusal}."}, status_code=status)


async def _json_of(request: Request) -> Any:
    """Read the JSON that a page has sent.

    Raises:
        RefusedError: If it is none, or too large.
    """
    if "application/json" not in request.headers.get("content-type", ""):
        raise RefusedError("the request must be of the type application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_BODY:
            raise RefusedError(f"the request is larger than {LARGEST_BODY} bytes")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RefusedError("the request is no JSON") from error
