"""Layers of the networks: the choice of features, and hidden layers in bfloat16."""

from collections.abc import Sequence

import torch
from gymnasium.spaces import Space
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor

from ono99_env.observation.layout import FEATURES


class ChosenFeatures(BaseFeaturesExtractor):
    """Passes on the slices of the observation that hold the chosen features.

    The observation stays whole outside, so environments, bots and bot files need not know which
    features a network reads.

    Args:
        observation_space: Vectors with the layout of `FEATURES`.
        names: Features to read, in the order of `FEATURES`.
    """

    def __init__(self, observation_space: Space[object], names: Sequence[str]) -> None:
        super().__init__(observation_space, sum(FEATURES[name].size for name in names))
        self._slices = _merge_adjacent(names)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Select the features: (batch, `OBSERVATION_SIZE`) to (batch, `features_dim`)."""
        return torch.cat([observations[:, part] for part in self._slices], dim=1)


class Bfloat16Layers(MlpExtractor):
    """Hidden layers that compute in bfloat16; weights, gradients and outputs stay float32.

    Processors with AMX or AVX-512 BF16 train faster so, others many times slower. What needs
    precision, the last layers, the loss and the optimiser's steps, is computed in float32.
    """

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Compute the policy's last hidden layer, float32."""
        with torch.autocast(features.device.type, torch.bfloat16):
            hidden = super().forward_actor(features)
        return hidden.float()

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Compute the value network's last hidden layer, float32."""
        with torch.autocast(features.device.type, torch.bfloat16):
            hidden = super().forward_critic(features)
        return hidden.float()


LAYERS: dict[str, type[MlpExtractor]] = {"float32": MlpExtractor, "bfloat16": Bfloat16Layers}
"""The hidden layers that compute in each number format."""


def _merge_adjacent(names: Sequence[str]) -> list[slice]:
    """Return the slices of the features, with adjacent ones merged: fewer copies in each pass."""
    slices: list[slice] = []
    for name in names:
        part = FEATURES[name].slice
        if slices and slices[-1].stop == part.start:
            slices[-1] = slice(slices[-1].start, part.stop)
        else:
            slices.append(part)
    return slices
