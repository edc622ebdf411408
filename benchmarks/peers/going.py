"""How a peer and its match here are measured: short goes, counted until the time is up."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

Go = Callable[[], int]
"""Plays a little, at random among the legal actions; returns the decisions it made."""


@dataclass(frozen=True)
class Peer:
    """A path through another library, and the path of ours that does the same work."""

    name: str
    go: Go
    match: str
    """A name in `benchmarks.peers.ours.PATHS`."""


def rate(go: Go, seconds: float) -> float:
    """Return decisions per second of processor time, so that other programs do not count."""
    made, passed, start = 0, 0.0, time.process_time()
    while passed < seconds:
        made += go()
        passed = time.process_time() - start
    return made / passed


def aec_loop(env: Any) -> Go:
    """Play a game of an AEC env whose mask is in the observation or (shimmy) in the info."""
    env.reset(seed=1)

    def play() -> int:
        made = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                action = None
            else:
                masked = observation if isinstance(observation, dict) else info
                action = env.action_space(agent).sample(masked["action_mask"])
                made += 1
            env.step(action)
        return made

    return play


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and those it starts, on one core."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
