"""How fast a learner trains beside the same update on an environment that returns at once.

``python -m benchmarks.training [CONFIG]`` trains, alternating in one process: the learner of the
config; `MaskablePPO` with the same networks and settings on a null environment of the same shapes;
and an unmodified `MaskablePPO` with its default masked distribution there.
"""

import argparse
import resource
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from benchmarks.timing import Figure, alternate
from ono99_env.envs.sb3 import TablesVecEnv
from ono99_env.envs.spaces import ActionSpace, observation_space
from ono99_env.rules.cards import NUM_ACTIONS
from training.config.command_line import make_config
from training.config.config import Config
from training.learner.learner import learner_arguments, make_learner
from training.self_play.distribution import LeanMaskablePolicy

_CONFIG = Path("configs/2022.yaml")


class NullVecEnv(TablesVecEnv):
    """Always the same observations and masks; every step is the 20th of an episode somewhere."""

    def __init__(self, num_envs: int) -> None:
        super().__init__(num_envs, observation_space(), ActionSpace())
        rng = np.random.default_rng(0)
        shape = (num_envs, *self.observation_space.shape)
        self._observation = rng.uniform(-1, 1, shape).astype(np.float32)
        self._mask = (rng.random((num_envs, NUM_ACTIONS)) < 0.25).astype(np.int8)
        self._mask[:, 0] = 1
        self._rewards = np.zeros(num_envs, np.float32)
        self._dones = np.arange(num_envs) % 20 == 0
        self._infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]

    def reset(self) -> np.ndarray:
        """See `VecEnv.reset`."""
        return self._observation

    def step_async(self, actions: np.ndarray) -> None:
        """Ignore the actions."""

    def step_wait(self) -> Any:
        """See `VecEnv.step_wait`."""
        return self._observation, self._rewards, self._dones, self._infos

    def action_masks(self) -> np.ndarray:
        """Return the legal actions, always the same."""
        return self._mask

    def state_dict(self) -> dict[str, Any]:
        """Return no state: there is none."""
        return {}

    def load_state_dict(self, state: Any) -> np.ndarray:
        """Load nothing: there is no state."""
        return self._observation


def null_learner(config: Config, policy: Any) -> MaskablePPO:
    """Make a `MaskablePPO` with the settings of a config on a null environment."""
    arguments = learner_arguments(config)
    if policy is LeanMaskablePolicy:
        arguments["policy_kwargs"]["is_bfloat16"] = config.is_bfloat16
    return MaskablePPO(policy, NullVecEnv(config.num_envs), **arguments)


def self_play_figures(updates: int, rounds: int) -> list[Figure]:
    """Return the `training_figures` of the 2022 edition's config."""
    return training_figures(_read(_CONFIG), updates, rounds)


def training_figures(config: Config, updates: int, rounds: int) -> list[Figure]:
    """Measure decisions trained on per second beside both null limits, in alternating rounds."""
    learner, league = make_learner(config)
    lean, stock = null_learner(config, LeanMaskablePolicy), null_learner(config, "MlpPolicy")
    decisions = updates * config.num_envs * config.ppo.n_steps

    def rate_of(contestant: MaskablePPO, callback: BaseCallback | None) -> float:
        start = time.perf_counter()
        contestant.learn(decisions, callback=callback, reset_num_timesteps=False)
        return decisions / (time.perf_counter() - start)

    candidates = [partial(rate_of, learner, league)]
    candidates += [partial(rate_of, each, None) for each in (lean, stock)]
    ours, *limits = alternate(candidates, rounds)
    names = ("MaskablePPO on a null env, lean masks", "MaskablePPO on a null env")
    return [
        Figure("training", ours, "decisions/s", name, limit)
        for name, limit in zip(names, limits, strict=True)
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training", description=__doc__)
    parser.add_argument("config", type=Path, nargs="?", default=_CONFIG)
    parser.add_argument("--updates", type=int, default=4, help="updates of each in a round")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which medians are shown")
    options = parser.parse_args()
    config = _read(options.config)
    for figure in training_figures(config, options.updates, options.rounds):
        print(
            f"{options.config}: {figure.rate:,.0f} {figure.unit}; {figure.reference} "
            f"{figure.reference_rate:,.0f}; ratio {figure.ratio:.2f}"
        )
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def _read(path: Path) -> Config:
    return make_config(yaml.safe_load(path.read_text()), {}, str(path))


if __name__ == "__main__":
    main()
