"""How quickly the server of ``ono99 play`` answers, with many tables at once.

``python -m benchmarks.play_tables [--tables 50] [--bot 2022]`` starts a server and a client for
each table, which plays to the end. It prints how long the clients waited for a bot's play, from one
state of the table to the next, and how long a page takes to load.
"""

import argparse
import asyncio
import json
import statistics
import threading
import time

import httpx
from websockets.asyncio.client import connect

from benchmarks.machine import description
from ono99_env.play.lobby import Lobby
from ono99_env.play.offered_bots import OfferedBots
from ono99_env.play.preparation import prepare_bots
from ono99_env.play.server.application import play_application
from ono99_env.play.server.serving import open_port, web_server

_PATIENCE = 120


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--bot", default="2022")
    parser.add_argument("--thinking", type=float, default=2.0, help="seconds of a person's thought")
    options = parser.parse_args()
    lobby = Lobby(OfferedBots())
    prepare_bots(lobby.bots)
    with open_port("127.0.0.1", 0) as listening:
        server = web_server(play_application(lobby))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        try:
            waits, loads = asyncio.run(_play_tables(address, lobby.host_key, options))
        finally:
            server.should_exit = True
            thread.join()
    print(description())
    print(
        f"{options.tables} tables, a person who thinks {options.thinking:g} s and three bots "
        f"{options.bot} at each, {len(waits)} plays of bots"
    )
    print(f"answer of a bot: {_words(waits)}")
    print(f"page of a table: {_words(loads)}")


async def _play_tables(
    address: str, key: str, options: argparse.Namespace
) -> tuple[list[float], list[float]]:
    waits: list[float] = []
    loads: list[float] = []
    seats = [{}, *[{"bot": options.bot}] * 3]
    async with httpx.AsyncClient(base_url=address, timeout=_PATIENCE) as http:

        async def play_table(number: int) -> None:
            setup = {"seats": seats, "bot_seconds": 0, "seed": number}
            answer = await http.post(f"/host/{key}/tables", json=setup)
            link = answer.json()["seats"][0]["link"]
            await asyncio.sleep(options.thinking * number / options.tables)
            start = time.perf_counter()
            page = await http.get(link)
            loads.append(time.perf_counter() - start)
            cookie = page.headers["set-cookie"].partition(";")[0]
            await _play(address, link, cookie, options.thinking, waits)

        await asyncio.gather(*(play_table(number) for number in range(options.tables)))
    return waits, loads


async def _play(address: str, link: str, cookie: str, thinking: float, waits: list[float]) -> None:
    """Play a game to its end, and note how long each play of a bot took."""
    live = f"{address.replace('http', 'ws', 1)}{link}/live"
    async with connect(live, additional_headers={"Cookie": cookie}) as socket:
        since: float | None = None
        async for text in socket:
            state = json.loads(text)
            if state["type"] != "state":
                continue
            now = time.perf_counter()
            if since is not None:
                waits.append(now - since)
            if state["is_over"]:
                return
            since = now
            if state["is_your_turn"]:
                await asyncio.sleep(thinking)
                legal = [card["action"] for card in state["cards"] if card["is_legal"]]
                message = {"type": "play", "action": legal[0], "version": state["version"]}
                since = None
                await socket.send(json.dumps(message))


def _words(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    late = ordered[int(0.99 * (len(ordered) - 1))]
    return (
        f"median {1000 * statistics.median(ordered):.0f} ms, 99% within {1000 * late:.0f} ms, "
        f"longest {1000 * ordered[-1]:.0f} ms"
    )


if __name__ == "__main__":
    main()
