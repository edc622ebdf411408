"""The network of `training.train` as an RLModule."""

import logging
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch.torch_rl_module import TorchRLModule
from torch import Tensor, nn

from ono99_env.envs.spaces import ActionSpace, observation_space
from training.networks.layers import ChosenFeatures
from training.self_play.distribution import ILLEGAL_LOGIT, LeanMaskablePolicy

# RLlib warns its users of what it does itself.
logging.getLogger("ray._common.deprecation").setLevel(logging.ERROR)

ACTION_MASK = "action_mask"
"""Column of a batch with what is legal, shape (batch, 17)."""


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Policy and value network that give illegal actions no probability.

    A batch holds under ``obs`` the chosen features only (see `choose`), so that the rest of the
    observation does not travel from the machines that play to those that learn.

    ``model_config`` has the fields ``features``, ``net_arch`` and ``number_format`` of the config.
    """

    def setup(self) -> None:
        """See `RLModule.setup`."""
        config = self.model_config
        self.policy = LeanMaskablePolicy(
            observation_space(),
            ActionSpace(),
            lambda progress: 0.0,
            net_arch=list(config["net_arch"]),
            activation_fn=nn.ReLU,
            features_extractor_class=ChosenFeatures,
            features_extractor_kwargs={"names": tuple(config["features"])},
            number_format=config["number_format"],
        )
        """The policy of `training.train`: snapshots and bot files are made of it."""

    def choose(self, observation: Tensor) -> Tensor:
        """Pick the features that the networks read.

        Args:
            observation: Shape (batch, `OBSERVATION_SIZE`).

        Returns:
            Shape (batch, chosen features).
        """
        chosen: Tensor = self.policy.features_extractor(observation)
        return chosen

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        hidden, value_hidden = self.policy.mlp_extractor(batch[Columns.OBS])
        logits = self.policy.action_net(hidden)
        return {
            Columns.ACTION_DIST_INPUTS: logits.masked_fill(
                ~batch[ACTION_MASK].bool(), ILLEGAL_LOGIT
            ),
            Columns.EMBEDDINGS: value_hidden,
        }

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """See `ValueFunctionAPI.compute_values`."""
        if embeddings is None:
            embeddings = self.policy.mlp_extractor.forward_critic(batch[Columns.OBS])
        values: Tensor = self.policy.value_net(embeddings)
        return values.squeeze(-1)


def quick_distributions() -> None:
    """Leave out a check of every distribution that is made, which takes longer than making it."""
    torch.distributions.Distribution.set_default_validate_args(False)
