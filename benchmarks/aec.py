"""The PettingZoo loop as a user writes it, beside PettingZoo's own games in the same run."""

import time
from collections.abc import Callable
from typing import Any

import pettingzoo

import ono99_env  # noqa: F401 - registers the environment
from benchmarks.timing import Figure, alternate

_REFERENCES = ("classic/connect_four-v3", "classic/tictactoe-v3")


def aec_figures(decisions: int, rounds: int) -> list[Figure]:
    """Random legal play through ``env()`` at four players, beside Connect Four and Tic-Tac-Toe.

    Raises:
        ImportError: If the games of ``pettingzoo[classic]`` are not installed.
    """
    loops: list[Callable[[], float]] = [
        lambda env_id=env_id: loop_rate(env_id, decisions)
        for env_id in ("ono99/ono99-v0", *_REFERENCES)
    ]
    ours, *theirs = alternate(loops, rounds)
    return [
        Figure("AEC env(), 4 players", ours, "decisions/s", f"PettingZoo {env_id}", rate)
        for env_id, rate in zip(_REFERENCES, theirs, strict=True)
    ]


def loop_rate(env_id: str, decisions: int) -> float:
    """Decisions a second of the loop in PettingZoo's documentation, with masked samples."""
    env: Any = pettingzoo.make("aec", env_id)
    env.reset(seed=1)
    made = 0
    start = time.perf_counter()
    while made < decisions:
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                action = None
            else:
                action = env.action_space(agent).sample(observation["action_mask"])
                made += 1
            env.step(action)
    return made / (time.perf_counter() - start)
