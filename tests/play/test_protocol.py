"""Games over the wire: what a page is told, and what it can do."""

import json
import time
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from tests.play.clients import Page, play_to_the_end
from tests.play.conftest import BOT, PERSON, Server

OpenPage = Callable[..., Page]


def test_a_game_is_played_to_its_end(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat()[0])
    last = play_to_the_end(page)
    assert last["outcome"].endswith("wins")
    assert last["has_won"] == (0 in server.table(page.link).game.winners)
    assert len(last["news"]) == min(60, len(server.table(page.link).game.history))


def test_a_match_of_several_rounds_is_played_to_its_end(
    server: Server, open_page: OpenPage
) -> None:
    page = open_page(server.seat(PERSON, BOT, edition="1980", seed=3)[0])
    last = play_to_the_end(page)
    assert any("loses a chip" in said for said in last["news"])
    assert last["is_over"]


def test_two_people_play_at_one_table(server: Server, open_page: OpenPage) -> None:
    links = server.seat({"name": "Ann"}, {"name": "Bob"}, BOT, seed=3)
    ann, bob = (open_page(link) for link in links)
    states = {page: page.wait("state") for page in (ann, bob)}
    while not states[ann]["is_over"]:
        mover = next((page for page in states if states[page]["is_your_turn"]), None)
        if mover is not None:
            mover.play(states[mover])
        version = states[ann]["version"]
        for page in states:
            states[page] = page.wait("state", lambda state, old=version: state["version"] > old)
        newest = max(state["version"] for state in states.values())
        for page in states:
            if states[page]["version"] < newest:
                states[page] = page.wait("state", lambda s, new=newest: s["version"] >= new)
    assert states[ann]["news"] == states[bob]["news"]
    assert {"Ann", "Bob"} <= {said.split()[0] for said in states[ann]["news"]}


def test_a_reload_comes_back_to_the_same_game(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=4)[0])
    page.play(page.turn())
    before = page.turn()
    page.reload()
    again = page.wait("state")
    assert page.answer.status_code == 200
    assert (again["version"], again["cards"], again["news"]) == (
        before["version"],
        before["cards"],
        before["news"],
    )
    page.play(again)
    assert page.wait("state", lambda state: state["version"] > again["version"])


def test_a_lost_connection_comes_back_to_the_same_game(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=4)[0])
    before = page.turn()
    page.socket.socket.close()  # no farewell
    page.socket = page.connect()
    assert page.wait("state")["svg"] == before["svg"]


def test_a_second_window_takes_over_and_the_first_is_told(
    server: Server, open_page: OpenPage
) -> None:
    first = open_page(server.seat()[0])
    first.turn()
    second = open_page(first.link, cookies=first.cookies)
    assert "another window" in first.wait("goodbye")["text"]
    assert first.is_closed()
    assert second.turn()["is_your_turn"]


@pytest.mark.parametrize("is_in_time", [True, False])
def test_a_draw_must_be_made_before_the_clock_runs_out(
    is_in_time: bool, server: Server, open_page: OpenPage
) -> None:
    seconds = 30 if is_in_time else 0.3
    page = open_page(server.seat(PERSON, BOT, edition="1980", draw_seconds=seconds, seed=1)[0])
    page.play(page.turn())
    due = page.wait("state", lambda state: state["draw"])
    assert 0 < due["draw"]["seconds"] <= seconds
    assert due["prompt"] == "Draw your card!"
    start = time.monotonic()
    if is_in_time:
        page.send(type="draw")
    told = page.wait("state", lambda state: not state["draw"])
    assert ("missed the draw" in " ".join(told["news"])) != is_in_time
    assert is_in_time or time.monotonic() - start > 0.2
    assert len(server.table(page.link).game.hands[0]) == (4 if is_in_time else 3)


def test_the_others_see_a_play_but_cannot_play_before_its_draw(
    server: Server, open_page: OpenPage
) -> None:
    links = server.seat(PERSON, PERSON, edition="1980", draw_seconds=30, seed=1)
    pages = [open_page(link) for link in links]
    states = [page.wait("state") for page in pages]
    mover = next(seat for seat, state in enumerate(states) if state["is_your_turn"])
    pages[mover].play(states[mover])
    seen = pages[1 - mover].wait("state", lambda state: state["version"] > 0)
    assert seen["prompt"] == f"Player {mover + 1} has to draw."
    assert not any(card["is_legal"] for card in seen["cards"])
    pages[1 - mover].send(type="play", action=seen["cards"][0]["action"], version=seen["version"])
    assert "has to draw first" in pages[1 - mover].wait("refusal")["text"]
    pages[1 - mover].send(type="draw")
    assert "no card to draw" in pages[1 - mover].wait("refusal")["text"]


