"""``ono99 explain``: draws the same picture for the same words, explains mistakes."""

from pathlib import Path

import pytest

from ono99_env import Rules
from ono99_env.cli import main
from tests.bots.policies.bot_files import METADATA, write_bot_file

SHORT = ["explain", "highest", "--games", "20"]


@pytest.mark.slow
def test_the_same_words_give_the_same_picture(capsys):
    for name in ("one.png", "again.png"):
        assert main([*SHORT, "--output", name]) == 0
    assert main([*SHORT, "--output", "other.png", "--seed", "2"]) == 0
    one, again, other = (Path(name).read_bytes() for name in ("one.png", "again.png", "other.png"))
    assert one.startswith(b"\x89PNG")
    assert one == again != other
    assert "The picture is other.png" in capsys.readouterr().out


@pytest.mark.slow
def test_every_edition_format_and_player_count(tmp_path):
    (tmp_path / "points.yaml").write_text("edition: '1980'\nformat: points_lowest\n")
    words = ["explain", "random", "--games", "4", "--rules", "points.yaml", "--players", "2,3"]
    assert main([*words, "--players", "8"]) == 0
    assert Path("policy_random_points_2-3-8_players.png").stat().st_size > 1000


@pytest.mark.slow
def test_without_a_name_the_picture_is_named_after_what_it_shows(tmp_path, capsys):
    write_bot_file(tmp_path / "bot.onnx")
    for bot in ("bot.onnx?sample", "highest"):
        assert main(["explain", bot, "--games", "4", "--players=2", "4"]) == 0
    assert sorted(path.name for path in tmp_path.glob("*.png")) == [
        "policy_bot.onnx-sample_2022_2-4_players.png",
        "policy_highest_2022_2-4_players.png",
    ]
    assert "The picture is policy_highest_2022_2-4_players.png" in capsys.readouterr().out
    assert main(["explain", "highest", "--games", "4", "--players", "2,4"]) == 2
    assert "policy_highest_2022_2-4_players.png exists; say" in capsys.readouterr().err


@pytest.mark.slow
def test_a_bot_file_is_explained_by_the_rules_it_was_trained_for(tmp_path):
    heads_up = METADATA.model_copy(
        update={"rules": Rules.preset("1980", num_players=2), "num_players": (2,)}
    )
    for metadata in (METADATA, heads_up):
        name = write_bot_file(tmp_path / "bot.onnx", metadata=metadata).name
        assert main(["explain", name, "--games", "4", "--overwrite"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["highst"], "did you mean 'highest'?"),
        (["highest", "--output", "old.png"], "--output: old.png exists; say --overwrite"),
        (["highest", "--players", "two"], "--players: must be numbers from 2 to 8"),
        (["highest", "--players", "7"], "--players: the 2022 edition is for 2 to 6 players"),
        (["highest", "--rules", "2021"], "--rules: must be '2022' or '1980', a"),
        (["bot.onnx", "--rules", "1980"], "trained"),
    ],
)
def test_mistakes_are_explained_before_anything_is_played(
    tmp_path, monkeypatch, capsys, words, message
):
    monkeypatch.setattr("ono99_env.cli.explain_command.record_decisions", None)
    write_bot_file(tmp_path / "bot.onnx")
    Path("old.png").write_text("mine")
    assert main(["explain", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert Path("old.png").read_text() == "mine"


def test_matplotlib_is_asked_for_if_it_is_missing(monkeypatch, capsys):
    monkeypatch.setattr("ono99_env.messages.extras.find_spec", lambda name: None)
    assert main(SHORT) == 2
    assert "pip install 'ono99-env[arena]'" in capsys.readouterr().err
