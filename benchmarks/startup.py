"""What a user waits for: the import, and the first compiled call with a cold and a warm cache."""

import os
import subprocess
import sys
import tempfile
from functools import partial

from benchmarks.timing import Figure, alternate

_IMPORT = """
import time
start = time.process_time()
import {modules}
print(time.process_time() - start)
"""
_FIRST_CALL = """
import time
import ono99_env
start = time.process_time()
env = ono99_env.ono99_v0.env(num_players=4)
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
print(time.process_time() - start)
"""


def startup_figures(rounds: int) -> list[Figure]:
    """Seconds of processor time of the import, and of the first deal and step of an environment."""
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(_FIRST_CALL, cache)
        ours, theirs, warm = alternate(
            [
                partial(seconds, _IMPORT.format(modules="ono99_env"), cache),
                partial(seconds, _IMPORT.format(modules="numba, gymnasium, pettingzoo"), cache),
                partial(seconds, _FIRST_CALL, cache),
            ],
            rounds,
        )
    return [
        Figure("import ono99_env", ours, "s", "import numba, gymnasium, pettingzoo", theirs),
        Figure("first reset and step, warm cache", warm, "s", "cold cache", cold),
    ]


def seconds(code: str, cache: str) -> float:
    """What a fresh interpreter prints, with its machine code in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(result.stdout)
