"""Ctrl-C once ends whatever is played, soon, however long the games are."""

import os
import signal
import subprocess
import sys
import time

import numba
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="Python itself hears Ctrl-C"),
]

RULES = """
import numpy as np
from ono99_env import Rules, Views, load_bot, ono99_v0
rules = Rules.preset("2022", num_players=2, deck={"0": 20}, max_plays=1_000_000_000)
def ready(): print("ready", flush=True)
"""

PROGRAMS = {
    "tables": """
from ono99_env.tables import Tables
tables = Tables(rules, [load_bot("highest")], 64)
short = Tables(Rules(), [load_bot("highest")], 1)
short.deal(np.arange(1), np.full(1, 2), np.arange(1), np.zeros((1, 8), int))
ready()
tables.deal(np.arange(64), np.full(64, 2), np.arange(64), np.zeros((64, 8), int))
""",
    "tables on two threads": """
from ono99_env.tables import Tables
tables = Tables(rules, [load_bot("counter")], 4096, num_threads=2)
ready()
tables.deal(np.arange(4096), np.full(4096, 2), np.arange(4096), np.zeros((4096, 8), int))
""",
    "arena": """
from ono99_env.arena import one_vs_rest
one_vs_rest(Rules(), load_bot("highest"), load_bot("random"), 2, 4, 1)
ready()
one_vs_rest(rules, load_bot("highest"), load_bot("random"), 2, 40, 1)
""",
    "vector environment": """
from ono99_env.envs.vector import Ono99VectorEnv
envs = Ono99VectorEnv(64, rules=rules)
_, infos = envs.reset(seed=1)
ready()
while True:
    infos = envs.step(infos["action_mask"].argmax(1))[-1]
""",
    "search": """
from ono99_env import Game
game = Game(seed=1)
bot = load_bot("search:simulations=50_000_000".replace("_", ""))
ready()
bot.act(game.views(), np.random.default_rng(1))
""",
    "search of many views": """
from ono99_env import Game
game = Game(seed=1)
size = 100_000
views = Views.of(game.rules, game.games.repeat(size), np.repeat(game.current_player, size))
bot = load_bot("search:simulations=2000")
ready()
bot.act(views, np.random.default_rng(1))
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_interrupt_is_enough(name: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", RULES + PROGRAMS[name]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.stderr.read()
        time.sleep(3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "KeyboardInterrupt" in said
    assert time.monotonic() - start < 5, "about a second, and more on a busy machine"
