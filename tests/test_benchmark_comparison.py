"""`python -m benchmarks --compare` tells what is slower, what is faster, and what is noise."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks.comparison import Change, changes
from benchmarks.records import FileError, Measurements, PathRuns
from benchmarks.timing import Figure, Median

SEVEN = [100.0, 101.0, 99.0, 102.0, 98.0, 100.5, 99.5]


def change(old: list[float], new: list[float], unit: str = "games/s") -> Change:
    then, now = (PathRuns(name="path", unit=unit, runs=tuple(runs)) for runs in (old, new))
    return Change(then, now, tolerance=0.03)


def test_a_rate_that_fell_beyond_its_spread_is_slower() -> None:
    assert change(SEVEN, [run * 0.9 for run in SEVEN]).verdict == "slower"
    assert change(SEVEN, [run * 1.1 for run in SEVEN]).verdict == "faster"


def test_of_times_and_bytes_less_is_better() -> None:
    assert change(SEVEN, [run * 1.1 for run in SEVEN], unit="s").verdict == "slower"
    assert change([216.0], [300.0], unit="bytes").verdict == "slower"
    assert change([216.0], [200.0], unit="bytes").verdict == "faster"


def test_a_difference_within_the_tolerance_is_no_change() -> None:
    assert change(SEVEN, [run * 0.98 for run in SEVEN]).verdict == "same"


def test_a_difference_within_the_spread_is_no_change() -> None:
    wide = [50.0, 150.0, 80.0, 120.0, 100.0]
    assert change(wide, [run * 0.9 for run in wide]).verdict == "same"


def test_few_runs_must_all_differ() -> None:
    assert change([100.0, 90.0], [80.0, 70.0]).verdict == "slower"
    assert change([100.0, 75.0], [80.0, 70.0]).verdict == "same"


def test_paths_are_found_by_name_and_unit_and_new_ones_left_out() -> None:
    old = Measurements.of("there", [Figure("a", 1.0, "s", "x", 1.0), Figure("b", 2.0, "s", "x", 1)])
    new = Measurements.of("here", [Figure("b", 2.0, "s", "x", 1), Figure("b", 2.0, "MB", "x", 1)])
    assert [found.new.name for found in changes(old, new, 0.03)] == ["b"]


def test_a_file_keeps_every_run_of_a_path_once(tmp_path: Path) -> None:
    median = Median.of(SEVEN)
    figures = [Figure("engine", median, "decisions/s", "C", 1.0) for _ in range(3)]
    Measurements.of("here", figures).write(tmp_path / "figures.json")
    read = Measurements.read(tmp_path / "figures.json")
    assert read.machine == "here"
    assert [path.runs for path in read.paths] == [tuple(SEVEN)]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b"\xff\x00", b'{"format": "ono99-env benchmarks 1"}', None]
)
def test_another_file_is_refused_in_a_sentence(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FileError, match=str(path)):
        Measurements.read(path)


def test_the_command_keeps_figures_and_compares_with_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    figures = [Figure("a game", 216, "bytes", "aim", 400), Figure("an env", 65.0, "MB", "", 22.0)]
    monkeypatch.setattr("benchmarks.memory.memory_figures", lambda: figures)
    path = tmp_path / "old.json"

    def run(*options: str) -> int:
        monkeypatch.setattr(sys, "argv", ["benchmarks", "--only", "memory", *options])
        return command.main()

    assert run("--json", str(path)) == 0
    assert run("--compare", str(path)) == 0
    assert "slower: none of 2 paths" in capsys.readouterr().out
    smaller = json.loads(path.read_text())
    smaller["paths"][0]["runs"] = [8.0]
    path.write_text(json.dumps(smaller))
    assert run("--compare", str(path)) == 1
    assert "slower: a game of 2 paths" in capsys.readouterr().out
    assert run("--compare", str(tmp_path / "none.json")) == 2
