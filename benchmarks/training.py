"""How fast a learner trains beside the same update on an environment that returns at once.

``python -m benchmarks.training [CONFIG]`` trains, alternating in one process: the learner of the
config; `MaskablePPO` with the same networks and settings on a null environment of the same shapes;
an unmodified `MaskablePPO`, in float32, with its default masked distribution there; and the bare
matrix products of the update, in the number format of the run.
"""

import argparse
import resource
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from benchmarks.timing import Figure, alternate
from ono99_env.envs.sb3 import TablesVecEnv
from ono99_env.envs.spaces import ActionSpace, observation_space
from ono99_env.observation.layout import FEATURES
from ono99_env.rules.cards import NUM_ACTIONS
from training.config.command_line import make_config
from training.config.config import Config
from training.learner.learner import make_learner
from training.learner.learner_settings import learner_arguments
from training.learner.number_format import FORMATS, measure_formats, settle_number_format
from training.self_play.distribution import LeanMaskablePolicy

_CONFIG = Path("configs/2022.yaml")

Pair = tuple[torch.Tensor, torch.Tensor]
"""Two matrices to multiply."""


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
        arguments["policy_kwargs"]["number_format"] = config.number_format
    return MaskablePPO(policy, NullVecEnv(config.num_envs), **arguments)


class MatrixProducts:
    """The matrix products of the hidden layers in an update, and nothing else.

    Args:
        config: The run, of a settled number format.
    """

    def __init__(self, config: Config) -> None:
        learner_arguments(config)  # sets the threads
        self._config = config
        sizes = (sum(FEATURES[name].size for name in config.features), *config.net_arch)
        numbers = getattr(torch, config.number_format)
        self._forward, self._backward = list[Pair](), list[Pair]()
        rows = config.ppo.batch_size
        for inner, outer in pairwise(sizes):
            shapes = [((rows, inner), (inner, outer)), ((inner, rows), (rows, outer))]
            if inner != sizes[0]:  # nothing needs the gradient of the observation
                shapes.append(((rows, outer), (outer, inner)))
            pairs = [
                (torch.rand(a, dtype=numbers), torch.rand(b, dtype=numbers)) for a, b in shapes
            ]
            # The policy network and the value network.
            self._forward += 2 * pairs[:1]
            self._backward += 2 * pairs[1:]

    @property
    def operations(self) -> int:
        """Multiplications and additions in an update."""
        return sum(
            steps * 2 * left.shape[0] * left.shape[1] * right.shape[1]
            for steps, pairs in self._passes()
            for left, right in pairs
        )

    @property
    def name(self) -> str:
        """What a figure calls them."""
        return (
            f"bare {self._config.number_format} matrix products, "
            f"{self.operations / 1e9:.0f} billion operations an update"
        )

    def rate(self, updates: int) -> float:
        """Compute the products of some updates; return decisions per second."""
        start = time.perf_counter()
        for steps, pairs in updates * self._passes():
            for left, right in steps * pairs:
                left @ right
        decisions = updates * self._config.num_envs * self._config.ppo.n_steps
        return decisions / (time.perf_counter() - start)

    def _passes(self) -> list[tuple[int, list[Pair]]]:
        """Return how often an update makes which products: playing, then learning."""
        ppo = self._config.ppo
        batches = self._config.num_envs * ppo.n_steps // ppo.batch_size
        return [(batches, self._forward), (batches * ppo.n_epochs, self._forward + self._backward)]


def self_play_figures(updates: int, rounds: int) -> list[Figure]:
    """Return the `training_figures` of the 2022 edition's config."""
    return training_figures(_read(_CONFIG), updates, rounds)


def training_figures(config: Config, updates: int, rounds: int) -> list[Figure]:
    """Measure decisions trained on per second beside both null limits, in alternating rounds."""
    config, _ = settle_number_format(config, measure_formats)
    learner, league = make_learner(config)
    lean, stock = null_learner(config, LeanMaskablePolicy), null_learner(config, "MlpPolicy")
    products = MatrixProducts(config)
    decisions = updates * config.num_envs * config.ppo.n_steps

    def rate_of(contestant: MaskablePPO, callback: BaseCallback | None) -> float:
        start = time.perf_counter()
        contestant.learn(decisions, callback=callback, reset_num_timesteps=False)
        return decisions / (time.perf_counter() - start)

    candidates = [partial(rate_of, learner, league)]
    candidates += [partial(rate_of, each, None) for each in (lean, stock)]
    candidates += [partial(products.rate, updates)]
    ours, *limits = alternate(candidates, rounds)
    names = ("MaskablePPO on a null env, lean masks", "MaskablePPO on a null env", products.name)
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
    parser.add_argument("--number_format", choices=("auto", *FORMATS), default="auto")
    options = parser.parse_args()
    config = _read(options.config).model_copy(update={"number_format": options.number_format})
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
