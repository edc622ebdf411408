"""The arguments of `MaskablePPO` that a config stands for."""

from typing import Any

import torch
from stable_baselines3.common.utils import LinearSchedule
from torch import nn

from ono99_env.messages.errors import UsageError
from training.config.config import Config
from training.networks.layers import ChosenFeatures

_EPISODES_IN_MEAN = 10_000


def learner_arguments(config: Config) -> dict[str, Any]:
    """Return the arguments of `MaskablePPO` in a config; sets PyTorch's threads for the process.

    Raises:
        UsageError: If the device is not there.
    """
    torch.set_num_threads(config.num_threads)
    # The masked distribution is made anew for every batch, and checking it each time is slow.
    torch.distributions.Distribution.set_default_validate_args(False)
    return {
        "learning_rate": _learning_rate(config),
        "seed": config.seed,
        "device": _device(config),
        "stats_window_size": _EPISODES_IN_MEAN,
        "policy_kwargs": _network(config),
        **config.ppo.model_dump(exclude={"learning_rate", "final_learning_rate"}),
    }


def _learning_rate(config: Config) -> LinearSchedule:
    start, end = config.ppo.learning_rate, config.ppo.final_learning_rate
    return LinearSchedule(start, start if end is None else end, end_fraction=1.0)


def _network(config: Config) -> dict[str, Any]:
    return {
        "net_arch": list(config.net_arch),
        "activation_fn": nn.ReLU,
        "features_extractor_class": ChosenFeatures,
        "features_extractor_kwargs": {"names": config.features},
    }


def _device(config: Config) -> torch.device:
    if config.device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(0, device=config.device)
    except (AssertionError, RuntimeError) as error:
        raise UsageError(f"device: {config.device!r} cannot be used: {error}") from error
    return torch.device(config.device)
