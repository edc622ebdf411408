"""The pages of a seat: its table, and after the game the record and the replay."""

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from ono99_env.game import list_frames
from ono99_env.messages.errors import RefusedError
from ono99_env.play.lobby import Lobby, SeatLink
from ono99_env.play.server.host_pages import refused
from ono99_env.play.server.pages import page, sentence_page
from ono99_env.play.server.seat_socket import REPLACED, SENT_AWAY, SeatSocket
from ono99_env.play.server.showing_pages import showing_answer
from ono99_env.play.showing import Showing

_COOKIE = "seat"


class SeatPages:
    """The pages of seats, at ``/seat/SECRET``.

    Args:
        lobby: The tables.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._sockets: dict[SeatLink, SeatSocket] = {}
        self._showings: dict[SeatLink, Showing] = {}
        self.routes: list[BaseRoute] = [
            Route("/seat/{secret}", self._show),
            Route("/seat/{secret}/bots", self._list_bots),
            Route("/seat/{secret}/record", self._send_record),
            Route("/seat/{secret}/replay", self._show_replay),
            Route("/seat/{secret}/replay/{part}", self._send_replay),
            WebSocketRoute("/seat/{secret}/live", self._connect),
        ]

    async def _show(self, request: Request) -> Response:
        """Let the first browser into the seat, and only that one."""
        try:
            link = self._lobby.find_seat(request.path_params["secret"])
            shown = link.claim(request.cookies.get(_COOKIE))
        except RefusedError as refusal:
            return sentence_page(str(refusal), 404)
        answer = page("table")
        path = f"/seat/{link.secret}"
        answer.set_cookie(_COOKIE, shown, path=path, httponly=True, samesite="strict")
        return answer

    async def _list_bots(self, request: Request) -> Response:
        """List the bots that can coach at this table."""
        try:
            link = self._holder(request)
        except RefusedError as refusal:
            return refused(refusal, 404)
        table, fitting = link.table.table, []
        for each in self._lobby.bots.as_data():
            try:
                self._lobby.bots.bot(each["name"], table.rules)
            except RefusedError:
                continue
            fitting.append(each)
        return JSONResponse({"bots": fitting})

    async def _connect(self, socket: WebSocket) -> None:
        """Connect a page; an older page of the same seat and browser is sent away."""
        await socket.accept()
        try:
            link = self._lobby.find_seat(socket.path_params["secret"])
            link.check(socket.cookies.get(_COOKIE))
        except RefusedError as refusal:
            await socket.send_text(json.dumps({"type": "goodbye", "text": f"{refusal}."}))
            await socket.close(SENT_AWAY)
            return
        older = self._sockets.get(link)
        mine = self._sockets[link] = SeatSocket(socket, link)
        if older is not None:
            await older.leave(REPLACED, "This seat was opened in another window of this browser.")
        await mine.run()
        if self._sockets.get(link) is mine:
            del self._sockets[link]

    async def _send_record(self, request: Request) -> Response:
        try:
            link = self._finished(request)
        except RefusedError as refusal:
            return sentence_page(str(refusal), 404)
        table = link.table.table
        answer = JSONResponse(table.game.record(table.names))
        answer.headers["Content-Disposition"] = 'attachment; filename="ono99_game.json"'
        return answer

    async def _show_replay(self, request: Request) -> Response:
        try:
            self._finished(request)
        except RefusedError as refusal:
            return sentence_page(str(refusal), 404)
        return page("replay")

    async def _send_replay(self, request: Request) -> Response:
        try:
            link = self._finished(request)
        except RefusedError as refusal:
            return refused(refusal, 404)
        if link not in self._showings:
            table = link.table.table
            frames = list_frames(table.game, link.seat, table.names)
            title = f"The game of {table.names[link.seat]}"
            self._showings[link] = Showing(frames, table.game.history, title)
        return showing_answer(self._showings[link], request)

    def _holder(self, request: Request) -> SeatLink:
        """Return the seat of a request by the browser that holds it.

        Raises:
            RefusedError: If there is no such seat, or another browser holds it.
        """
        link = self._lobby.find_seat(request.path_params["secret"])
        link.check(request.cookies.get(_COOKIE))
        return link

    def _finished(self, request: Request) -> SeatLink:
        """Return the seat of a request, if its game is over: until then cards are hidden.

        Raises:
            RefusedError: If the game goes on, or as `_holder` says.
        """
        link = self._holder(request)
        if not link.table.table.is_over:
            raise RefusedError("the game goes on; its record and its replay come after the end")
        return link
