"""Watches the memory of programs that work for a long time: it must not grow.

``python -m tests.reliability.memory --minutes 60`` runs a vector environment, tournaments and a
training run side by side, each in a process of its own, and compares the memory that each holds in
the second quarter of the time with that in the last one.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import yaml

from tests.reliability.session import Session

ALLOWED = 6.0
"""MiB by which the medians of two quarters may differ: the allocator is not exact to less."""

TRAINING = {
    **{"name": "memory", "rules": "1980", "num_players": [2, 3], "net_arch": [16]},
    **{"features": ["hand", "headroom"], "num_envs": 64, "num_threads": 1, "device": "cpu"},
    **{"total_decisions": 10**12, "checkpoint_seconds": 5},
    "ppo": {"n_steps": 32, "batch_size": 512, "n_epochs": 1},
    "evaluation": {
        **{"opponents": ["random"], "games": 20, "games_between": 20},
        "decisions_between": 500_000,
    },
    "self_play": {
        **{"learner": 0.6, "snapshots": 0.3, "bots": {"highest": 0.1}},
        **{"decisions_between_snapshots": 200_000, "max_snapshots": 4},
    },
}
"""A run in self-play that is never done; it saves, measures and takes snapshots all the time."""


def step_vector_environments() -> None:
    """Step vector environments, made anew now and then."""
    from ono99_env.envs.vector import Ono99VectorEnv

    seed = 0
    while True:
        seed += 1
        envs = Ono99VectorEnv(256, opponents=["highest", "counter"], compact=seed % 2 == 0)
        _, infos = envs.reset(seed=seed)
        for _ in range(2000):
            infos = envs.step(infos["action_mask"].argmax(axis=1))[-1]
        envs.close()


def play_tournaments() -> None:
    """Play one tournament after the other."""
    from ono99_env.arena import Arena

    seed = 0
    while True:
        seed += 1
        contest = Arena(["highest", "counter", "random"], players=3, games=2000, seed=seed)
        contest.record(contest.play())


def train() -> None:
    """Train in self-play."""
    from training.train import main

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("memory.yaml").write_text(yaml.safe_dump(TRAINING))
        main(["memory.yaml"])


WORK = {
    "vector environment": step_vector_environments,
    "arena": play_tournaments,
    "training": train,
}


def silently(work: Callable[[], None]) -> None:
    """Work without output."""
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123 - until the process ends
    work()


def memory_of(pid: int) -> float:
    """Return the resident memory of a process in MiB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / 2**20


def growth(samples: list[float]) -> float:
    """Return by how many MiB the last quarter of samples exceeds the second one."""
    quarter = len(samples) // 4
    return median(samples[-quarter:]) - median(samples[quarter : 2 * quarter])


def watch(
    work: dict[str, Callable[[], None]], seconds: float, session: Session, interval: float = 1.0
) -> dict[str, list[float]]:
    """Run programs side by side for a time; returns the samples of their memory in MiB."""
    context = multiprocessing.get_context("spawn")
    processes = {
        name: context.Process(target=silently, args=(each,)) for name, each in work.items()
    }
    samples: dict[str, list[float]] = {name: [] for name in work}
    for process in processes.values():
        process.start()
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(interval)
            session.advance(1)
            for name, process in processes.items():
                if not process.is_alive():
                    session.find(f"{name} ended with exit code {process.exitcode}", command(60))
                    return samples
                samples[name].append(memory_of(process.pid or 0))
    finally:
        for process in processes.values():
            process.terminate()
            process.join()
    return samples


def command(minutes: float) -> str:
    """Return the command that watches for so long."""
    return f"python -m tests.reliability.memory --minutes {minutes:g}"


def main(words: list[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60, help="how long to watch")
    minutes = parser.parse_args(words).minutes
    with Session("Seconds", minutes * 60) as session:
        samples = watch(WORK, minutes * 60, session)
        for name, each in samples.items():
            if growth(each) > ALLOWED:
                session.find(f"{name} grew by {growth(each):.1f} MiB", command(minutes))
    for name, each in samples.items():
        print(f"{name}: {growth(each):+.1f} MiB, highest {max(each):.0f} MiB, {len(each)} samples")
    return session.exit_code


if __name__ == "__main__":
    sys.exit(main())
