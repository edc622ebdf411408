"""Plays the same games in every kind of company: threads, processes, seeds and settings around.

``python -m tests.reliability.concurrency --repetitions 20`` compares digests of games, views,
environments and bots: each must be exactly that of one quiet process. ``--empty-cache`` also lets
eight processes fill an empty cache of machine code at once, which takes minutes.
"""

import argparse
import hashlib
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import gymnasium
import numpy as np

from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from tests.jit.playthrough import digest
from tests.reliability.session import Session

CHECKOUT = Path(__file__).parents[2]
GAMES, STEPS, COMPANY = 6, 40, 4
METHODS = ("fork", "spawn", "forkserver")
PROGRAM = """
import random, sys
import numpy as np
random.seed({seed}), np.random.seed({seed})
from tests.reliability.concurrency import everything
print(everything({number}))
"""

Check = Callable[[int], Iterator[str]]
"""Takes the number of a repetition and yields what differs."""


def everything(number: int) -> str:
    """Return a digest of all that is played under a number."""
    return digest(number, GAMES) + play_on_threads(number, 1)


def play_on_threads(number: int, num_threads: int) -> str:
    """Return the end of a vector environment that is stepped on so many threads."""
    envs = Ono99VectorEnv(5000, opponents=["highest", "counter"], num_threads=num_threads)
    _, infos = envs.reset(seed=number)
    seen = hashlib.sha256()
    for _ in range(4):
        observations, rewards, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        seen.update(observations.tobytes() + rewards.tobytes())
    return seen.hexdigest()


def in_threads(number: int) -> Iterator[str]:
    """Several threads play at once."""
    numbers = [number + offset for offset in range(COMPANY)]
    with ThreadPoolExecutor(COMPANY) as pool:
        if list(pool.map(everything, numbers)) != [everything(each) for each in numbers]:
            yield "threads disturb each other"


def on_threads_of_ours(number: int) -> Iterator[str]:
    """The environment steps its tables on several threads."""
    for count in (2, 3, 8):
        if play_on_threads(number, count) != play_on_threads(number, 1):
            yield f"num_threads={count} changes the games"


def in_processes(number: int) -> Iterator[str]:
    """Several processes play at once, started in every way."""
    numbers = [number + offset for offset in range(COMPANY)]
    expected = [everything(each) for each in numbers]
    for method in METHODS:
        context = multiprocessing.get_context(method)
        with ProcessPoolExecutor(COMPANY, mp_context=context) as pool:
            if list(pool.map(everything, numbers)) != expected:
                yield f"processes started by {method} play other games"


def in_surroundings(number: int) -> Iterator[str]:
    """A fresh interpreter plays, with other hashes, global seeds, threads, or uncompiled."""
    expected = everything(number)
    surroundings: list[dict[str, str]] = [
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "random", "OMP_NUM_THREADS": "7", "NUMBA_NUM_THREADS": "2"},
        {"PYTHONOPTIMIZE": "1", "LC_ALL": "C", "TZ": "Asia/Tokyo"},
    ]
    for place, around in enumerate(surroundings):
        shown = run_program(number, place, around)
        if shown != expected:
            yield f"{around} changes the games: {shown}"


def uncompiled(number: int) -> Iterator[str]:
    """The engine runs as plain Python."""
    code = f"from tests.jit.playthrough import digest; print(digest({number}, {GAMES}))"
    if run_code(code, {"NUMBA_DISABLE_JIT": "1"}) != digest(number, GAMES):
        yield "uncompiled code plays other games"


def run_program(number: int, seed: int, around: dict[str, str]) -> str:
    """Play in a fresh interpreter."""
    return run_code(PROGRAM.format(seed=seed, number=number), around)


def run_code(code: str, around: dict[str, str]) -> str:
    """Return what a fresh interpreter prints."""
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT), **around}
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr[-2000:]


def single(seat: int) -> Ono99Env:
    """Make the environment of one learner."""
    return Ono99Env(num_players=3, opponents=["highest", "random"], seat=seat)


def in_gymnasium(number: int) -> Iterator[str]:
    """`AsyncVectorEnv` steps environments in processes, started in every way."""
    makers = [partial(single, seat) for seat in range(3)]
    expected = roll(gymnasium.vector.SyncVectorEnv(makers), number)
    for method in METHODS:
        envs = gymnasium.vector.AsyncVectorEnv(makers, context=method)
        if roll(envs, number) != expected:
            yield f"AsyncVectorEnv by {method} plays other games"


def roll(envs: gymnasium.vector.VectorEnv, number: int) -> list[bytes]:
    """Return all that a vector environment shows."""
    rng = random.Random(number)
    observations, infos = envs.reset(seed=number)
    seen = [observations.tobytes()]
    for _ in range(STEPS):
        masks = np.stack(infos["action_mask"])
        actions = np.array(
            [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks]
        )
        observations, rewards, ended, _, infos = envs.step(actions)
        seen.append(observations.tobytes() + rewards.tobytes() + ended.tobytes())
    envs.close()
    return seen


def in_stable_baselines3(number: int) -> Iterator[str]:
    """`SubprocVecEnv` steps environments in processes, started in every way."""
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

    makers = [partial(single, seat) for seat in range(3)]
    expected = roll_sb3(DummyVecEnv(makers), number)
    for method in METHODS:
        if roll_sb3(SubprocVecEnv(makers, start_method=method), number) != expected:
            yield f"SubprocVecEnv by {method} plays other games"


def roll_sb3(envs, number: int) -> list[bytes]:
    """Return all that a vector environment of Stable-Baselines3 shows."""
    rng = random.Random(number)
    envs.seed(number)
    seen = [envs.reset().tobytes()]
    for _ in range(STEPS):
        masks = np.stack(envs.env_method("action_masks"))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        observations, rewards, ended, _ = envs.step(actions)
        seen.append(observations.tobytes() + rewards.tobytes() + ended.tobytes())
    envs.close()
    return seen


def filling_a_cache(number: int) -> Iterator[str]:
    """Eight processes fill an empty cache of machine code at once."""
    expected = digest(number, 2)
    code = f"from tests.jit.playthrough import digest; print(digest({number}, 2))"
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(8) as pool:
        around = {"NUMBA_CACHE_DIR": folder}
        answers = list(pool.map(lambda _: run_code(code, around), range(8)))
        answers.append(run_code(code, around))
    if set(answers) != {expected}:
        yield f"processes that fill an empty cache differ: {sorted(set(answers))}"


CHECKS: dict[str, Check] = {
    "threads": in_threads,
    "num_threads": on_threads_of_ours,
    "processes": in_processes,
    "surroundings": in_surroundings,
    "uncompiled": uncompiled,
    "AsyncVectorEnv": in_gymnasium,
    "SubprocVecEnv": in_stable_baselines3,
}


def main(words: list[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=20, help="how often, with other seeds")
    parser.add_argument("--seed", type=int, default=1, help="number of the first repetition")
    parser.add_argument("--empty-cache", action="store_true", help="fill an empty cache, too")
    options = parser.parse_args(words)
    checks = {**CHECKS, **({"empty cache": filling_a_cache} if options.empty_cache else {})}
    with Session("Repetitions", options.repetitions * len(checks)) as session:
        for number in range(options.seed, options.seed + options.repetitions):
            for name, check in checks.items():
                session.advance(0, name)
                for finding in check(number):
                    repeat = "python -m tests.reliability.concurrency --repetitions 1 --seed "
                    session.find(finding, f"{repeat}{number}")
                session.advance(1)
    return session.exit_code


if __name__ == "__main__":
    sys.exit(main())
