"""``ono99 arena``: shows and writes a tournament, repeats and continues it, explains mistakes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ono99_env import Rules
from ono99_env.arena import Arena
from ono99_env.arena.plan import tournament_setup
from ono99_env.arena.play.tournament import Tournament
from ono99_env.cli import main, progress
from tests.bots.policies.bot_files import METADATA, write_bot_file

SHORT = ["arena", "highest", "random", "--games", "400"]

pytestmark = pytest.mark.slow


def read(path: str) -> dict:
    return json.loads(Path(path).read_text())


def test_a_tournament_is_shown_and_written(capsys):
    words = ["--players", "2", "3", "--players", "4", "--seed", "0"]
    outputs = ["--json", "r.json", "--csv", "r.csv", "--report", "pages/report"]
    assert main([*SHORT, *words, *outputs]) == 0
    record = read("r.json")
    assert (record["setup"]["players"], record["setup"]["seed"]) == ([2, 3, 4], 0)
    shown = capsys.readouterr().out
    for row in record["bots"]:
        assert row["name"] in shown
        assert f"{row['win_rate']:.2%}" in shown
    assert "times the variance of independent games" in shown
    assert Path("r.csv").read_text().startswith("num_players,name,")
    assert not Path("r.json.state").exists()


def test_the_report_is_a_page_with_its_plots():
    assert main([*SHORT, "--players", "2,4", "--report", "report", "--json", "r.json"]) == 0
    page = Path("report/index.html").read_text()
    plots = {path.name for path in Path("report").glob("*.png")}
    assert plots == {
        "ratings.png",
        "players.png",
        "pairs_2.png",
        "pairs_4.png",
        "seats_2.png",
        "seats_4.png",
    }
    for name in plots:
        assert f'src="{name}"' in page
        assert Path("report", name).read_bytes().startswith(b"\x89PNG")
    for row in read("r.json")["bots"]:
        assert f"{row['win_rate']:.2%}" in page


def test_names_of_bots_are_escaped_in_the_report(tmp_path):
    name = write_bot_file(tmp_path / "<b>bot.onnx").name
    assert main(["arena", name, "random", "--games", "400", "--report", "report"]) == 0
    page = Path("report/index.html").read_text()
    assert "&lt;b&gt;bot.onnx" in page
    assert "<b>bot" not in page


def test_a_repetition_gives_exactly_the_same_figures(capsys, monkeypatch):
    assert main([*SHORT, "--json", "r.json"]) == 0
    assert main(["arena", "--repeat", "r.json", "--json", "again.json"]) == 0
    assert "exactly those of the file" in capsys.readouterr().out
    assert read("again.json") == read("r.json")
    record = read("r.json")
    record["bots"][0]["win_rate"] += 0.1
    record["versions"]["numpy"] = "1.0"
    Path("r.json").write_text(json.dumps(record))
    assert main(["arena", "--repeat", "r.json"]) == 1
    shown = capsys.readouterr().out
    assert "1 figures differ from the file, such as bots[0].win_rate" in shown.replace("\n", " ")
    assert f"versions: numpy: 1.0 then, {tournament_setup.versions()['numpy']} now" in shown


def test_a_changed_bot_file_is_named_in_a_repetition(tmp_path, capsys):
    write_bot_file(tmp_path / "bot.onnx")
    assert main(["arena", "bot.onnx", "random", "--games", "400", "--json", "r.json"]) == 0
    record = read("r.json")
    assert len(record["fingerprints"]["bot.onnx"]) == 64
    record["fingerprints"]["bot.onnx"] = "0" * 64
    record["plan"] = []
    Path("r.json").write_text(json.dumps(record))
    assert main(["arena", "--repeat", "r.json"]) == 1
    assert f"fingerprints: bot.onnx: {'0' * 64} then" in capsys.readouterr().out


def test_one_against_the_rest(capsys):
    assert main([*SHORT, "--one-vs-rest", "--rules", "1980", "--json", "r.json"]) == 0
    (row,) = read("r.json")["tables"]
    assert (row["name"], row["opponent"], row["games"]) == ("highest", "random", 400)
    assert "highest alone against copies of one opponent" in capsys.readouterr().out


def test_rules_are_by_default_those_of_the_bot_files(tmp_path):
    chips = METADATA.model_copy(update={"rules": Rules.preset("1980", num_players=4)})
    write_bot_file(tmp_path / "chips.onnx", metadata=chips)
    words = ["arena", "chips.onnx", "random", "--games", "60", "--players", "2"]
    assert main([*words, "--json", "r.json"]) == 0
    assert read("r.json")["setup"]["rules"]["edition"] == "1980"
    assert main([*words, "--rules", "2022"]) == 2


def test_points_are_shown_where_the_format_has_them(capsys, tmp_path):
    (tmp_path / "points.yaml").write_text("edition: '1980'\nformat: points_lowest\n")
    assert main([*SHORT, "--rules", "points.yaml", "--json", "r.json"]) == 0
    assert "points" in capsys.readouterr().out
    for row in read("r.json")["bots"]:
        assert 0 < row["mean_points"] < 400


class Interruption:
    """Raises KeyboardInterrupt in place of the tenth job."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs, self.play = 0, Tournament.play_job
        monkeypatch.setattr(Tournament, "play_job", lambda arena, job: self(arena, job))

    def __call__(self, arena, job):
        self.jobs += 1
        if self.jobs == 10:
            raise KeyboardInterrupt
        return self.play(arena, job)


