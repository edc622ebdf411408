"""A past state of the policy as a bot, kept in memory."""

import numpy as np
import torch
from numpy.typing import NDArray

from ono99_env import Bot, Views
from training.networks.policy_network import PolicyNetwork


class SnapshotBot(Bot):
    """Draws its actions from a copy of the policy, as the learner does while it learns.

    Args:
        name: What messages call it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._copy: PolicyNetwork | None = None

    @property
    def copy(self) -> PolicyNetwork:
        """The copy of the policy.

        Raises:
            RuntimeError: If none was taken yet.
        """
        if self._copy is None:
            raise RuntimeError(f"{self.name} has not been taken yet")
        return self._copy

    def become(self, copy: PolicyNetwork) -> None:
        """Play like this copy of the policy from now on, also in games in progress."""
        self._copy = copy

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`."""
        network = self.copy
        with torch.inference_mode():
            features = network.policy_features(torch.tensor(views.observation))
            logits = network.policy_head(network.hidden.forward_actor(features)).numpy()
        # The largest logit plus Gumbel noise is a draw from the softmax (Gumbel-max trick).
        scores = np.where(views.action_mask, logits + rng.gumbel(size=logits.shape), -np.inf)
        actions: NDArray[np.int64] = scores.argmax(axis=1)
        return actions
