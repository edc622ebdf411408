"""A masked categorical distribution that is computed once.

`sb3_contrib` builds a `torch.distributions.Categorical` of all actions, then another one of the
legal actions for every mask. This one takes the softmax of the legal logits directly: the same
numbers, up to rounding, for a quarter of the time.
"""

from typing import Any, Self

import torch
from gymnasium.spaces import Discrete
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from training.networks.layers import LAYERS

ILLEGAL_LOGIT = -1e8
"""Logit of an illegal action, as in `sb3_contrib`: its probability is exactly 0."""


class LeanMaskedCategorical(MaskableCategoricalDistribution):
    """One action of several, of which a mask says which are legal.

    Args:
        action_dim: How many actions there are.
    """

    def proba_distribution(self, action_logits: Tensor) -> Self:
        """Set the logits, shape (batch, actions); all actions are legal until `apply_masking`."""
        self._unmasked = action_logits
        self.apply_masking(None)
        return self

    def apply_masking(self, masks: Any) -> None:
        """Make illegal what a mask leaves out.

        Args:
            masks: Array or tensor of shape (batch, actions), nonzero where legal; None: all legal.
        """
        logits = self._unmasked
        if masks is not None:
            masks = torch.as_tensor(masks, dtype=torch.bool, device=logits.device)
            logits = logits.masked_fill(~masks.view_as(logits), ILLEGAL_LOGIT)
        self._logits = logits

    def log_prob(self, actions: Tensor) -> Tensor:
        """Log-probabilities of actions, shape (batch,)."""
        log_probabilities = torch.log_softmax(self._logits, dim=1)
        return log_probabilities.gather(1, actions.long().view(-1, 1)).squeeze(1)

    def entropy(self) -> Tensor:
        """Return the entropy of each distribution in nats, shape (batch,)."""
        # An illegal action has probability 0 and a finite log-probability: it adds nothing.
        # Softmax again, for `exp` is slow where the result underflows.
        log_probabilities = torch.log_softmax(self._logits, dim=1)
        return -(torch.softmax(self._logits, dim=1) * log_probabilities).sum(dim=1)

    def sample(self) -> Tensor:
        """Draw an action of each distribution, shape (batch,)."""
        return torch.multinomial(torch.softmax(self._logits, dim=1), 1).squeeze(1)

    def mode(self) -> Tensor:
        """Return the most probable action of each distribution, shape (batch,)."""
        return self._logits.argmax(dim=1)


class LeanMaskablePolicy(MaskableActorCriticPolicy):
    """The policy of `sb3_contrib` with the lean distribution; weights are interchangeable.

    Args:
        *args: See `MaskableActorCriticPolicy`.
        number_format: What the hidden layers compute in, "float32" or "bfloat16".
        **kwargs: See `MaskableActorCriticPolicy`.
    """

    def __init__(self, *args: Any, number_format: str = "float32", **kwargs: Any) -> None:
        self._number_format = number_format
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        assert isinstance(self.action_space, Discrete)
        self.action_dist = LeanMaskedCategorical(int(self.action_space.n))
        super()._build(lr_schedule)

    def _build_mlp_extractor(self) -> None:
        layers = LAYERS[self._number_format]
        self.mlp_extractor = layers(
            self.features_dim, self.net_arch or [], self.activation_fn, self.device
        )
