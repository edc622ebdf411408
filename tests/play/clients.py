"""A page without a browser: what a script in a page does, in Python."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60
"""Seconds to wait for an answer: the machine may be busy."""


class Page:
    """A browser that has opened the link of a seat.

    Args:
        address: The address of the server.
        link: The link of the seat.
        cookies: Those of the browser; default: a browser that has never been here.
    """

    def __init__(self, address: str, link: str, cookies: Mapping[str, str] | None = None) -> None:
        self.http = httpx.Client(base_url=address, cookies=dict(cookies or {}))
        self.link, self.answer = link, self.http.get(link)
        self.raw: list[str] = []
        self._live = f"{address.replace('http', 'ws', 1)}{link}/live"
        self.socket = self.connect()

    @property
    def cookies(self) -> dict[str, str]:
        return {each.name: each.value or "" for each in self.http.cookies.jar}

    def connect(self, **headers: str) -> ClientConnection:
        words = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return connect(self._live, additional_headers={"Cookie": words, **headers}, legacy=True)

    def reload(self) -> None:
        self.socket.close()
        self.answer = self.http.get(self.link)
        self.socket = self.connect()

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self) -> dict[str, Any]:
        text = self.socket.recv(timeout=PATIENCE)
        assert isinstance(text, str)
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        return message

    def wait(self, kind: str, fits: Callable[[dict[str, Any]], bool] = bool) -> dict[str, Any]:
        """The next message of a kind that fits."""
        while True:
            message = self.receive()
            if message["type"] == kind and fits(message):
                return message

    def turn(self) -> dict[str, Any]:
        """The state when it is this seat's turn, or the game is over."""
        return self.wait("state", lambda state: state["is_your_turn"] or state["is_over"])

    def play(self, state: dict[str, Any], choice: int = -1) -> None:
        legal = [card["action"] for card in state["cards"] if card["is_legal"]]
        self.send(type="play", action=legal[choice], version=state["version"])

    def is_closed(self) -> bool:
        try:
            while True:
                self.socket.recv(timeout=PATIENCE)
        except ConnectionClosed:
            return True


def play_to_the_end(page: Page, choice: int = -1) -> dict[str, Any]:
    """Play until the game is over; returns the last state."""
    while True:
        state = page.turn()
        if state["is_over"]:
            return state
        page.play(state, choice)
