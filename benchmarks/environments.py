"""Environments for a learner: its decisions a second, everything between them counted."""

import time
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Figure, alternate
from ono99_env.cards import NUM_ACTIONS
from ono99_env.envs.vector import Ono99VectorEnv

_STEPS_BETWEEN_RESETS = 20


class NullVectorEnv:
    """Hands out the same observations and masks at once: what the loop around a step costs."""

    def __init__(self, num_envs: int, observation_size: int) -> None:
        self.observations = np.zeros((num_envs, observation_size), np.float32)
        self.infos = {"action_mask": np.ones((num_envs, NUM_ACTIONS), np.int8)}
        self._rewards, self._ends = np.zeros(num_envs), np.zeros(num_envs, np.bool_)

    def reset(self, seed: int) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """See `gymnasium.vector.VectorEnv.reset`."""
        return self.observations, self.infos

    def step(self, actions: NDArray[np.int64]) -> tuple[Any, ...]:
        """See `gymnasium.vector.VectorEnv.step`."""
        return self.observations, self._rewards, self._ends, self._ends, self.infos


def environment_figures(decisions: int, rounds: int) -> list[Figure]:
    """The vector environment beside a null one, and the single environment beside it."""
    figures = []
    for num_envs in (1024, 4096):
        steps = max(1, decisions // num_envs)
        tables = Ono99VectorEnv(num_envs, num_players=2, copy=False)
        null = NullVectorEnv(num_envs, tables.single_observation_space.shape[0])
        ours, limit = alternate(
            [
                lambda envs=tables, steps=steps: vector_rate(envs, steps),
                lambda envs=null, steps=steps: vector_rate(envs, steps),
            ],
            rounds,
        )
        name = f"vector env, {num_envs} tables, 2 players, random bots"
        figures.append(Figure(name, ours, "decisions/s", "null vector env", limit))
    vector, single = alternate(
        [
            lambda: vector_rate(Ono99VectorEnv(1024, num_players=2), decisions // 1024),
            lambda: single_rate(decisions // _STEPS_BETWEEN_RESETS),
        ],
        rounds,
    )
    figures.append(Figure("single env, 2 players", single, "decisions/s", "vector env", vector))
    return figures


def vector_rate(envs: Any, steps: int) -> float:
    """Decisions a second of a vector environment, the first legal action at every table."""
    _, infos = envs.reset(seed=1)
    num_envs = len(infos["action_mask"])
    start = time.perf_counter()
    for _ in range(steps):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    return steps * num_envs / (time.perf_counter() - start)


def single_rate(decisions: int) -> float:
    """Decisions a second of the Gymnasium environment, the first legal action every time."""
    env: Any = gymnasium.make("ono99/Ono99-v0", num_players=2)
    _, info = env.reset(seed=1)
    start = time.perf_counter()
    for _ in range(decisions):
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        if terminated or truncated:
            _, info = env.reset()
    return decisions / (time.perf_counter() - start)
