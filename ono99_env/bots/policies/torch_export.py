"""Write a network of PyTorch as a bot file, whichever library trained it.

It needs torch, onnx and onnxscript, which the extra ``train`` installs.
"""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.bot_file import BotMetadata, with_metadata
from ono99_env.bots.policies.bot_network import BotNetwork, NormalizedNetwork
from ono99_env.bots.policies.export_comparison import Outputs, Reference, compare_outputs
from ono99_env.bots.policies.normalization import Normalization
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.files.atomic import write_atomically
from ono99_env.messages.extras import brought_by
from ono99_env.observation.layout import OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS

with brought_by("train", "the export of bots"):
    import torch
    from torch import Tensor, nn


if TYPE_CHECKING:
    import onnx

OPERATOR_SET = 18
"""The version that torch writes without conversion, from torch 2.8 on."""

_LONGEST = 160
"""Characters of a message of torch that are shown."""


def export_policy(
    policy: nn.Module,
    path: str | Path,
    metadata: BotMetadata,
    value: nn.Module | None = None,
    normalization: Normalization | None = None,
) -> None:
    """Write a policy as a bot file, and check first that the file computes what the policy does.

    The bot plays the legal action with the largest output, or draws from their softmax. The first
    call of a process takes some seconds, most of it to import the exporter.

    Args:
        policy: A trained network on any device, from observations, shape (batch, 466) or as many
            as the features of the metadata have, to logits or action values, shape (batch, 17). It
            need not know the mask, and is not changed; the file computes what it does in evaluation
            mode, without dropout.
        path: Where the file goes, ending in ``.onnx``; an older file there is replaced at once.
        metadata: What the file says about itself: the rules, the player counts, the features that
            it was trained on (``features="core"``), how it was trained.
        value: From observations to expected returns, shape (batch,) or (batch, 1). Bots do not need
            it; without it the file's values are all 0.
        normalization: The statistics of the ``VecNormalize`` that the policy was trained behind
            (``Normalization.of(venv)``); the file then holds them.

    Raises:
        ValueError: If the policy or the value network has other outputs, is in half precision, or
            holds weights that are not finite, or the path does not end in ``.onnx``; nothing is
            written.
        RuntimeError: If the file does not compute what the policy does; nothing is written.
    """
    check_finite(policy)
    if value is not None:
        check_finite(value, "value network")
    reference = _reference(policy, value, normalization)
    _check_outputs(reference, metadata.observation_size)
    network: nn.Module = _copy(policy, value)
    if normalization is not None:
        network = NormalizedNetwork(network, normalization)
    export_network(network, path, metadata, reference)


def _copy(policy: nn.Module, value: nn.Module | None) -> BotNetwork:
    try:
        return BotNetwork(policy, value)
    except Exception as error:  # what a module of the user's own raises when it is copied
        raise ValueError(f"the policy cannot be copied: {_shortly(error)}") from error


