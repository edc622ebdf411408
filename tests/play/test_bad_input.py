"""What a server refuses, in a sentence; the game goes on."""

import contextlib
import inspect
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ono99_env.cli.play_command import play
from ono99_env.cli.watch_command import watch
from tests.play.clients import PATIENCE, Page, play_to_the_end
from tests.play.conftest import BOT, PERSON, Server

OpenPage = Callable[..., Page]
MEGABYTES_10 = 10 * 2**20


def test_a_wrong_link_is_refused(server: Server, open_page: OpenPage) -> None:
    answer = httpx.get(f"{server.address}/seat/guessed")
    assert answer.status_code == 404
    assert "no seat at this address" in answer.text
    assert "no seat" in open_page("/seat/guessed").wait("goodbye")["text"]


def test_a_link_that_another_browser_holds_is_refused(server: Server, open_page: OpenPage) -> None:
    mine = open_page(server.seat()[0])
    mine.turn()
    other = open_page(mine.link)
    assert other.answer.status_code == 404
    assert "this seat is taken" in other.answer.text.lower()
    assert "this seat is taken" in other.wait("goodbye")["text"]
    forged = open_page(mine.link, cookies={"seat": "forged"})
    assert "this seat is taken" in forged.wait("goodbye")["text"]
    assert play_to_the_end_after_reload(mine)["is_over"]


def test_a_link_is_opened_before_it_is_connected(server: Server) -> None:
    link = server.seat()[0]
    page = Page(server.address, "/seat/none")
    page._live = page._live.replace("/seat/none", link)
    page.socket = page.connect()
    assert "open the link" in page.wait("goodbye")["text"]
    assert Page(server.address, link).turn()["is_your_turn"]


def test_a_renewed_link_replaces_the_old_one(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat()[0])
    page.turn()
    number = server.lobby.find_seat(page.link.rpartition("/")[2]).table.number
    path = f"{server.host}/tables/{number}/seats/0/link"
    link = httpx.post(path, timeout=PATIENCE).json()["link"]
    assert "replaced" in page.wait("goodbye")["text"]
    assert open_page(page.link).answer.status_code == 404
    assert open_page(link).turn()["is_your_turn"]
    assert httpx.post(path.replace("seats/0", "seats/1")).status_code == 400


def play_to_the_end_after_reload(page: Page) -> dict[str, Any]:
    page.reload()
    return play_to_the_end(page)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"type": "play", "action": "hold", "version": 0}, "does not hold that card"),
        ({"type": "play", "action": "ono99", "version": 0}, "R11"),
        ({"type": "play", "action": "discard_four_ono99", "version": 0}, "R12"),
        ({"type": "play", "action": "win", "version": 0}, "not a known action"),
        ({"type": "play", "action": "6", "version": 7}, "moved on"),
        ({"type": "play", "action": "6", "version": -1}, "moved on"),
        ({"type": "play", "action": "6", "version": 10**30}, "moved on"),
        ({"type": "play", "action": 6, "version": 0}, "not understood"),
        ({"type": "play", "action": "6"}, "not understood"),
        ({"type": "play", "action": "6", "version": "0"}, "not understood"),
        ({"type": "cheat"}, "not understood"),
        ({"type": "draw"}, "no card to draw"),
        ({"type": "look", "theme": "<script>"}, "theme must be"),
        ({"type": "coach", "bot": "os:system"}, "there is no bot"),
        ({"type": "coach", "bot": "../../etc/passwd.onnx"}, "there is no bot"),
        ({"type": "coach", "bot": "higest"}, "did you mean 'highest'"),
        ({"type": "coach", "bot": "1980"}, "cannot play"),
        ([], "no JSON object"),
        ({}, "not understood"),
    ],
)
def test_a_forged_message_is_refused(
    message: Any, reason: str, server: Server, open_page: OpenPage
) -> None:
    page = open_page(server.seat(seed=5)[0])
    state = page.turn()
    page.socket.send(json.dumps(message))
    assert reason in page.wait("refusal")["text"]
    page.play(state)
    assert page.wait("state", lambda each: each["version"] > state["version"])


@pytest.mark.parametrize("text", ["", "{", "\x00", "[" * 4000, '{"type": NaN}', "é" * 3000])
def test_a_text_that_is_no_message_is_refused(
    text: str, server: Server, open_page: OpenPage
) -> None:
    page = open_page(server.seat(seed=5)[0])
    page.turn()
    page.socket.send(text)
    assert page.wait("refusal")["text"].endswith(".")
    assert play_to_the_end_after_reload(page)["is_over"]


def test_a_message_out_of_turn_is_refused(server: Server, open_page: OpenPage) -> None:
    pages = [open_page(link) for link in server.seat(PERSON, PERSON, seed=2)]
    states = [page.wait("state") for page in pages]
    waiting = next(seat for seat in (0, 1) if not states[seat]["is_your_turn"])
    action = states[waiting]["cards"][0]["action"]
    pages[waiting].send(type="play", action=action, version=0)
    assert "not your turn" in pages[waiting].wait("refusal")["text"]
    pages[1 - waiting].play(states[1 - waiting])
    assert pages[waiting].turn()["is_your_turn"]


def test_ten_megabytes_of_junk_end_only_the_connection(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=5)[0])
    page.turn()
    with contextlib.suppress(ConnectionClosed):
        page.socket.send("x" * MEGABYTES_10)
    assert page.is_closed()
    assert play_to_the_end_after_reload(page)["is_over"]


