"""Start a run from the networks of a bot file."""

from collections.abc import Mapping
from typing import Any

from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor

from ono99_env import load_bot
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.messages.errors import UsageError
from training.config.config import Config
from training.networks.bot_file_weights import read_weights
from training.networks.policy_network import PolicyNetwork, parts_of


def take_networks(policy: MaskableActorCriticPolicy, config: Config) -> None:
    """Put the networks of the bot file ``init_from`` into a policy.

    Args:
        policy: A new policy.
        config: The config that it was made with.

    Raises:
        UsageError: If there is no such file, or its networks are others than the config describes.
    """
    assert config.init_from is not None
    bot = _open(config.init_from)
    made_with = bot.metadata.training.get("config") or {}
    _check_same(made_with, config)
    network = PolicyNetwork(policy)
    weights = _complete(read_weights(bot.content), network.state_dict())
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        raise UsageError(f"init_from: the networks of {bot.name} do not fit: {error}") from error
    for part, source in zip(parts_of(policy), network.parts, strict=True):
        part.load_state_dict(source.state_dict())


def _open(name: str) -> OnnxBot:
    try:
        bot = load_bot(name)
    except (ValueError, OSError) as error:
        raise UsageError(f"init_from: {error}") from error
    assert isinstance(bot, OnnxBot)  # or the config would not be valid
    return bot


def _check_same(made_with: Mapping[str, Any], config: Config) -> None:
    """Refuse networks that read other features or have other layers."""
    for field in ("features", "net_arch"):
        theirs, ours = made_with.get(field), list(getattr(config, field))
        if theirs != ours:
            raise UsageError(
                f"init_from: the networks of {config.init_from} were made with {field} {theirs}, "
                f"and the config says {ours}. Give the config the {field} of the file."
            )


def _complete(weights: dict[str, Tensor], expected: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights, with the biases that a file leaves out where they are all zero."""
    left_out = {
        name: tensor.new_zeros(tensor.shape)
        for name, tensor in expected.items()
        if name.endswith("bias") and name not in weights
    }
    return {**weights, **left_out}
