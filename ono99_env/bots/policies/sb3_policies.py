"""Tell the policies of Stable-Baselines3 apart, and compute their logits or action values."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.messages.extras import brought_by
from ono99_env.rules.cards import NUM_ACTIONS

with brought_by("train", "ono99_env.bots.policies.sb3_policies"):
    import torch
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from sb3_contrib.common.recurrent.policies import RecurrentActorCriticPolicy
    from sb3_contrib.qrdqn.policies import QRDQNPolicy
    from stable_baselines3.common.policies import ActorCriticPolicy
    from stable_baselines3.dqn.policies import DQNPolicy
    from torch import Tensor


RECURRENT = "is a recurrent model: a bot keeps no memory between its turns"


def algorithm_of(policy_class: Any, settings: Any) -> tuple[str, str] | None:
    """Return package and class of the algorithm of a policy class; None if it is not supported.

    Args:
        policy_class: The class, which may be derived from one of Stable-Baselines3.
        settings: The names of the algorithm's settings: PPO and A2C share their policies.

    Raises:
        ValueError: If it is a recurrent one.
    """
    if not isinstance(policy_class, type):
        return None
    if issubclass(policy_class, RecurrentActorCriticPolicy):
        raise ValueError(RECURRENT)
    if issubclass(policy_class, MaskableActorCriticPolicy):
        return "sb3_contrib", "MaskablePPO"
    if issubclass(policy_class, QRDQNPolicy):
        return "sb3_contrib", "QRDQN"
    if issubclass(policy_class, DQNPolicy):
        return "stable_baselines3", "DQN"
    if issubclass(policy_class, ActorCriticPolicy):
        return "stable_baselines3", "PPO" if "clip_range" in settings else "A2C"
    return None


def is_masked(policy: Any) -> bool:
    """Return whether a policy takes masks."""
    return isinstance(policy, MaskableActorCriticPolicy)


def is_of_values(policy: Any) -> bool:
    """Return whether a policy computes values of actions instead of probabilities."""
    return isinstance(policy, DQNPolicy | QRDQNPolicy)


def action_values(policy: Any, observation: Tensor) -> Tensor:
    """Return the value of every action by such a policy, shape (batch, 17)."""
    if isinstance(policy, QRDQNPolicy):
        quantiles: Tensor = policy.quantile_net(observation)
        return quantiles.mean(dim=1)
    values: Tensor = policy.q_net(observation)
    return values


def scores(
    policy: Any, observation: NDArray[np.float32], mask: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """Return the log-probability or the value of every action, shape (batch, 17).

    Args:
        policy: A policy of a supported algorithm.
        observation: As the policy sees it, shape (batch, features).
        mask: Shape (batch, 17); policies without masks ignore it.

    Raises:
        ValueError: If torch refuses what the policy computes, as numbers that are not finite.
    """
    with torch.no_grad():
        tensor = torch.tensor(observation, device=policy.device)  # a copy: it may be read-only
        if is_of_values(policy):
            found = action_values(policy, tensor)
        else:
            masks = {"action_masks": mask} if is_masked(policy) else {}
            distribution = policy.get_distribution(tensor, **masks)
            actions = torch.arange(NUM_ACTIONS, device=policy.device).expand(len(tensor), -1)
            found = torch.stack([distribution.log_prob(each) for each in actions.T], dim=1)
    result: NDArray[np.float32] = found.float().cpu().numpy()
    return result