@pytest.mark.parametrize("name", ["r.json.state", "r.json"])
def test_an_interrupted_tournament_is_continued(monkeypatch, capsys, name):
    assert main([*SHORT, "--json", "whole.json"]) == 0
    Interruption(monkeypatch)
    assert main([*SHORT, "--json", "r.json"]) == 130
    assert "Go on with: ono99 arena --continue r.json.state" in capsys.readouterr().out
    assert not Path("r.json").exists()
    assert main(["arena", "--continue", name]) == 0
    assert read("r.json") == read("whole.json")
    assert not Path("r.json.state").exists()


def test_the_same_words_continue_too_but_not_others(monkeypatch, capsys):
    interruption = Interruption(monkeypatch)
    assert main([*SHORT, "--json", "r.json"]) == 130
    assert main([*SHORT, "--seed", "5", "--json", "r.json"]) == 2
    error = capsys.readouterr().err
    assert "state of another tournament: setup" in error or "seed: 1 then, 5 now" in error
    interruption.jobs = 1000
    assert main([*SHORT, "--json", "r.json"]) == 0
    assert interruption.jobs < 1000 + len(Arena(["highest", "random"], games=400).tournament.jobs)


def test_without_a_file_an_interruption_keeps_nothing(monkeypatch, capsys):
    Interruption(monkeypatch)
    assert main(SHORT) == 130
    assert "nothing was kept" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
@pytest.mark.parametrize("processes", ["1", "2"])
def test_control_c_ends_it_and_leaves_a_state(tmp_path, processes):
    words = ["arena", "highest", "random", "--games", "1000000000", "--json", "r.json"]
    command = [sys.executable, "-m", "ono99_env.cli", *words, "--processes", processes]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True, cwd=tmp_path
    )
    state = tmp_path / "r.json.state"
    for _ in range(1800):
        if state.exists():
            break
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGINT)
    output, _ = running.communicate(timeout=180)
    assert running.returncode == 130
    assert "Interrupted after" in output
    assert state.exists()


