"""A process that dies is named with its bots, one whose parent dies ends; no game is lost."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from ono99_env.arena import Arena
from ono99_env.messages.errors import BotError, WorkerError
from tests.arena.some_bots import (
    Drawing,
    Ending,
    Exiting,
    Hanging,
    Killing,
    NotOpening,
)

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]

PLAYS = """
from ono99_env.arena import Arena
from tests.arena.some_bots import Hanging
if __name__ == "__main__":
    Arena([Hanging("hanging"), "highest"], games=1000, players=2).play(processes=2)
"""


def new_arena(bot: Drawing, games: int = 1200, **options: object) -> Arena:
    return Arena([bot, "highest", "random"], players=3, games=games, seed=4, **options)


@pytest.mark.parametrize("options", [{}, {"forfeit": True}, {"forfeit": True, "time_limit": 9.0}])
@pytest.mark.parametrize(
    ("bot", "cause"),
    [(Ending("bad"), "exit code 3"), (Killing("bad"), "killed by SIGKILL")],
    ids=["exit", "kill"],
)
def test_a_process_that_dies_is_named_with_the_bot_that_was_asked(bot, cause, options):
    asked = r"while bot 'bad' was choosing in seat \d of a table of 3 players"
    with pytest.raises(WorkerError, match=rf"ended by itself \({cause}.*\), {asked}"):
        new_arena(bot, **options).play(processes=2)


def test_what_was_played_before_a_process_died_is_kept(tmp_path):
    marker, state = tmp_path / "marker", tmp_path / "state"
    bot = Ending("bad", str(marker), after=80)  # a job asks it about 50 times
    arena = new_arena(bot, games=60_000)
    with pytest.raises(WorkerError):
        arena.play(processes=2, state=state)
    assert arena.tally.games > 0
    marker.write_text("play on")
    again = new_arena(bot, games=60_000)
    again.resume(state)
    assert again.tally.games == arena.tally.games
    whole = new_arena(bot, games=60_000)
    assert again.play(processes=2, state=state) == whole.play()


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("time_limit", [None, 60.0])
def test_a_bot_that_exits_is_named_or_forfeits(processes, time_limit):
    with pytest.raises(BotError, match=r"'bad' raised SystemExit: 3 - in seat . of a table of 3"):
        new_arena(Exiting("bad"), time_limit=time_limit).play(processes)
    results = new_arena(Exiting("bad"), time_limit=time_limit, forfeit=True).play(processes)
    forfeits = {row.name: row.forfeits for row in results.bots}
    assert forfeits["bad"] > 100
    assert forfeits["highest"] == forfeits["random"] == 0
    assert "SystemExit" in results.failures["bad"]


def test_a_bot_that_hangs_forfeits_in_every_process():
    started = time.monotonic()
    results = new_arena(Hanging("bad"), games=300, time_limit=0.5, forfeit=True).play(processes=2)
    assert {row.name: row.forfeits > 0 for row in results.bots}["bad"]
    assert time.monotonic() - started < 60


def test_a_bot_that_cannot_be_opened_in_another_process_is_an_error_in_words():
    with pytest.raises(BotError, match=r"cannot be opened in another process, .*SystemExit: 5"):
        new_arena(NotOpening("bad")).play(processes=2)


def test_a_broken_executor_is_named_with_the_bots_of_its_job():
    with (
        ProcessPoolExecutor(2, get_context("spawn")) as executor,
        pytest.raises(WorkerError, match=r"ended by itself, at the tables of '.*: BrokenProcess"),
    ):
        new_arena(Ending("bad")).play(processes=2, executor=executor)


@pytest.mark.skipif(sys.platform == "win32", reason="looks at processes as POSIX shows them")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_when_the_one_that_started_them_is_gone(tmp_path, number):
    script = tmp_path / "plays.py"
    script.write_text(PLAYS)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HANGING_WRITES": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, script], env=environment, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: len(list(tmp_path.glob("*.pid"))) == 2, seconds=120)
        workers = [int(path.stem) for path in tmp_path.glob("*.pid")]
        assert all(map(is_running, workers))
        parent.send_signal(number)
        parent.wait(30)
        wait_for(lambda: not any(map(is_running, workers)), seconds=10)
    finally:
        parent.kill()


def wait_for(is_so, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"
