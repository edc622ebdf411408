"""Write a policy of `MaskablePPO` as a bot file.

For other networks see `ono99_env.bots.policies.torch_export`.
"""

import copy
from pathlib import Path

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import Tensor, nn

from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.torch_export import check_finite, export_network
from ono99_env.observation.layout import OBSERVATION_SIZE


class PolicyNetwork(nn.Module):
    """What a bot file holds of a policy: observation and mask in, logits and value out.

    Args:
        policy: The policy, whose networks are copied.
    """

    def __init__(self, policy: MaskableActorCriticPolicy) -> None:
        super().__init__()
        # One copy of all parts, so that what the policy and the value share stays shared.
        copied = copy.deepcopy(parts_of(policy))
        self.policy_features, self.value_features, self.hidden = copied[:3]
        self.policy_head, self.value_head = copied[3:]
        self.shares_features = policy.share_features_extractor
        self.cpu().eval()

    @property
    def parts(self) -> tuple[nn.Module, ...]:
        """The copies of the policy's parts, in the order of `parts_of`."""
        return (
            *(self.policy_features, self.value_features, self.hidden),
            *(self.policy_head, self.value_head),
        )

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Compute the outputs of a bot file.

        Args:
            observation: Shape (batch, features), float32.
            action_mask: Shape (batch, 17), bool.

        Returns:
            Logits, shape (batch, 17), illegal ones at the lowest float32; values, shape (batch,).
        """
        features = self.policy_features(observation)
        value_features = features if self.shares_features else self.value_features(observation)
        # The layers themselves: a file computes in float32, whatever the policy was trained in.
        logits = self.policy_head(self.hidden.policy_net(features))
        value = self.value_head(self.hidden.value_net(value_features))
        lowest = torch.finfo(torch.float32).min
        return torch.where(action_mask, logits, lowest), value.squeeze(-1)


def parts_of(
    policy: MaskableActorCriticPolicy,
) -> tuple[nn.Module, nn.Module, MlpExtractor, nn.Module, nn.Module]:
    """The parts of a policy that a `PolicyNetwork` is made of, in the order of its `parts`."""
    return (
        *(policy.pi_features_extractor, policy.vf_features_extractor, policy.mlp_extractor),
        *(policy.action_net, policy.value_net),
    )


def export_bot(policy: MaskableActorCriticPolicy, path: str | Path, metadata: BotMetadata) -> None:
    """Write a policy as a bot file, after comparing what the file computes with the policy.

    The first call of a process takes some seconds, most of it to import the exporter.

    Args:
        policy: A trained policy on any device; it is not changed.
        path: Where the file goes, ending in ``.onnx``; an older file there is replaced at once.
        metadata: What the file says about itself.

    Raises:
        ValueError: If the policy is not for this game, its weights are not finite numbers, or the
            path does not end in ``.onnx``; nothing is written.
        RuntimeError: If the file does not compute what the policy does; nothing is written.
    """
    check_policy(policy)
    export_network(PolicyNetwork(policy), path, metadata)


def check_policy(policy: MaskableActorCriticPolicy) -> None:
    """Refuse a policy that cannot be a bot.

    Raises:
        ValueError: If it is not for this game, or its weights are not finite numbers.
    """
    shape = policy.observation_space.shape
    if shape != (OBSERVATION_SIZE,):
        raise ValueError(
            f"the policy reads observations of shape {shape}, and those of this version have "
            f"shape ({OBSERVATION_SIZE},)"
        )
    check_finite(policy)
