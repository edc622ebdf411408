"""What a run says where nobody watches, and which seconds it counts."""

import re
import time

import pytest

from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.cli import progress
from training.run.run import Run
from training.run.stopwatch import Stopwatch
from training.train import main


@pytest.mark.slow
def test_a_run_in_a_pipe_tells_how_it_goes_and_counts_the_same_seconds_everywhere(
    tiny, monkeypatch, capsys
):
    play = Run._play

    def play_slowly(run, bot):
        time.sleep(1.5)
        return play(run, bot)

    monkeypatch.setattr(Run, "_play", play_slowly)
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    assert main([str(tiny), "--evaluation.decisions_between", "1024"]) == 0
    shown = capsys.readouterr().out
    assert not set(shown) & {"\x1b", "\r"}
    told = re.findall(r"^Measured after ([\d,]+) decisions: score \d\.\d+ \(p", shown, re.MULTILINE)
    assert told == ["1,024", "2,048"]
    assert re.search(r"^[\d,]+/2,048 decisions, .*reward", shown, re.MULTILINE)
    assert re.search(r"^single_round, 2 .*against random: \d+ of \d+ games", shown, re.MULTILINE)

    folder = tiny.parent / "runs" / "tiny"
    spent = re.search(r"(\d+) s of learning, (\d+) s in all with measuring", shown)
    learning, in_all = map(int, spent.groups())
    assert in_all - learning >= 2  # two measurements that took a second and a half
    training = read_metadata(folder / "bot.onnx").training
    told = int(re.search(r"in (\d+) s of learning", (folder / "report.md").read_text())[1])
    assert told == round(training["seconds_learning"])
    if training["decisions"] == 2048:
        assert abs(learning - told) <= 1
    assert told < in_all


def test_a_stopwatch_tells_learning_from_measuring(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("training.run.stopwatch.time.monotonic", lambda: now[0])
    watch = Stopwatch(learning=10.0, measuring=5.0)
    now[0] = 100.0
    assert (watch.seconds_learning, watch.seconds) == (10.0, 15.0)  # it does not run yet
    with watch.time_run():
        now[0] = 101.0
        with watch.time_measuring():
            now[0] = 103.0
            assert (watch.seconds_learning, watch.seconds) == (11.0, 18.0)
        now[0] = 107.0
        assert (watch.seconds_learning, watch.seconds) == (15.0, 22.0)
    now[0] = 200.0
    assert (watch.seconds_learning, watch.seconds) == (15.0, 22.0)
