"""Ctrl-C ends a run in good order; a second one ends it at once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ono99_env import Rules, load_bot
from ono99_env.arena.analysis.duplicates import one_vs_rest
from ono99_env.bots.policies.bot_file import read_metadata
from training.run.stop_request import StopRequest

ROOT = Path(__file__).parents[3]


def test_the_second_signal_interrupts():
    before = signal.getsignal(signal.SIGINT)
    with StopRequest() as stop:
        assert not stop.is_made
        signal.raise_signal(signal.SIGINT)
        assert stop.is_made
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.fixture
def endless_run(tiny):
    """A run of its own process that has begun to train."""
    command = [sys.executable, "-m", "training.train", str(tiny), "--total_decisions", "1000000000"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    log, deadline = tiny.parent / "runs" / "tiny" / "progress.csv", time.monotonic() + 300
    while not (log.exists() and log.stat().st_size) and time.monotonic() < deadline:
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.05)
    yield process
    process.kill()
    process.stdout.close()
    process.wait()


@pytest.mark.slow
def test_ctrl_c_leaves_a_usable_bot_and_says_where_it_is(endless_run, tiny):
    endless_run.send_signal(signal.SIGINT)
    output, _ = endless_run.communicate(timeout=120)
    assert endless_run.returncode == 130, output
    assert "Traceback" not in output
    assert "The bot is runs/tiny/bot.onnx" in output
    path = tiny.parent / "runs" / "tiny" / "bot.onnx"
    rules = Rules.preset("2022", num_players=2)
    outcome = one_vs_rest(rules, load_bot(str(path)), load_bot("random"), 2, games=20, seed=1)
    assert outcome.games == 20
    decisions = read_metadata(path).training["decisions"]
    assert decisions > 0
    assert decisions % (16 * 32) == 0


@pytest.mark.slow
def test_a_second_ctrl_c_ends_the_run_at_once(endless_run):
    endless_run.send_signal(signal.SIGSTOP)  # so that both arrive before the run can finish
    endless_run.send_signal(signal.SIGINT)
    endless_run.send_signal(signal.SIGTERM)
    endless_run.send_signal(signal.SIGCONT)
    output, _ = endless_run.communicate(timeout=120)
    assert endless_run.returncode == 130, output
    assert "Traceback" not in output
