"""Writing a trained policy as a bot file: one ONNX file that onnxruntime alone can play."""

import copy
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from torch import Tensor, nn

from ono99_env.bots.files import BotMetadata, with_metadata, write_atomically
from ono99_env.bots.onnx import OnnxBot
from ono99_env.cards import NUM_ACTIONS
from ono99_env.features import OBSERVATION_SIZE

if TYPE_CHECKING:
    import onnx

OPERATOR_SET = 18
"""The one that torch writes without conversion, in every version from 2.8 on."""

TOLERANCE = 1e-4
"""How much the file may differ from the policy, relative to the largest output (at least 1)."""

_CHECKED_OBSERVATIONS = 256


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


def export_network(network: PolicyNetwork, path: str | Path, metadata: BotMetadata) -> None:
    """Write the copy of a policy as `export_bot` writes a policy.

    Raises:
        ValueError: If the path does not end in ``.onnx``; nothing is written.
        RuntimeError: If the file does not compute what the network does; nothing is written.
    """
    path = Path(path)
    if path.suffix != ".onnx":
        raise ValueError(f"the name of a bot file ends in .onnx, and {path.name!r} does not")
    write_atomically(path, bot_file(export_model(network), network, metadata))


def bot_file(model: "onnx.ModelProto", network: PolicyNetwork, metadata: BotMetadata) -> bytes:
    """The content of a bot file, of which it is known that it computes what the network does.

    Args:
        model: The exported network.
        network: The network.
        metadata: What the file says about itself.

    Raises:
        RuntimeError: If it computes something else.
    """
    content = with_metadata(model.SerializeToString(), metadata)
    _compare(network, OnnxBot.from_bytes(content, "the exported bot"))
    return content


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
    for name, weights in policy.named_parameters():
        if not torch.isfinite(weights).all():
            raise ValueError(f"the policy's {name} holds numbers that are not finite: it diverged")


def export_model(network: PolicyNetwork) -> "onnx.ModelProto":
    """The network as an ONNX model, without metadata; takes seconds."""
    example = (torch.zeros(2, OBSERVATION_SIZE), torch.ones(2, NUM_ACTIONS, dtype=torch.bool))
    batch = torch.export.Dim("batch")
    with _quiet():
        program = torch.onnx.export(
            network,
            example,
            dynamo=True,
            external_data=False,
            opset_version=OPERATOR_SET,
            input_names=["observation", "action_mask"],
            output_names=["logits", "value"],
            dynamic_shapes=({0: batch}, {0: batch}),
            verbose=False,
        )
    if program is None:
        raise RuntimeError("torch.onnx.export returned no program")
    return _without_traces(program.model_proto)


def _without_traces(model: "onnx.ModelProto") -> "onnx.ModelProto":
    """Drop the exporter's notes: they hold source lines and paths of this machine."""
    graph = model.graph
    for part in [graph, *graph.node, *graph.input, *graph.output, *graph.value_info]:
        del part.metadata_props[:]
        part.doc_string = ""
    return model


def _compare(network: PolicyNetwork, bot: OnnxBot) -> None:
    """Refuse a file that does not compute what the policy does."""
    rng = np.random.default_rng(0)
    observation = rng.uniform(-1, 1, (_CHECKED_OBSERVATIONS, OBSERVATION_SIZE)).astype(np.float32)
    mask = rng.random((_CHECKED_OBSERVATIONS, NUM_ACTIONS)) < 0.5
    logits, value = bot.evaluate(observation, mask)
    with torch.no_grad():
        wanted = network(torch.from_numpy(observation), torch.from_numpy(mask))
    wanted_logits, wanted_value = (output.numpy() for output in wanted)
    pairs = {
        "logits": (logits[mask], wanted_logits[mask]),
        "value": (value, wanted_value),
    }
    for name, (found, expected) in pairs.items():
        difference = np.abs(found - expected).max()
        # Written so that a difference that is not a number is refused too.
        if not difference <= TOLERANCE * max(1.0, np.abs(expected).max()):
            raise RuntimeError(
                f"the exported {name} differ from the policy's by {difference:.2g}: the exporter "
                "made another network of it, so no file was written"
            )


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the exporter's notes to its own developers from the user."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
