"""The same tables in a terminal."""

import asyncio
from typing import Any

import pytest
from textual.widgets import OptionList, Static

from ono99_env import Rules, load_bot
from ono99_env.game import list_frames
from ono99_env.play.live_table import LiveTable
from ono99_env.play.offered_bots import OfferedBots
from ono99_env.play.showing import Showing, play_bots
from ono99_env.play.table_setup import TableSetup
from ono99_env.play.terminal.showing_screen import ShowingScreen
from ono99_env.play.terminal.table_screen import TableScreen

PATIENCE = 60


def text_of(screen: Any, place: str) -> str:
    return str(screen.query_one(f"#{place}", Static).render())


async def until(pilot: Any, fits: Any) -> None:
    for _ in range(PATIENCE * 50):
        if fits():
            return
        await pilot.pause(0.02)
    raise AssertionError("it did not happen")


def table(bots: OfferedBots, **setup: Any) -> LiveTable:
    seats = [{"name": "[b]Ann"}, {"bot": "lowest"}]
    return LiveTable(
        TableSetup.of_data({"seats": seats, "bot_seconds": 0, "seed": 3, **setup}), bots
    )


def test_a_game_is_played_to_its_end_by_keys(bots: OfferedBots) -> None:
    screen = TableScreen(table(bots))

    async def play() -> None:
        async with screen.run_test() as pilot:
            game = screen._table.game
            while not game.is_over:
                await until(pilot, lambda: game.is_over or game.current_player == 0)
                if game.is_over:
                    break
                await pilot.pause()
                options = screen.query_one("#cards", OptionList)
                legal = [n for n in range(options.option_count) if not options.options[n].disabled]
                moves = len(game.history)
                await pilot.press(str(legal[0] + 1))
                await until(pilot, lambda old=moves: len(game.history) > old)
            await until(pilot, lambda: "win" in text_of(screen, "prompt"))
            await pilot.press("r")
            await until(pilot, lambda: "c: what" not in text_of(screen, "advice"))

    asyncio.run(play())


def test_names_are_no_markup_and_illegal_cards_have_a_reason(bots: OfferedBots) -> None:
    screen = TableScreen(table(bots, seed=5))

    async def look() -> None:
        async with screen.run_test() as pilot:
            await until(pilot, lambda: screen._table.game.current_player == 0)
            await pilot.pause()
            assert "[b]Ann" in text_of(screen, "table")
            labels = [str(each.prompt) for each in screen.query_one("#cards", OptionList).options]
            for label, card in zip(labels, screen._actions, strict=True):
                if card == "ono99":
                    assert "R11" in label
            await pilot.press("c")
            await until(pilot, lambda: "would play" in text_of(screen, "advice"))

    asyncio.run(look())


@pytest.fixture(scope="module")
def showing() -> Showing:
    rules = Rules.preset("2022", num_players=2)
    game = play_bots([load_bot("highest"), load_bot("lowest")], rules, seed=1)
    return Showing(list_frames(game, names=["a", "b"]), game.history, "highest against lowest")


def test_a_showing_steps_pauses_and_changes_its_speed(showing: Showing) -> None:
    screen = ShowingScreen(showing, seconds=0.05)

    async def look() -> None:
        async with screen.run_test() as pilot:
            assert (screen.place, screen.is_moving) == (0, False)
            await pilot.press("right", "right", "left")
            assert screen.place == 1
            await pilot.press("end")
            assert screen.place == screen.last
            await pilot.press("home", "space")
            await until(pilot, lambda: screen.place > 1)
            await pilot.press("minus")
            assert screen.is_moving
            await pilot.press("space")
            place = screen.place
            await pilot.pause(0.2)
            assert (screen.place, screen.is_moving) == (place, False)
            await pilot.press("left", "left", "left", "left", "left", "left")
            assert screen.place >= 0

    asyncio.run(look())


def test_a_showing_tells_every_move_and_the_winner(showing: Showing) -> None:
    data = showing.as_data()
    assert data["moments"][0]["told"] == "The cards are dealt."
    assert data["moments"][-1]["told"].endswith("wins.")
    assert len(data["moments"]) == len(showing.frames)
    with pytest.raises(ValueError, match="moments go from 0"):
        showing.picture(len(showing.frames), "light")


def test_the_same_seed_shows_the_same_game() -> None:
    rules = Rules.preset("2022", num_players=2)
    bots = [load_bot("random"), load_bot("highest")]
    first, second = (play_bots(bots, rules, seed=9).history for _ in range(2))
    assert first == second