def test_output_without_a_terminal_is_a_plain_line_now_and_then(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    assert main(SHORT) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("of 400 games (" in line and "s left" in line for line in lines)
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name the bots that play"),
        (["highest"], "BOT...: a tournament needs two at least, not 1"),
        (["highst", "random"], "did you mean 'highest'?"),
        (["gone.onnx", "random"], "there is no bot file gone.onnx"),
        (["bot.onnx", "random", "--players", "5"], "num_players (it is 5, and not 2 to 4)"),
        (["highest", "random", "--games", "20"], "--games: 20 are too few"),
        (["highest", "random", "--players", "two"], "--players: must be numbers from 2 to 8"),
        (
            ["highest", "random", "--players", "7"],
            "--players: the 2022 edition is for 2 to 6 players",
        ),
        (["highest", "random", "--rules", "gone.yaml"], "--rules gone.yaml: No such file"),
        (["highest", "random", "--rules", "2021"], "--rules: must be '2022' or '1980', a"),
        (["highest", "random", "--json", "gone/r.json"], "--json: there is no folder gone"),
        (["highest", "random", "--json", "old.json"], "--json: old.json exists; say --overwrite"),
        (["highest", "random", "--csv", "old.json"], "--csv: old.json exists"),
        (["highest", "random", "--json", "full"], "--json: full is a folder"),
        (["highest", "random", "--report", "full"], "--report: full is not empty"),
        (["highest", "random", "--report", "old.json"], "--report: old.json is a file"),
        (["highest", "random", "--report", "old.json/x"], "--report: "),
        (["--repeat", "old.json"], "old.json does not hold the results of a tournament"),
        (["--repeat", "bot.onnx"], "bot.onnx"),
        (["--continue", "old.json"], "old.json does not hold the state of a tournament"),
        (["--continue", "gone.state"], "gone.state: No such file"),
        (["highest", "--repeat", "old.json"], "read from a file what to play"),
        (["--seed", "0", "--continue", "old.json"], "read from a file what to play"),
    ],
)
def test_mistakes_are_explained_before_anything_is_played(
    tmp_path, monkeypatch, capsys, words, message
):
    monkeypatch.setattr(Tournament, "play", None)
    write_bot_file(tmp_path / "bot.onnx")
    Path("old.json").write_text("{}")
    Path("full").mkdir()
    Path("full/notes.txt").write_text("mine")
    assert main(["arena", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1
    assert Path("old.json").read_text() == "{}"


def test_files_are_replaced_when_asked():
    Path("r.json").write_text("{}")
    assert main([*SHORT, "--json", "r.json", "--overwrite"]) == 0
    assert read("r.json")["format"] == "ono99-arena"


@pytest.mark.parametrize("missing", ["scipy", "matplotlib"])
def test_what_is_not_installed_is_said_with_what_to_install(monkeypatch, capsys, missing):
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(
        "ono99_env.messages.extras.find_spec", lambda name: None if name == missing else find(name)
    )
    assert main([*SHORT, "--report", "report"]) == 2
    error = capsys.readouterr().err
    assert missing in error
    assert "pip install 'ono99-env[arena]'" in error


def test_a_failing_bot_is_explained_and_can_forfeit(monkeypatch, capsys):
    from tests.arena.some_bots import Illegal

    load = lambda name: Illegal("illegal") if name == "illegal" else load_bot(name)  # noqa: E731
    from ono99_env.bots import load_bot

    monkeypatch.setattr("ono99_env.arena.arena.load_bot", load)
    words = ["arena", "illegal", "random", "--games", "400", "--players", "2"]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert "bot 'illegal' chose the illegal action" in error
    assert "With --forfeit" in error
    assert error.count("\n") == 1
    assert main([*words, "--forfeit"]) == 0
    shown = capsys.readouterr().out
    assert "forfeits" in shown
    assert "Forfeited: bot 'illegal' chose the illegal action" in shown


@pytest.mark.parametrize("option", ["--players", "--num_players", "--num-players"])
@pytest.mark.parametrize("command", [["arena", "highest", "random"], ["explain", "highest"]])
def test_player_counts_have_two_spellings(command, option, capsys):
    assert main([*command, option, "2", "9"]) != 0
    assert "--players: must be numbers from 2 to 8, such as 4 or 2,4, not '9'" in (
        capsys.readouterr().err
    )
