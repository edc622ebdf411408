"""Ctrl-C once ends whatever is played, soon, however long the games are."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="Python itself hears Ctrl-C"),
]

CHECKOUT = Path(__file__).parent.parent.parent

PRELUDE = """
import os, signal, sys, threading, time
import numpy as np
from ono99_env import Game, Rules, Views, load_bot, ono99_v0
from ono99_env.tables import Tables
rules = Rules.preset("2022", num_players=2, deck={"0": 20}, max_plays=1_000_000_000)

def play(rules, name, size, num_threads=1):
    tables = Tables(rules, [load_bot(name)], size, num_threads=num_threads)
    tables.deal(np.arange(size), np.full(size, 2), np.arange(size), np.zeros((size, 8), int))

def interrupt():
    time.sleep(1)
    global start
    start = time.process_time()
    os.killpg(0, signal.SIGINT)

def say(kind, error, trace):
    print(kind.__name__, time.process_time() - start, flush=True)

def ready():
    sys.excepthook = say
    threading.Thread(target=interrupt, daemon=True).start()
"""
"""The program interrupts its own process group, as a terminal does, and tells how much processor
time it took from there: seconds on the clock tell how busy the machine is."""

PROGRAMS = {
    "tables": """
play(Rules(), "highest", 1)
ready()
play(rules, "highest", 64)
""",
    "tables on two threads": """
play(Rules(), "counter", 1)
ready()
play(rules, "counter", 4096, num_threads=2)
""",
    "arena": """
from ono99_env.arena import one_vs_rest
one_vs_rest(Rules(), load_bot("highest"), load_bot("random"), 2, 4, 1)
ready()
one_vs_rest(rules, load_bot("highest"), load_bot("random"), 2, 40, 1)
""",
    "arena on two processes": """
from ono99_env.arena import Arena
if __name__ == "__main__":
    usual = Rules.preset("2022", num_players=2)
    Arena(["highest", "random"], rules=usual, players=2, games=64).play(processes=2)
    ready()
    Arena(["highest", "random"], rules=rules, players=2, games=64).play(processes=2)
""",
    "environment": """
from ono99_env.envs.single import Ono99Env
env = Ono99Env(rules=rules)
_, info = env.reset(seed=1)
ready()
while True:
    info = env.step(int(info["action_mask"].argmax()))[-1]
""",
    "AEC environment": """
env = ono99_v0.env(rules=rules)
env.reset(seed=1)
ready()
while True:
    env.step(int(env.last()[0]["action_mask"].argmax()))
""",
    "vector environment": """
from ono99_env.envs.vector import Ono99VectorEnv
envs = Ono99VectorEnv(300_000, rules=rules, compact=True)
_, infos = envs.reset(seed=1)
ready()
while True:
    infos = envs.step(infos["action_mask"].argmax(1))[-1]
""",
    "self-play": """
from training.self_play.seat_draw import SeatDraw
from training.self_play.self_play_tables import SelfPlayTables
tables = SelfPlayTables(rules, [load_bot("random")], SeatDraw((2,), 1.0, [1.0]), 50_000, 0)
ready()
while True:
    tables.step(tables.action_mask.argmax(1))
""",
    "search": """
game = Game(seed=1)
bot = load_bot("search:simulations=50000000")
load_bot("search").act(game.views(), np.random.default_rng(1))
ready()
bot.act(game.views(), np.random.default_rng(1))
""",
    "search of many views": """
game = Game(seed=1)
size = 100_000
views = Views.of(game.rules, game.games.repeat(size), np.repeat(game.current_player, size))
bot = load_bot("search:simulations=2000")
bot.act(game.views(), np.random.default_rng(1))
ready()
bot.act(views, np.random.default_rng(1))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_interrupt_is_enough(name: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PRELUDE + PROGRAMS[name])
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
    )
    assert done.stdout.startswith("KeyboardInterrupt "), done.stderr
    assert float(done.stdout.split()[1]) < 1, "seconds of processor time"
