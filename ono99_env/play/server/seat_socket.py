"""`SeatSocket`: the connection of one page to its seat."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from ono99_env.drawing.themes import theme_of
from ono99_env.messages.errors import BotError, RefusedError
from ono99_env.play.coach import ask_coach
from ono99_env.play.lobby import SeatLink
from ono99_env.play.review import review_choices
from ono99_env.play.seat_messages import state_message

Found = TypeVar("Found")

LARGEST_MESSAGE = 4096
"""Bytes of a message from a page at most; the largest honest one has under 200."""

_MOST_MISTAKES = 50
"""Messages that make no sense, after which the page is sent away."""

REPLACED, SENT_AWAY = 4001, 4002
"""Codes with which a socket closes: the page should not connect again by itself."""


class SeatSocket:
    """Tells a page what happens at its seat, and does what it asks as far as the rules allow.

    Args:
        socket: The accepted socket.
        link: The seat, whose holder the page is.
    """

    def __init__(self, socket: WebSocket, link: SeatLink) -> None:
        self._socket, self._link = socket, link
        self._hosted, self._table, self._seat = link.table, link.table.table, link.seat
        self._theme, self._coach = "light", ""
        self._changed, self._mistakes = asyncio.Event(), 0
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve the page until it leaves."""
        self._hosted.listeners.add(self._changed.set)
        self._changed.set()
        telling = asyncio.create_task(self._tell_changes())
        try:
            while True:
                await self._take(await self._socket.receive_text())
        except (WebSocketDisconnect, KeyError, RuntimeError):
            return  # the page has gone, or sent bytes, which no page of ours does
        finally:
            self._hosted.listeners.discard(self._changed.set)
            for task in (telling, *self._tasks):
                task.cancel()

    async def leave(self, code: int, reason: str) -> None:
        """Send the page away.

        Args:
            code: See `REPLACED` and `SENT_AWAY`.
            reason: Why, in a sentence.
        """
        await self._send({"type": "goodbye", "text": reason})
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone by itself
            await self._socket.close(code)

    async def _tell_changes(self) -> None:
        """Send the state of the table after every change."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._hosted.links[self._seat] is not self._link:
                await self.leave(SENT_AWAY, "The link of this seat was replaced by a new one.")
                return
            await self._send(state_message(self._table, self._seat, self._theme))
            self._ask_coach()

    async def _take(self, text: str) -> None:
        """Do what a message asks, or say why not."""
        try:
            await self._obey(_parsed(text))
        except RefusedError as refusal:
            self._mistakes += 1
            if self._mistakes > _MOST_MISTAKES:
                await self.leave(SENT_AWAY, "Too many messages made no sense.")
            else:
                await self._send({"type": "refusal", "text": f"{refusal}."})

    async def _obey(self, message: dict[str, Any]) -> None:
        match message:
            case {"type": "play", "action": str(action), "version": int(version)}:
                self._table.play(self._seat, action, version)
                self._mistakes = 0
                self._hosted.announce()
            case {"type": "draw"}:
                self._table.draw(self._seat)
                self._hosted.announce()
            case {"type": "look", "theme": str(theme)}:
                self._theme = _known_theme(theme)
                self._changed.set()
            case {"type": "coach", "bot": str(name)}:
                self._choose_coach(name)
            case {"type": "review"}:
                self._start(self._review())
            case _:
                raise RefusedError("this message is not understood; reload the page")

    def _choose_coach(self, name: str) -> None:
        """Choose whose advice is given; an empty name: none."""
        if not self._table.setup.coach:
            raise RefusedError("this table has no coach")
        if name:
            self._table.bots.bot(name, self._table.rules)
        self._coach = name
        self._ask_coach()

    def _ask_coach(self) -> None:
        if self._coach and self._table.game.current_player == self._seat:
            self._start(self._advise(self._coach))

    async def _advise(self, name: str) -> None:
        """Send the coach's advice, unless the table has moved on in the meantime."""
        table, version = self._table, self._table.version
        bot = table.bots.bot(name, table.rules)
        try:
            views = table.game.views(self._seat)
            advice = await self._think(ask_coach, bot, name, table.rules, views)
        except BotError as error:
            await self._send({"type": "refusal", "text": f"The coach failed. {error}"})
            return
        if version == table.version and table.due_draw is None:
            await self._send({"type": "advice", "version": version, **advice.as_data()})

    async def _review(self) -> None:
        if not self._table.is_over:
            text = "The review comes after the game."
            await self._send({"type": "refusal", "text": text})
            return
        choices = list(self._table.choices[self._seat])
        judged = await self._think(review_choices, choices)
        await self._send({"type": "review", "choices": judged})

    async def _think(self, work: Callable[..., Found], *arguments: Any) -> Found:
        """Compute something in a thread that no bot at a table waits for."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._hosted.thinking, work, *arguments)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Let work go on beside the messages; one piece at a time for each page."""
        for task in self._tasks:
            task.cancel()
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, message: dict[str, Any]) -> None:
        """Send a message; a page that has gone is noticed where messages are received."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._socket.send_text(json.dumps(message))


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_MESSAGE:
        raise RefusedError("this message is too long")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RefusedError("this message is no JSON") from error
    if not isinstance(message, dict):
        raise RefusedError("this message is no JSON object")
    return message


def _known_theme(name: str) -> str:
    try:
        theme_of(name)
    except ValueError as error:
        raise RefusedError(str(error)) from error
    return name
