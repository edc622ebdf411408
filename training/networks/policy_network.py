"""Write policies of Stable-Baselines3 as bot files.

For other networks see `ono99_env.bots.policies.torch_export`.
"""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.recurrent.policies import RecurrentActorCriticPolicy
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.policies import ActorCriticPolicy, BasePolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import Tensor, nn

from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.bots.policies.bot_network import BotNetwork, NormalizedNetwork
from ono99_env.bots.policies.export_comparison import Outputs, Reference
from ono99_env.bots.policies.normalization import Normalization, check_space
from ono99_env.bots.policies.sb3_policies import (
    RECURRENT,
    action_values,
    is_masked,
    is_of_values,
    scores,
)
from ono99_env.bots.policies.torch_export import check_finite, evaluation_mode, export_network
from ono99_env.rules.cards import NUM_ACTIONS
from training.networks.layers import Bfloat16Layers


class PolicyNetwork(nn.Module):
    """The part of a policy that a bot file holds: observation and mask in, logits and value out.

    Args:
        policy: The policy, whose networks are copied.
    """

    def __init__(self, policy: MaskableActorCriticPolicy | ActorCriticPolicy) -> None:
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
            self.policy_features,
            self.value_features,
            self.hidden,
            self.policy_head,
            self.value_head,
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


class _ActionValues(nn.Module):
    """The values of actions by a policy of DQN or QRDQN."""

    def __init__(self, policy: BasePolicy) -> None:
        super().__init__()
        self.policy = policy

    def forward(self, observation: Tensor) -> Tensor:
        return action_values(self.policy, observation)


def parts_of(
    policy: MaskableActorCriticPolicy | ActorCriticPolicy,
) -> tuple[nn.Module, nn.Module, MlpExtractor, nn.Module, nn.Module]:
    """Return the parts of a policy that a `PolicyNetwork` is made of, in the order of `parts`."""
    return (
        policy.pi_features_extractor,
        policy.vf_features_extractor,
        policy.mlp_extractor,
        policy.action_net,
        policy.value_net,
    )


def export_bot(
    source: BasePolicy | BaseAlgorithm,
    path: str | Path,
    metadata: BotMetadata,
    normalization: Normalization | None = None,
) -> None:
    """Write a policy as a bot file, after comparing what the file computes with the policy itself.

    It may be of MaskablePPO, PPO, A2C, DQN or QRDQN, or of a class derived from theirs. The first
    call of a process takes some seconds, most of it to import the exporter.

    Args:
        source: A trained policy on any device, or a model that has one; it is not changed.
        path: Where the file goes, ending in ``.onnx``; an older file there is replaced at once.
        metadata: What the file says about itself.
        normalization: The statistics of the ``VecNormalize`` that it was trained behind; default:
            those of the model's environment, if it has such a wrapper.

    Raises:
        ValueError: If the policy is not for this game or of a kind that a bot file cannot hold, its
            weights are not finite numbers, or the path does not end in ``.onnx``; nothing is
            written.
        RuntimeError: If the file does not compute what the policy does; nothing is written.
    """
    policy = source.policy if isinstance(source, BaseAlgorithm) else source
    if normalization is None and isinstance(source, BaseAlgorithm):
        wrapper = source.get_vec_normalize_env()
        normalization = None if wrapper is None else Normalization.of(wrapper)
    check_policy(policy, normalization)
    network = _network_of(policy)
    if normalization is not None:
        network = NormalizedNetwork(network, normalization)
    export_network(network, path, metadata, reference_of_policy(policy, normalization))


def _network_of(policy: BasePolicy) -> nn.Module:
    if is_of_values(policy):
        return BotNetwork(_ActionValues(policy))
    try:
        return PolicyNetwork(policy)  # type: ignore[arg-type] # checked by `check_policy`
    except Exception as error:  # whatever a class of the user's own lacks
        raise ValueError(
            f"{type(policy).__name__} is not made of the parts of a policy of Stable-Baselines3 "
            f"({type(error).__name__}: {error}); write its networks with export_policy of "
            "ono99_env.bots.policies.torch_export"
        ) from error


def check_policy(policy: BasePolicy, normalization: Normalization | None = None) -> None:
    """Refuse a policy that cannot be a bot.

    Args:
        policy: The policy.
        normalization: How observations are scaled before the policy sees them.

    Raises:
        ValueError: If it is of a kind that a bot file cannot hold, it is not for this game, or its
            weights are not finite numbers.
    """
    name = type(policy).__name__
    if isinstance(policy, RecurrentActorCriticPolicy):
        raise ValueError(f"{name} {RECURRENT}")
    known = is_masked(policy) or is_of_values(policy) or isinstance(policy, ActorCriticPolicy)
    if not known:
        raise ValueError(
            f"{name} is a policy of an algorithm that is not known here; known are: MaskablePPO, "
            "PPO, A2C, DQN, QRDQN"
        )
    if getattr(policy.action_space, "n", None) != NUM_ACTIONS:
        raise ValueError(f"its action space is {policy.action_space}, not Discrete({NUM_ACTIONS})")
    check_space(policy.observation_space, normalization, "the policy")
    check_finite(policy)


def reference_of_policy(
    policy: BasePolicy, normalization: Normalization | None = None
) -> Reference:
    """Return what a policy itself computes, by its own distribution, values and predictions.

    Args:
        policy: The policy.
        normalization: How observations are scaled before it sees them.
    """
    policy = _in_float32(policy)

    def see(observation: NDArray[np.float32]) -> NDArray[np.float32]:
        return observation if normalization is None else normalization.apply(observation)

    def outputs(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> Outputs:
        seen, values = see(observation), np.zeros(len(observation), np.float32)
        with evaluation_mode(policy), torch.no_grad():
            logits = scores(policy, seen, mask)
            if isinstance(policy, ActorCriticPolicy | MaskableActorCriticPolicy):
                tensor = torch.as_tensor(seen, device=policy.device)
                values = policy.predict_values(tensor).reshape(-1).cpu().numpy()
        return logits, values * (1.0 if normalization is None else normalization.return_scale)

    def actions(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
        masks: dict[str, Any] = {"action_masks": mask} if is_masked(policy) else {}
        with evaluation_mode(policy):
            chosen, _ = policy.predict(see(observation), deterministic=True, **masks)
        return np.asarray(chosen, np.int64)

    return Reference(outputs, actions, has_free_level=not is_of_values(policy))


def _in_float32(policy: BasePolicy) -> BasePolicy:
    """Return the policy with its layers in the precision of bot files; the weights are shared."""
    layers = getattr(policy, "mlp_extractor", None)
    if not isinstance(layers, Bfloat16Layers):
        return policy
    # No deep copy: the policy may hold a distribution with gradients, which cannot be copied.
    exact, exact_layers = copy.copy(policy), copy.copy(layers)
    exact_layers.__class__ = MlpExtractor  # type: ignore[assignment] # the layers are the same
    exact._modules = {**policy._modules, "mlp_extractor": exact_layers}
    return exact
