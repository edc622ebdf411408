"""A real server on a free port, for all tests of a worker."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from ono99_env.play.live_table import LiveTable
from ono99_env.play.lobby import Lobby
from ono99_env.play.offered_bots import OfferedBots
from ono99_env.play.server.application import play_application
from ono99_env.play.server.serving import open_port, web_server
from tests.play.clients import PATIENCE, Page

BOT = {"bot": "highest"}
PERSON: dict[str, str] = {}


@dataclass
class Server:
    address: str
    lobby: Lobby

    @property
    def host(self) -> str:
        return f"{self.address}/host/{self.lobby.host_key}"

    def post(self, setup: Any, **headers: str) -> httpx.Response:
        return httpx.post(f"{self.host}/tables", json=setup, headers=headers, timeout=PATIENCE)

    def seat(self, *seats: dict[str, str], **setup: Any) -> list[str]:
        """Set up a table; returns the links of its people."""
        answer = self.post({"seats": seats or (PERSON, BOT, BOT), "bot_seconds": 0, **setup})
        assert answer.status_code == 201, answer.text
        return [seat["link"] for seat in answer.json()["seats"]]

    def table(self, link: str) -> LiveTable:
        return self.lobby.find_seat(link.rpartition("/")[2]).table.table


@pytest.fixture(scope="session")
def bots() -> OfferedBots:
    return OfferedBots()


@pytest.fixture(scope="session")
def server(bots: OfferedBots) -> Iterator[Server]:
    lobby = Lobby(bots)
    with open_port("127.0.0.1", 0) as listening:
        running = web_server(play_application(lobby))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        while not running.started:
            time.sleep(0.01)
        yield Server(f"http://127.0.0.1:{listening.getsockname()[1]}", lobby)
        running.should_exit = True
        thread.join(PATIENCE)


@pytest.fixture
def open_page(server: Server) -> Iterator[Callable[..., Page]]:
    pages: list[Page] = []

    def open_one(link: str, **arguments: Any) -> Page:
        pages.append(Page(server.address, link, **arguments))
        return pages[-1]

    yield open_one
    for page in pages:
        page.socket.close()
        page.http.close()
