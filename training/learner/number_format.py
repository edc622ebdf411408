"""Which number format the hidden layers of a run compute in: the faster one on this machine.

Whether bfloat16 or float32 is faster depends on the instructions of the processor and on the size
of the networks, so a run with the format ``auto`` tries both on a step of its own update.
"""

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import torch

from ono99_env.envs.spaces import ActionSpace, observation_space
from ono99_env.observation.layout import OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS
from training.config.config import Config
from training.learner.learner_settings import learner_arguments
from training.self_play.distribution import LeanMaskablePolicy

FIELD = "number_format"
"""The field of a config that names the format."""

AUTO = "auto"
"""The format of a config that leaves the choice to the machine."""

FORMATS = ("float32", "bfloat16")
"""What can be chosen; of equally fast formats the first is."""

_SECONDS = 1.0
"""How long both are tried together, at least one step of each."""

AnyConfig = TypeVar("AnyConfig", bound=Config)

Measure = Callable[[Config], Mapping[str, float]]
"""Returns the seconds that a step of the update of a run takes in each format."""


def measure_formats(config: Config) -> dict[str, float]:
    """Return the seconds that a gradient step takes in each of the `FORMATS`, the least of several.

    The random generators are left as they are; PyTorch's threads are set for the process.

    Args:
        config: The run whose networks and batches are tried, on its device.

    Raises:
        UsageError: If the device is not there.
    """
    seconds = dict.fromkeys(FORMATS, float("inf"))
    with torch.random.fork_rng():
        steps = {name: _make_step(config, name) for name in FORMATS}
        end = time.perf_counter() + _SECONDS
        while True:
            for name, step in steps.items():
                start = time.perf_counter()
                step()
                seconds[name] = min(seconds[name], time.perf_counter() - start)
            if time.perf_counter() >= end:
                return seconds


def settle_number_format(config: AnyConfig, measure: Measure) -> tuple[AnyConfig, str]:
    """Return a config that says which format to compute in, and a sentence about a choice.

    Args:
        config: The config of a run.
        measure: Times both formats, such as `measure_formats`; called only for the format ``auto``
            in self-play, for plain training is done in float32.

    Returns:
        The config, unchanged if it says it already; the sentence, empty if nothing was measured.
    """
    if config.number_format != AUTO:
        return config, ""
    if config.self_play is None:
        return _with_format(config, FORMATS[0]), ""
    seconds = measure(config)
    chosen = min(FORMATS, key=lambda name: seconds[name])
    times = ", ".join(f"{name} {1000 * seconds[name]:.1f} ms" for name in FORMATS)
    sentence = f"number_format: {chosen} is the faster here (a gradient step: {times})."
    return _with_format(config, chosen), sentence


def keep_number_format(config: AnyConfig, saved: Mapping[str, Any]) -> AnyConfig:
    """Return a config with the format that a run has computed in, where it leaves the choice.

    Args:
        config: The config to go on with.
        saved: The config in the run's checkpoint.
    """
    return _with_format(config, saved.get(FIELD, AUTO)) if config.number_format == AUTO else config


def _with_format(config: AnyConfig, name: str) -> AnyConfig:
    return config.model_copy(update={FIELD: name})


def _make_step(config: Config, number_format: str) -> Callable[[], None]:
    """Return a function that takes a gradient step on a batch of the size of the run's."""
    arguments = learner_arguments(config)
    device, rows = arguments["device"], config.ppo.batch_size
    policy = LeanMaskablePolicy(
        observation_space(),
        ActionSpace(),
        arguments["learning_rate"],
        number_format=number_format,
        **arguments["policy_kwargs"],
    ).to(device)
    observations = torch.rand(rows, OBSERVATION_SIZE, device=device)
    masks = torch.ones(rows, NUM_ACTIONS, dtype=torch.bool, device=device)
    actions = torch.zeros(rows, dtype=torch.int64, device=device)

    def step() -> None:
        values, log_probabilities, entropy = policy.evaluate_actions(observations, actions, masks)
        assert entropy is not None
        policy.optimizer.zero_grad()
        loss = values.square().mean() - log_probabilities.mean() - entropy.mean()
        loss.backward()  # type: ignore[no-untyped-call]
        policy.optimizer.step()
        if device.type == "cuda":
            torch.cuda.synchronize(device)

    return step
