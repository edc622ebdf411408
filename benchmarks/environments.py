"""Environments for a learner: its decisions per second, everything between them counted."""

import time
from typing import Any

import gymnasium
import numba
import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import Figure, alternate
from ono99_env.engine import generator, words
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.observation import MASK
from ono99_env.rules.cards import NUM_ACTIONS

_NUM_ENVS = (1024, 4096, 16_384)
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
    """Measure the vector environment beside a null one, its variants, and the single one."""
    return [
        *_beside_null(decisions, rounds),
        *_variants(decisions, rounds),
        _single(decisions, rounds),
    ]


def _beside_null(decisions: int, rounds: int) -> list[Figure]:
    figures = []
    for num_envs in _NUM_ENVS:
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
    return figures


def _variants(decisions: int, rounds: int) -> list[Figure]:
    """Measure compact observations and two threads beside the plain vector environment."""
    figures = []
    for num_envs in _NUM_ENVS:
        steps = max(1, decisions // num_envs)
        plain, compact, threaded = alternate(
            [
                lambda envs=envs, steps=steps: vector_rate(envs, steps)
                for envs in (
                    Ono99VectorEnv(num_envs, num_players=2, copy=False),
                    Ono99VectorEnv(num_envs, num_players=2, copy=False, compact=True),
                    Ono99VectorEnv(num_envs, num_players=2, copy=False, num_threads=2),
                )
            ],
            rounds,
        )
        for name, rate in (("compact", compact), ("two threads", threaded)):
            name = f"vector env, {num_envs} tables, {name}"
            figures.append(Figure(name, rate, "decisions/s", "full observation, one thread", plain))
    return figures


def _single(decisions: int, rounds: int) -> Figure:
    vector, single = alternate(
        [
            lambda: vector_rate(Ono99VectorEnv(1024, num_players=2), decisions // 1024),
            lambda: single_rate(decisions // _STEPS_BETWEEN_RESETS),
        ],
        rounds,
    )
    return Figure("single env, 2 players", single, "decisions/s", "vector env", vector)


def vector_rate(envs: Any, steps: int) -> float:
    """Return decisions per second of a vector environment, uniformly random legal actions."""
    _, infos = envs.reset(seed=1)
    num_envs = len(infos["action_mask"])
    actions, counter = np.zeros(num_envs, np.int64), np.uint64(1)
    counter = choose_randomly(infos["action_mask"], counter, actions)
    start = time.perf_counter()
    for _ in range(steps):
        _, _, _, _, infos = envs.step(actions)
        counter = choose_randomly(infos["action_mask"], np.uint64(counter), actions)
    return steps * num_envs / (time.perf_counter() - start)


@numba.njit(cache=True)
def choose_randomly(masks: Any, counter: Any, actions: Any) -> Any:
    """Write a random legal action for each row of masks; returns where the generator goes on."""
    records = masks.view(MASK)
    for table in range(len(masks)):
        mask = records[table, 0]
        num_cards = words.pile_size(mask.cards)
        counter = generator.advance(counter)
        choice = generator.below(generator.scramble(counter), num_cards + mask.discard_four)
        # The n-th card of the mask taken as a pile; the last action follows the cards.
        actions[table] = words.nth_in_pile(mask.cards, choice)
    return counter


def single_rate(decisions: int) -> float:
    """Return decisions per second of the Gymnasium environment, first legal actions."""
    env: Any = gymnasium.make("ono99/Ono99-v0", num_players=2)
    _, info = env.reset(seed=1)
    start = time.perf_counter()
    for _ in range(decisions):
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        if terminated or truncated:
            _, info = env.reset()
    return decisions / (time.perf_counter() - start)
