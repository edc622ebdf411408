"""``ono99 replay``: files, text, keys, and what it refuses."""

import json
import random
from pathlib import Path

import pytest
from PIL import Image

from ono99_env import Game, Rules
from ono99_env.cli import main
from ono99_env.cli.replay_terminal import KEYS, moved, step_through
from ono99_env.game import list_frames, write_record
from tests.random_games import play_randomly


@pytest.fixture
def record(tmp_path: Path) -> Path:
    game = play_randomly(Game(Rules(num_players=3), seed=2), random.Random(2), 6)
    write_record(tmp_path / "game.json", game.record(["Ann", "Bob", "Cem"]))
    return tmp_path / "game.json"


def test_every_moment_is_printed(record: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["replay", str(record)]) == 0
    text = capsys.readouterr().out
    assert [f"move {number} of 6" in text for number in range(8)] == [True] * 7 + [False]
    assert "Bob played" in text


def test_a_seat_sees_its_own_cards_only(record: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["replay", str(record), "--seat", "1", "--text"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all("? ? ? ?" in line for line in lines if "Ann:" in line)
    assert not any("?" in line for line in lines if "Bob:" in line)


def test_pictures_are_written(record: Path, tmp_path: Path) -> None:
    svg, png, gif = (str(tmp_path / name) for name in ("svg", "png", "game.gif"))
    words = ["replay", str(record), "--svg", svg, "--png", png, "--gif", gif]
    assert main([*words, "--width", "200", "--theme", "dark", "--seconds", "0.5"]) == 0
    assert len(list(Path(svg).glob("*.svg"))) == len(list(Path(png).glob("*.png"))) == 7
    assert Image.open(tmp_path / "png" / "000.png").size == (200, 180)
    with Image.open(gif) as picture:
        assert (picture.n_frames, picture.info["duration"]) == (7, 500)
    assert main([*words, "--width", "200"]) == 2
    assert main([*words, "--width", "200", "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seat", "3"], "--seat must be 'all' or from 0 to 2, not 3"),
        (["--seat", "me"], "--seat must be 'all' or from 0 to 2, not 'me'"),
        (["--theme", "pink"], "theme must be one of light, dark"),
        (["--width", "5"], "--width"),
        (["--gif", "no/such/folder/x.gif"], "there is no folder"),
    ],
)
def test_impossible_options_are_refused(
    words: list[str], message: str, record: Path, capsys: pytest.CaptureFixture
) -> None:
    assert main(["replay", str(record), *words]) == 2
    assert message in capsys.readouterr().err


def test_a_damaged_record_is_refused_with_its_place(
    record: Path, capsys: pytest.CaptureFixture
) -> None:
    data = json.loads(record.read_text())
    data["plays"][2]["seat"] = 7
    record.write_text(json.dumps(data))
    assert main(["replay", str(record)]) == 2
    assert "game.json: plays[2].seat: it is the turn of seat" in capsys.readouterr().err
    assert main(["replay", "no_such_file.json"]) == 2


def test_keys_step_forward_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    frames = list_frames(play_randomly(Game(seed=1), random.Random(1), 4))
    pressed = iter([" ", "\x1b[C", "l", "\x1b[D", "G", " ", "g", "h", "?", "q"])
    monkeypatch.setattr("typer.getchar", lambda: next(pressed))
    step_through(frames)
    assert next(pressed, None) is None
    place = 0
    for key, expected in {" ": 1, "\x1b[C": 2, "\x1b[D": 1, "G": 4, "l": 4, "g": 0, "h": 0}.items():
        place = moved(place, KEYS[key], 5)
        assert place == expected


def test_the_arena_keeps_games_that_can_be_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    words = ["arena", "highest", "random", "--players", "2", "--games", "60", "--keep-games", "2"]
    assert main(words) == 2
    assert "--keep-games: say with --report or --json" in capsys.readouterr().err
    assert main([*words, "--json", str(tmp_path / "r.json")]) == 0
    files = sorted((tmp_path / "r.json.games").iterdir())
    assert [file.name for file in files] == ["2_players_001.json", "2_players_002.json"]
    assert main(["replay", str(files[0])]) == 0
    assert "wins" in capsys.readouterr().out
