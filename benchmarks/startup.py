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
    "Game": """
game = ono99_env.Game(seed=1)
game.play(game.legal_actions()[0])
""",
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
    "a bot file": """
import numpy
views = ono99_env.Game(seed=1).views()
ono99_env.load_bot("2022").act(views, numpy.random.default_rng(1))
""",
    "the arena": """
from ono99_env.arena import one_vs_rest
bots = ono99_env.load_bot("highest"), ono99_env.load_bot("random")
one_vs_rest(ono99_env.Rules(), *bots, 4, 100, 1)
""",
}
_PROGRAMS = {name: _FIRST_STEP.format(first_step=step) for name, step in _FIRST_STEPS.items()}
"""What a user does first with each interface. A whole sequence of them shares one folder."""


def startup_figures(rounds: int) -> list[Figure]:
    """Measure processor time of the import, and of the import with an interface's first step."""
    with tempfile.TemporaryDirectory() as cache:
        further = {name: seconds(program, cache) for name, program in _PROGRAMS.items()}
        ours, theirs, *warm = alternate(
            [
                partial(seconds, _IMPORT.format(modules="ono99_env"), cache),
                partial(seconds, _IMPORT.format(modules="numba, gymnasium, pettingzoo"), cache),
                *(partial(seconds, program, cache) for program in _PROGRAMS.values()),
            ],
            rounds,
        )
    libraries = "import numba, gymnasium, pettingzoo"
    on_disk = dict(zip(_PROGRAMS, warm, strict=True))
    return [
        Figure("import ono99_env", ours, "s", libraries, theirs),
        *(
            Figure(f"import, first reset and step, {name}", needed, "s", libraries, theirs)
            for name, needed in on_disk.items()
        ),
        *(
            Figure(f"the same, {name}, nothing on disk", _alone(program), "s", "on disk", needed)
            for (name, program), needed in zip(_PROGRAMS.items(), warm, strict=True)
        ),
        *(
            Figure(f"the same, {name}, after those above", needed, "s", "on disk", on_disk[name])
            for name, needed in further.items()
        ),
    ]


def _alone(program: str) -> float:
    """Return the seconds that a program needs with nothing on disk."""
    with tempfile.TemporaryDirectory() as cache:
        return seconds(program, cache)


def seconds(code: str, cache: str) -> float:
    """Return what a fresh interpreter prints, with its machine code in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(result.stdout)
