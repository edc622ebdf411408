"""``ono99 play`` and ``watch``: what they need, what they refuse, what they start."""

import json
import socket
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

from ono99_env import Game, Rules
from ono99_env.cli import main
from ono99_env.play.live_table import LiveTable
from ono99_env.play.showing import Showing


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What a command would show, instead of a server or a terminal that never ends."""
    kept: list[Any] = []

    def keep(*arguments: Any, **keywords: Any) -> None:
        kept.append((arguments, keywords))

    monkeypatch.setattr("ono99_env.play.server.serving.serve", keep)
    monkeypatch.setattr("ono99_env.play.terminal.table_screen.play_in_terminal", keep)
    monkeypatch.setattr("ono99_env.play.terminal.showing_screen.ShowingScreen.run", keep)
    return kept


def without(*missing: str) -> Callable[[str], Any]:
    return lambda name: None if name in missing else find_spec(name)


@pytest.mark.parametrize("words", [["play"], ["play", "--terminal"], ["watch", "random"]])
def test_without_the_extra_it_says_what_to_install(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ono99_env.messages.extras.find_spec", without("starlette", "textual"))
    assert main(words) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert "starlette and textual" in error
    assert "pip install 'ono99-env[play]'" in error


def test_replay_in_the_browser_needs_the_extra_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    game = Game(Rules.preset("2022", num_players=2), seed=1)
    (tmp_path / "game.json").write_text(json.dumps(game.record()))
    monkeypatch.setattr("ono99_env.messages.extras.find_spec", without("uvicorn"))
    assert main(["replay", "game.json", "--browser"]) == 2
    assert "ono99-env[play]" in capsys.readouterr().err


def test_replay_in_the_browser_serves_the_game(shown: list[Any], tmp_path: Any) -> None:
    game = Game(Rules.preset("2022", num_players=2), seed=1)
    game.play(game.legal_actions()[0])
    (tmp_path / "game.json").write_text(json.dumps(game.record()))
    assert main(["replay", "game.json", "--browser", "--seat", "1"]) == 0
    assert shown[0][0][2].startswith("/show/")


def test_in_the_terminal_you_sit_against_the_bots_that_are_named(shown: list[Any]) -> None:
    words = ["play", "lowest", "highest", "--terminal", "--rules", "1980", "--seed", "4"]
    assert main(words) == 0
    table = shown[0][0][0]
    assert isinstance(table, LiveTable)
    assert table.names == ["You", "lowest", "highest"]
    assert (table.rules.edition, table.people, table.game.seed) == ("1980", [0], 4)


def test_in_the_terminal_one_bot_takes_all_other_seats(shown: list[Any]) -> None:
    assert main(["play", "lowest", "--terminal", "--players", "4"]) == 0
    assert shown[0][0][0].names == ["You", "lowest", "lowest 2", "lowest 3"]
    assert main(["play", "lowest", "highest", "--terminal", "--players", "5"]) == 2


def test_watch_shows_a_game_to_its_end(shown: list[Any]) -> None:
    assert main(["watch", "lowest", "highest", "--seed", "4", "--terminal"]) == 0
    assert main(["watch", "lowest", "highest", "--seed", "4"]) == 0
    assert len(shown) == 2


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["watch", "higest"], "did you mean 'highest'"),
        (["watch", "random", "--players", "9"], "--players"),
        (["watch", "random", "random", "random", "--players", "2"], "--players"),
        (["watch", "1980"], "cannot play"),
        (["play", "nothing.onnx"], "nothing.onnx"),
        (["play", "--terminal", "--rules", "1999"], "--rules"),
    ],
)
def test_mistakes_are_explained(
    words: list[str], problem: str, shown: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert problem in " ".join(capsys.readouterr().err.split())
    assert not shown


def test_a_port_that_is_taken_is_named(
    shown: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["watch", "lowest", "highest", "--port", port]) == 2
    assert f"--port {port}" in capsys.readouterr().err


def test_a_showing_is_named_after_its_bots_and_seed(shown: list[Any]) -> None:
    kept: list[Showing] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "ono99_env.cli.watch_command.show_in_terminal", lambda showing, _: kept.append(showing)
        )
        assert main(["watch", "lowest", "highest", "--seed", "4", "--terminal"]) == 0
    assert kept[0].title == "lowest against highest, 2022 edition, seed 4"
    assert kept[0].plays_itself