def test_bytes_end_only_the_connection(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=5)[0])
    page.turn()
    page.socket.send(b"\x00\xff" * 100)
    assert page.is_closed()
    assert play_to_the_end_after_reload(page)["is_over"]


def test_ten_megabytes_posted_are_refused(server: Server) -> None:
    answer = httpx.post(
        f"{server.host}/tables",
        content=b"x" * MEGABYTES_10,
        headers={"Content-Type": "application/json"},
        timeout=PATIENCE,
    )
    assert answer.status_code == 400
    assert "larger than 65536 bytes" in answer.text


def test_who_goes_on_with_nonsense_is_sent_away(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=5)[0])
    page.turn()
    for _ in range(60):
        page.send(type="nonsense")
    assert "made no sense" in page.wait("goodbye")["text"]
    assert play_to_the_end_after_reload(page)["is_over"]


def test_200_connections_leave_the_game_alone(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=5)[0])
    page.turn()
    bystander = open_page(server.seat(seed=6)[0])
    sockets = [page.connect() for _ in range(200)]
    page.socket = sockets[-1]
    assert play_to_the_end(page)["is_over"]
    assert play_to_the_end(bystander)["is_over"]
    for each in sockets:
        each.close()


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ({}, "seats"),
        ([], "an object"),
        ({"seats": [BOT]}, "seats"),
        ({"seats": [BOT] * 7}, "num_players"),
        ({"seats": [BOT] * 9}, "seats"),
        ({"seats": [PERSON, {"bot": "nobody"}]}, "there is no bot 'nobody'"),
        ({"seats": [PERSON, {"bot": "random:x=1"}]}, "there is no bot"),
        ({"seats": [PERSON, {"bot": "1980"}]}, "cannot play"),
        ({"seats": [PERSON, BOT], "edition": "1999"}, "edition"),
        ({"seats": [PERSON, BOT], "house_rules": {"hand_size": 99}}, "hand_size"),
        ({"seats": [PERSON, BOT], "house_rules": {"handsize": 4}}, "hand_size"),
        ({"seats": [PERSON, BOT], "house_rules": {"num_players": 3}}, ""),
        ({"seats": [PERSON, BOT], "seed": -1}, "seed"),
        ({"seats": [PERSON, BOT], "draw_seconds": 0}, "draw_seconds"),
        ({"seats": [PERSON, BOT], "bot_seconds": 1e9}, "bot_seconds"),
        ({"seats": [{"name": "x" * 25}, BOT]}, "name"),
        ({"seats": [PERSON, BOT], "admin": True}, "admin"),
    ],
)
def test_an_impossible_setup_is_refused(setup: Any, reason: str, server: Server) -> None:
    answer = server.post(setup)
    if reason:
        assert answer.status_code == 400
        assert reason in answer.json()["refusal"]


def test_only_the_host_sets_up_tables(server: Server) -> None:
    other = f"{server.address}/host/guessed"
    assert httpx.get(other).status_code == 404
    assert httpx.get(f"{other}/choices").status_code == 404
    answer = httpx.post(f"{other}/tables", json={"seats": [PERSON, BOT]})
    assert "not the link of the host" in answer.json()["refusal"]


def test_names_are_texts_and_never_markup(server: Server, open_page: OpenPage) -> None:
    name = '<script>"&\x1b\u202e'
    page = open_page(server.seat({"name": name}, BOT, seed=1)[0])
    state = page.turn()
    assert "<script" not in state["svg"]
    assert "\x1b" not in state["name"]
    assert "\u202e" not in state["name"]
    assert state["name"].startswith('<script>"&')


@pytest.mark.parametrize("path", ["/", "/pages/table.js", "/host/x", "/seat/x", "/nothing"])
def test_every_answer_forbids_foreign_content(path: str, server: Server) -> None:
    headers = httpx.get(f"{server.address}{path}").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"


def test_pages_name_no_other_site_and_hold_no_inline_code() -> None:
    from ono99_env.play.server.pages import PAGES

    for path in PAGES.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in text.replace("https:", "").replace("httponly", ""), path
        assert " style=" not in text, path
        assert "innerHTML" not in text, path


def test_orders_from_pages_of_other_sites_are_refused(server: Server, open_page: OpenPage) -> None:
    answer = server.post({"seats": [PERSON, BOT]}, Origin="http://evil.example")
    assert answer.status_code == 403
    page = open_page(server.seat()[0])
    with pytest.raises(InvalidStatus):
        page.connect(Origin="http://evil.example")
    form = httpx.post(f"{server.host}/tables", content='{"seats": []}')
    assert "application/json" in form.json()["refusal"]


def test_a_foreign_name_of_the_server_is_refused(server: Server) -> None:
    answer = httpx.get(server.address, headers={"Host": "evil.example"})
    assert answer.status_code == 403


def test_assets_are_only_those_of_the_pages(server: Server) -> None:
    for path in ("/pages/../server/guard.py", "/pages/%2e%2e/server/guard.py", "/pages/"):
        assert httpx.get(f"{server.address}{path}").status_code == 404


@pytest.mark.parametrize("command", [play, watch])
def test_the_server_is_reached_from_this_machine_only(command: Callable[..., int]) -> None:
    assert inspect.signature(command).parameters["host"].default == "127.0.0.1"
