"""PufferLib's card game in C, a learner against a random bot, in the loop of its own speed test."""

import contextlib
import tempfile
from typing import Any

import numpy as np

from benchmarks.peers.going import Go, Peer
from benchmarks.peers.ours import vector_name

_STEPS = 20
_ROWS_DRAWN = 1024
_ALL_ACTIONS = 14
_ACTIONS_OF_ITS_TEST = 2
"""They pick up a card; none plays one."""


def peers() -> list[Peer]:
    """Return two sizes and the actions of its own test, beside full and compact observations."""
    goes = {
        ("all actions", 1024): steps(1024, _ALL_ACTIONS),
        ("all actions", 4096): steps(4096, _ALL_ACTIONS),
        ("its test's actions", 1024): steps(1024, _ACTIONS_OF_ITS_TEST),
    }
    return [
        Peer(f"PufferLib Triple Triad, {num_envs}, {drawn}", go, vector_name(num_envs, compact))
        for (drawn, num_envs), go in goes.items()
        for compact in (False, True)
    ]


def steps(num_envs: int, num_actions: int) -> Go:
    """Step a batch; the actions are drawn beforehand, legal or not, as in its own test.

    Args:
        num_envs: Size of the batch.
        num_actions: The number of actions to draw from, uniformly.
    """
    env = _make(num_envs)
    env.reset()
    actions = np.random.default_rng(1).integers(num_actions, size=(_ROWS_DRAWN, num_envs))
    tick = 0

    def play() -> int:
        nonlocal tick
        for _ in range(_STEPS):
            env.step(actions[tick % _ROWS_DRAWN])
            tick += 1
        return _STEPS * num_envs

    return play


def _make(num_envs: int) -> Any:
    # PufferLib leaves a link called `resources` in the folder where it is imported.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        from pufferlib.ocean.tripletriad.tripletriad import TripleTriad
    return TripleTriad(num_envs=num_envs, seed=1)
