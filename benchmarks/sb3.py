"""`MaskablePPO` of Stable-Baselines3 on our vector env, on one without cost, on single envs."""

import time
from functools import partial
from typing import Any

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from benchmarks.timing import Figure, alternate
from benchmarks.training import NullVecEnv
from ono99_env.envs.sb3 import Ono99VecEnv

_NUM_ENVS = 1024
_NUM_STEPS = 16
_BATCH_SIZE = 2048
_SEATS = 4


def sb3_figures(updates: int, rounds: int) -> list[Figure]:
    """Return frames per second of the same call on three environments, on one thread of PyTorch."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        envs = [ours(), NullVecEnv(_NUM_ENVS), single_envs()]
        learners = [learner(env, _NUM_STEPS) for env in envs]
        ours_rate, null, single = alternate(
            [partial(learning_rate, each, updates) for each in learners], rounds
        )
    finally:
        torch.set_num_threads(threads)
    name = f"MaskablePPO on Ono99VecEnv, {_NUM_ENVS} envs"
    return [
        Figure(name, ours_rate, "frames/s", "on a null vector env", null),
        Figure(name, ours_rate, "frames/s", "on DummyVecEnv of single envs", single),
    ]


def ours(num_envs: int = _NUM_ENVS) -> VecEnv:
    """Return the native vector environment."""
    return Ono99VecEnv(num_envs=num_envs, num_players=_SEATS)


def single_envs(num_envs: int = _NUM_ENVS) -> VecEnv:
    """Return as many single environments, one after another."""
    return DummyVecEnv([_single_env] * num_envs)


def learner(env: VecEnv, num_steps: int) -> MaskablePPO:
    """Return the same call for every environment; all else is default (nets 64-64, 10 epochs)."""
    return MaskablePPO("MlpPolicy", env, n_steps=num_steps, batch_size=_BATCH_SIZE, device="cpu")


def learning_rate(model: MaskablePPO, updates: int) -> float:
    """Return frames per second of processor time of some updates with their rollouts."""
    frames = updates * model.n_envs * model.n_steps
    start = time.process_time()
    model.learn(frames, reset_num_timesteps=False)
    return frames / (time.process_time() - start)


def _single_env() -> Any:
    return gymnasium.make("ono99/Ono99-v0", num_players=_SEATS)
