"""The networks of PyTorch that are exported as bot files."""

import copy

import numpy as np

from ono99_env.bots.policies.normalization import Normalization
from ono99_env.messages.extras import brought_by

with brought_by("train", "the export of bots"):
    import torch
    from torch import Tensor, nn


class BotNetwork(nn.Module):
    """The network that a bot file holds: observation and mask in, logits and value out.

    Args:
        policy: From observations, shape (batch, 466), to the logits or values of actions, shape
            (batch, 17).
        value: From observations to expected returns, shape (batch,) or (batch, 1).
    """

    def __init__(self, policy: nn.Module, value: nn.Module | None = None) -> None:
        super().__init__()
        # One copy of both, so that what they share stays shared.
        self.policy, self.value = copy.deepcopy((policy, value))
        self.cpu().eval()

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Compute the outputs of a bot file.

        Args:
            observation: Shape (batch, features), float32.
            action_mask: Shape (batch, 17), bool.

        Returns:
            Logits, shape (batch, 17), illegal ones at the lowest float32; values, shape (batch,).
        """
        # A policy may itself give what it never plays minus infinity.
        lowest = torch.finfo(torch.float32).min
        logits = self.policy(observation).clamp(min=lowest)
        value = observation[:, 0] * 0 if self.value is None else self.value(observation)
        return torch.where(action_mask, logits, lowest), value.flatten()


class NormalizedNetwork(nn.Module):
    """A network behind the scaling of `VecNormalize`, which is computed in float64 as there.

    Args:
        network: With the inputs and outputs of a `BotNetwork`; it sees scaled observations.
        normalization: The statistics.
    """

    mean: Tensor
    deviation: Tensor

    def __init__(self, network: nn.Module, normalization: Normalization) -> None:
        super().__init__()
        self.network = network
        self.limit, self.return_scale = normalization.limit, normalization.return_scale
        self.register_buffer("mean", torch.from_numpy(normalization.mean.astype(np.float64)))
        self.register_buffer(
            "deviation", torch.from_numpy(normalization.deviation.astype(np.float64))
        )

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        """See `BotNetwork.forward`."""
        scaled = (observation.double() - self.mean) / self.deviation
        if self.limit < float("inf"):
            scaled = scaled.clamp(-self.limit, self.limit)
        logits, value = self.network(scaled.float(), action_mask)
        return logits, value * self.return_scale
