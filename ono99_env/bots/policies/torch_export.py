"""Writing a network of PyTorch as a bot file, whichever library trained it.

Needs torch, onnx and onnxscript: the extra ``train`` has them, and any library that trains with
PyTorch brings the first.
"""

import copy
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from ono99_env.bots.policies.bot_file import BotMetadata, with_metadata, write_atomically
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.observation.layout import OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS

if TYPE_CHECKING:
    import onnx

OPERATOR_SET = 18
"""The one that torch writes without conversion, in every version from 2.8 on."""

TOLERANCE = 1e-4
"""How much the file may differ from the network, relative to the largest output (at least 1)."""

_CHECKED_OBSERVATIONS = 256


class BotNetwork(nn.Module):
    """Observation and mask in, logits and value out: what a bot file holds.

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
        logits = self.policy(observation)
        lowest = torch.finfo(torch.float32).min
        value = observation[:, 0] * 0 if self.value is None else self.value(observation)
        return torch.where(action_mask, logits, lowest), value.flatten()


def export_policy(
    policy: nn.Module,
    path: str | Path,
    metadata: BotMetadata,
    value: nn.Module | None = None,
) -> None:
    """Write a policy as a bot file, after comparing what the file computes with the policy.

    The bot plays the legal action with the largest output, or draws from their softmax. The first
    call of a process takes some seconds, most of it to import the exporter.

    Args:
        policy: A trained network on any device, from observations, shape (batch, 466), to logits or
            action values, shape (batch, 17). It need not know the mask, and is not changed.
        path: Where the file goes, ending in ``.onnx``; an older file there is replaced at once.
        metadata: What the file says about itself: the rules, the player counts, how it was trained.
        value: From observations to expected returns, shape (batch,) or (batch, 1). Bots do not need
            it; without it the file's values are all 0.

    Raises:
        ValueError: If the weights are not finite numbers, or the path does not end in ``.onnx``;
            nothing is written.
        RuntimeError: If the file does not compute what the policy does; nothing is written.
    """
    network = BotNetwork(policy, value)
    check_finite(network)
    export_network(network, path, metadata)


def export_network(network: nn.Module, path: str | Path, metadata: BotMetadata) -> None:
    """Write a network with the inputs and outputs of a `BotNetwork`, as `export_policy` does.

    Raises:
        ValueError: If the path does not end in ``.onnx``; nothing is written.
        RuntimeError: If the file does not compute what the network does; nothing is written.
    """
    path = Path(path)
    if path.suffix != ".onnx":
        raise ValueError(f"the name of a bot file ends in .onnx, and {path.name!r} does not")
    write_atomically(path, bot_file(export_model(network), network, metadata))


def bot_file(model: "onnx.ModelProto", network: nn.Module, metadata: BotMetadata) -> bytes:
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


def check_finite(network: nn.Module) -> None:
    """Refuse a network that cannot be a bot.

    Raises:
        ValueError: If its weights are not finite numbers.
    """
    for name, weights in network.named_parameters():
        if not torch.isfinite(weights).all():
            raise ValueError(f"the policy's {name} holds numbers that are not finite: it diverged")


def export_model(network: nn.Module) -> "onnx.ModelProto":
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


def _compare(network: nn.Module, bot: OnnxBot) -> None:
    """Refuse a file that does not compute what the network does."""
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
