"""``ono99 benchmark``: shows and writes a result, explains mistakes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ono99_env.arena.benchmark import Benchmark
from ono99_env.arena.protocol import V0
from ono99_env.cli import main, progress
from tests.bots.policies.bot_files import write_bot_file

SHORT = replace(V0, deals=400, deals_at_once=2)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quick benchmark of four deals."""
    make = Benchmark.__init__
    monkeypatch.setattr(
        Benchmark, "__init__", lambda self, bot, is_quick: make(self, bot, SHORT, is_quick)
    )


@pytest.mark.slow
def test_a_result_is_shown_and_written(capsys):
    assert main(["benchmark", "highest", "--quick", "--json", "r.json"]) == 0
    record = json.loads(Path("r.json").read_text())
    assert (record["bot"], record["is_quick"]) == ("highest", True)
    assert record["protocol"]["sha256"] == SHORT.digest
    shown = capsys.readouterr().out
    assert "not comparable" in shown
    assert shown.splitlines()[-1].startswith("| `highest` (quick) | ")
    for setting in record["settings"]:
        assert f"{setting['score']:.3f}" in shown


@pytest.mark.slow
def test_only_the_line(capsys):
    assert main(["benchmark", "highest", "--quick", "--line"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("| `highest` (quick) | ")


@pytest.mark.slow
def test_what_was_not_played_is_said(tmp_path, capsys):
    name = write_bot_file(tmp_path / "bot.onnx").name
    assert main(["benchmark", name, "--quick"]) == 0
    shown = capsys.readouterr().out
    assert "Not played: 1980 chips, 4 players: " in shown
    assert "| partial |" in shown


@pytest.mark.slow
def test_output_without_a_terminal_is_a_plain_line_now_and_then(monkeypatch, capsys):
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    assert main(["benchmark", "highest", "--quick"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("games (" in line and "s left" in line for line in lines)


def test_an_interruption_is_no_error(monkeypatch, capsys):
    def interrupt(self, job):
        raise KeyboardInterrupt

    monkeypatch.setattr(Benchmark, "play_job", interrupt)
    assert main(["benchmark", "highest", "--quick"]) == 130
    assert "nothing was kept" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["highst"], "did you mean 'highest'?"),
        (["gone.onnx"], "there is no bot file gone.onnx"),
        (["highest", "--json", "old.json"], "--json: old.json exists; say --overwrite"),
        (["highest", "--json", "gone/r.json"], "--json: there is no folder gone"),
        (["highest", "--games", "5"], "No such option: --games"),
    ],
)
def test_mistakes_are_explained_before_anything_is_played(monkeypatch, capsys, words, message):
    monkeypatch.setattr(Benchmark, "play", None)
    Path("old.json").write_text("{}")
    assert main(["benchmark", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error


def test_a_failing_bot_is_explained(monkeypatch, capsys):
    from tests.arena.some_bots import Illegal

    monkeypatch.setattr("ono99_env.cli.benchmark_command.load_bot", lambda name: Illegal("illegal"))
    assert main(["benchmark", "illegal", "--quick"]) == 2
    error = capsys.readouterr().err
    assert "bot 'illegal' chose the illegal action" in error
    assert "--forfeit" not in error