def test_illegal_cards_come_with_the_reason(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=5)[0])
    state = page.turn()
    barred = {card["name"]: card["reason"] for card in state["cards"] if not card["is_legal"]}
    assert barred["ONO 99"] == "an ONO 99 card may not be played (R11: never)"
    page.play(state)
    waiting = page.wait("state", lambda each: not each["is_your_turn"])
    assert all("is to play" in card["reason"] for card in waiting["cards"])


def test_frames_never_hold_a_hidden_card_of_another_seat(
    server: Server, open_page: OpenPage
) -> None:
    """The other seat holds the only Hold cards: the word may come only when one was played."""
    deck = {"10": 30, "1": 6, "minus_ten": 20, "hold": 6}
    for seed in range(100):
        rules = {"deck": deck, "play_two_answers": ["reverse"], "format": "single_round"}
        link = server.seat(PERSON, BOT, edition="1980", house_rules=rules, seed=seed)[0]
        table = server.table(link)
        if "hold" in table.game.hands[1] and "hold" not in table.game.hands[0]:
            break
    page = open_page(link)
    play_to_the_end(page)
    states = [each for each in map(json.loads, page.raw) if each["type"] == "state"]
    is_public = [any("Hold" in said for said in state["news"]) for state in states]
    is_mine = ["hold" in [card["action"] for card in state["cards"]] for state in states]
    known = next((n for n in range(len(states)) if is_public[n] or is_mine[n]), len(states))
    assert known > 0
    assert not any("hold" in frame.lower() for frame in page.raw[:known])


def test_pictures_show_no_card_of_the_others(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(PERSON, BOT, BOT, seed=8)[0])
    last = play_to_the_end(page)
    assert last["is_over"]
    states = [json.loads(frame) for frame in page.raw]
    for state in (each for each in states if each["type"] == "state" and not each["is_over"]):
        for group in ElementTree.fromstring(state["svg"]).iter():
            if group.get("data-seat") not in (None, "0") and "OUT" not in state["text"]:
                shown = [card.get("data-card") for card in group.iter() if card.get("data-card")]
                name = state["text"].splitlines()[1 + int(group.get("data-seat") or 0)]
                assert not shown or " out" in name


def test_the_coach_says_what_a_bot_would_play(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(seed=5)[0])
    state = page.turn()
    page.send(type="coach", bot="lowest")
    advice = page.wait("advice")
    legal = {card["action"] for card in state["cards"] if card["is_legal"]}
    assert {option["action"] for option in advice["options"]} == legal
    assert advice["action"] in legal
    assert advice["version"] == state["version"]


def test_the_review_comes_after_the_game(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(PERSON, BOT, seed=5)[0])
    page.send(type="review")
    assert "after the game" in page.wait("refusal")["text"]
    page.reload()
    play_to_the_end(page)
    page.send(type="review")
    choices = page.wait("review")["choices"]
    assert len(choices) == len(server.table(page.link).choices[0])
    assert sum(choice["is_marked"] for choice in choices) <= 3


def test_record_and_replay_come_after_the_game(server: Server, open_page: OpenPage) -> None:
    page = open_page(server.seat(PERSON, BOT, seed=5)[0])
    assert page.http.get(f"{page.link}/record").status_code == 404
    assert page.http.get(f"{page.link}/replay/moments").status_code == 404
    play_to_the_end(page)
    record = page.http.get(f"{page.link}/record").json()
    assert record["winners"] == server.table(page.link).game.winners
    moments = page.http.get(f"{page.link}/replay/moments").json()["moments"]
    assert len(moments) == len(record["plays"]) + 1
    assert page.http.get(f"{page.link}/replay/3.svg?theme=dark").text.startswith("<svg")
    assert page.http.get(f"{page.link}/replay/999.svg").status_code == 404