def _reference(
    policy: nn.Module, value: nn.Module | None, normalization: Normalization | None
) -> Reference:
    """Return what the user's own modules compute, in evaluation mode."""

    def compute(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> Outputs:
        seen = observation if normalization is None else normalization.apply(observation)
        scale = 1.0 if normalization is None else normalization.return_scale
        logits = _run(policy, seen, "policy", [(len(seen), NUM_ACTIONS)])
        if value is None:
            return logits, np.zeros(len(seen), np.float32)
        values = _run(value, seen, "value network", [(len(seen),), (len(seen), 1)])
        return logits, values.reshape(-1) * scale

    return Reference(compute)


def _check_outputs(reference: Reference, size: int) -> None:
    """Refuse a policy with outputs of other shapes or types, before torch traces it."""
    for batch in (3, 2):
        reference.outputs(
            np.zeros((batch, size), np.float32), np.ones((batch, NUM_ACTIONS), np.bool_)
        )


def _run(
    module: nn.Module, observation: NDArray[np.float32], name: str, shapes: list[tuple[int, ...]]
) -> NDArray[np.floating[Any]]:
    weights = next(module.parameters(), None)
    device = "cpu" if weights is None else weights.device
    with evaluation_mode(module), torch.no_grad():
        try:
            outputs = module(torch.from_numpy(observation).to(device))
        except Exception as error:  # whatever a module of the user's own raises
            raise ValueError(
                f"the {name} cannot be computed for float32 observations of shape "
                f"{observation.shape}: {_shortly(error)}"
            ) from error
    if not isinstance(outputs, Tensor):
        raise ValueError(
            f"the {name} gives a {type(outputs).__name__}, and one tensor of shape {shapes[0]} is "
            f"needed for {len(observation)} observations"
        )
    if tuple(outputs.shape) not in shapes or outputs.dtype != torch.float32:
        raise ValueError(
            f"the {name} gives {outputs.dtype} of shape {tuple(outputs.shape)} for "
            f"{len(observation)} observations, and torch.float32 of shape {shapes[0]} is needed"
        )
    result: NDArray[np.floating[Any]] = outputs.cpu().numpy()
    return result


@contextmanager
def evaluation_mode(module: nn.Module) -> Iterator[None]:
    """Put a module into evaluation mode, without dropout, and back afterwards."""
    modes = {each: each.training for each in module.modules()}
    module.eval()
    try:
        yield
    finally:
        for each, mode in modes.items():
            each.training = mode


def _shortly(error: Exception) -> str:
    """Return the first line of an error of torch, which may be pages long."""
    line = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {line[:_LONGEST]}"


def export_network(
    network: nn.Module,
    path: str | Path,
    metadata: BotMetadata,
    reference: Reference | None = None,
) -> None:
    """Write a network with the inputs and outputs of a `BotNetwork`, as `export_policy` does.

    Args:
        network: The network; the file computes what it does in evaluation mode.
        path: Where the file goes.
        metadata: What the file says about itself.
        reference: What the file is compared with; default: the network.

    Raises:
        ValueError: If the path does not end in ``.onnx``, or the network has other inputs or
            outputs; nothing is written.
        RuntimeError: If the file does not compute what the network does; nothing is written.
    """
    path = Path(path)
    if path.suffix != ".onnx":
        raise ValueError(f"the name of a bot file ends in .onnx, and {path.name!r} does not")
    check_finite(network)
    reference = reference or reference_of(network)
    with evaluation_mode(network):
        model = export_model(network, metadata.observation_size)
    write_atomically(path, bot_file(model, reference, metadata))


def bot_file(model: "onnx.ModelProto", reference: Reference, metadata: BotMetadata) -> bytes:
    """Return the content of a bot file, checked to compute what it should.

    Args:
        model: The exported network.
        reference: What it should compute.
        metadata: What the file says about itself.

    Raises:
        ValueError: If a bot file may not hold such a network.
        RuntimeError: If it computes something else.
    """
    content = with_metadata(model.SerializeToString(), metadata)
    compare_outputs(reference, OnnxBot.from_bytes(content, "the exported bot"))
    return content


def reference_of(network: nn.Module) -> Reference:
    """Return what a network with the inputs and outputs of a `BotNetwork` computes."""

    def compute(observation: NDArray[np.float32], mask: NDArray[np.bool_]) -> Outputs:
        with evaluation_mode(network), torch.no_grad():
            logits, value = network(torch.from_numpy(observation), torch.from_numpy(mask))
        return logits.numpy(), value.reshape(-1).numpy()

    return Reference(compute)


def check_finite(network: nn.Module, name: str = "policy") -> None:
    """Refuse a network that cannot be a bot.

    Args:
        network: The network.
        name: What messages call it.

    Raises:
        ValueError: If its weights are not finite numbers, or in half precision.
    """
    for place, weights in network.named_parameters():
        if weights.dtype in (torch.float16, torch.bfloat16):
            raise ValueError(
                f"the {name}'s {place} is {weights.dtype}: a bot file computes in float32. Export "
                f"{name.split()[0]}.float(), and measure it as it then plays"
            )
        if not torch.isfinite(weights).all():
            raise ValueError(f"the {name}'s {place} holds numbers that are not finite: it diverged")
    for place, buffer in network.named_buffers():
        if buffer.is_floating_point() and torch.isnan(buffer).any():
            raise ValueError(f"the {name}'s {place} holds numbers that are not finite: it diverged")


def export_model(network: nn.Module, size: int = OBSERVATION_SIZE) -> "onnx.ModelProto":
    """Convert a network to an ONNX model without metadata; takes seconds.

    Args:
        network: With the inputs and outputs of a `BotNetwork`.
        size: Numbers in an observation.
    """
    example = (torch.zeros(2, size), torch.ones(2, NUM_ACTIONS, dtype=torch.bool))
    batch = torch.export.Dim("batch")
    with _quiet(), _in_one_sentence():
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


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    """Shorten what torch says of a network that it cannot export."""
    try:
        yield
    except Exception as error:  # the exporter's errors have no common class
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        raise RuntimeError(f"torch cannot export this network: {_shortly(cause)}") from error


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
