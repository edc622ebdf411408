"""What a user waits for: the import, and the first step with a cold and a warm cache."""

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
_FIRST_STEP = """
import time
start = time.process_time()
import ono99_env
{first_step}
print(time.process_time() - start)
"""
_FIRST_STEPS = {
    "env()": """
env = ono99_env.ono99_v0.env(num_players=4)
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
""",
    "gymnasium.make": """
import gymnasium
env = gymnasium.make("ono99/Ono99-v0")
_, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
""",
    "Ono99VectorEnv": """
from ono99_env.envs.vector import Ono99VectorEnv
envs = Ono99VectorEnv(64)
_, infos = envs.reset(seed=1)
envs.step(infos["action_mask"].argmax(axis=1))
""",
}


def startup_figures(rounds: int) -> list[Figure]:
    """Measure processor time of the import, and of the import with an environment's first step."""
    programs = [_FIRST_STEP.format(first_step=step) for step in _FIRST_STEPS.values()]
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(programs[0], cache)
        ours, theirs, *warm = alternate(
            [
                partial(seconds, _IMPORT.format(modules="ono99_env"), cache),
                partial(seconds, _IMPORT.format(modules="numba, gymnasium, pettingzoo"), cache),
                *(partial(seconds, program, cache) for program in programs),
            ],
            rounds,
        )
    libraries = "import numba, gymnasium, pettingzoo"
    return [
        Figure("import ono99_env", ours, "s", libraries, theirs),
        *(
            Figure(f"import, first reset and step, {name}", needed, "s", libraries, theirs)
            for name, needed in zip(_FIRST_STEPS, warm, strict=True)
        ),
        Figure(f"the same, {next(iter(_FIRST_STEPS))}, compiled", cold, "s", "on disk", warm[0]),
    ]


def seconds(code: str, cache: str) -> float:
    """Return what a fresh interpreter prints, with its machine code in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(result.stdout)
