"""Names of bots on the command line: shown as they are, found in the current folder, and inert."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from ono99_env.arena.play.tally import digest_of
from ono99_env.cli import live_standings, main
from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.result_tables import show_record
from ono99_env.files.array_archive import write_archive
from tests.bots.policies.bot_files import write_bot_file

OWN = """
from ono99_env import Bot

class Cautious(Bot):
    def act(self, views, rng):
        return views.action_mask.argmax(axis=1)
"""
STRANGE = [
    "a[/b].onnx",
    "run[seed=1]/bot.onnx",
    "run[seed=2]/bot.onnx",
    "$x_{$.onnx",
    ":smile:.onnx",
    "=1.onnx",
    "_hidden.onnx",
    "\x1b[2J.onnx",
]
GAMES = ["--players", "2", "--games", "2000"]

pytestmark = pytest.mark.slow


def write_strange_bots() -> None:
    for name in STRANGE:
        write_strange_bot(name)


def write_strange_bot(name: str) -> None:
    Path(name).parent.mkdir(exist_ok=True)
    write_bot_file(Path(name))


def test_names_are_shown_as_they_are_everywhere(capsys, monkeypatch):
    write_strange_bots()
    monkeypatch.setenv("COLUMNS", "200")
    words = ["--json", "r.json", "--csv", "r.csv", "--report", "report"]
    assert main(["arena", *STRANGE, *GAMES, *words]) == 0
    shown = capsys.readouterr().out
    shown_names = [*STRANGE[:-1], r"\x1b[2J.onnx"]
    page = Path("report/index.html").read_text(encoding="utf-8")
    for name in shown_names:
        assert name in shown
        assert name in page
    assert "\x1b" not in shown
    with Path("r.csv").open(newline="") as file:
        names = {row["name"] for row in csv.DictReader(file)}
    assert names == {f"'{each}" if each.startswith("=") else each for each in shown_names}
    assert json.loads(Path("r.json").read_text())["setup"]["bots"] == sorted(STRANGE)


@pytest.mark.parametrize("console", [Console, PlainConsole])
def test_tables_show_names_in_any_console(console, monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    write_strange_bot("a[/b].onnx")
    words = ["arena", "a[/b].onnx", "random", *GAMES, "--one-vs-rest", "--json", "r.json"]
    assert main(words) == 0
    terminal = console()
    terminal.file = io.StringIO()
    show_record(terminal, json.loads(Path("r.json").read_text()))
    assert "a[/b].onnx alone against copies" in terminal.file.getvalue()


def test_the_live_table_shows_names(monkeypatch):
    monkeypatch.setattr(live_standings, "_SECONDS_BETWEEN_FRAMES", 0.0)
    monkeypatch.setattr(PlainConsole, "is_terminal", True)
    write_strange_bot("a[/b].onnx")
    assert main(["arena", "a[/b].onnx", "random", *GAMES]) == 0


def test_results_are_written_before_anything_is_shown(monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("no terminal")

    monkeypatch.setattr("ono99_env.cli.arena_command.show_record", fail)
    with pytest.raises(RuntimeError):
        main(["arena", "highest", "random", *GAMES, "--json", "r.json", "--csv", "r.csv"])
    assert Path("r.json").exists()
    assert Path("r.csv").exists()


def test_a_name_that_is_not_utf_8_is_refused_in_a_sentence(capsys):
    assert main(["arena", "\udcff.onnx", "random"]) == 2
    assert r"the name '\udcff.onnx' is not UTF-8" in capsys.readouterr().err


def test_an_error_shows_a_name_and_obeys_it_not(capsys):
    assert main(["arena", "gone\x1b[31m[red].onnx", "random"]) == 2
    shown = capsys.readouterr().err
    assert r"gone\x1b[31m[red].onnx" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("name", ["os:system:command=touch called", "sb3:x.zip", "own:Cautious"])
def test_results_and_states_name_nothing_that_runs_code(name, capsys):
    Path("own.py").write_text("open('called', 'w')")
    assert main(["arena", "highest", "random", *GAMES, "--json", "r.json"]) == 0
    record = json.loads(Path("r.json").read_text())
    record["setup"]["bots"][0] = name
    Path("r.json").write_text(json.dumps(record))
    state = {"identity": record, "games": 0, "failures": {}, "failed_in": {}, "counts": {}}
    state["format"] = "ono99-arena-state-2"
    write_archive(Path("state"), {**state, "digest": digest_of(state)})
    for option, path in (("--repeat", "r.json"), ("--continue", "state")):
        assert main(["arena", option, path]) == 2
        assert "would run code" in (shown := capsys.readouterr().err)
        assert "--allow-code" in shown
        assert not Path("called").exists()
        assert "own" not in sys.modules


@pytest.mark.parametrize("script", [["ono99"], ["-m", "ono99_env.cli"]])
def test_a_module_of_the_current_folder_plays_with_several_processes(script):
    Path("my_bots.py").write_text(OWN)
    for stray in ("random.py", "numpy.py", "typer.py"):
        Path(stray if script == ["ono99"] else "unused.py").write_text("raise SystemExit('stray')")
    here = Path(sys.executable).parent / "ono99"
    start = [str(here)] if script == ["ono99"] else [sys.executable, *script]

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*start, *words], capture_output=True, text=True, env=os.environ)

    words = ["my_bots:Cautious", "random", *GAMES, "--processes", "2", "--json", "r.json"]
    first = run("arena", *words)
    assert first.returncode == 0, first.stderr
    refused = run("arena", "--repeat", "r.json")
    assert refused.returncode == 2
    assert "--allow-code my_bots:Cautious" in refused.stderr
    again = run("arena", "--repeat", "r.json", "--allow-code", "my_bots:Cautious")
    assert again.returncode == 0, again.stderr
    assert "exactly those of the file" in again.stdout
    assert run("explain", "my_bots:Cautious", "--games", "50").returncode == 0
