"""Check the contract of a bot file: its inputs and outputs, their shapes, and independent rows.

A bot must not depend on how views are batched, so each row of the outputs must follow from the same
row of the inputs. That is tried on a few random observations, each alone and among others.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.onnx_files.parser import Message
from ono99_env.bots.policies.onnx_files.shape_inference import shapes_of
from ono99_env.bots.policies.onnx_files.wire_format import OnnxFormatError
from ono99_env.rules.cards import NUM_ACTIONS

Run = Callable[[NDArray[np.float32], NDArray[np.bool_]], list[Any]]
"""Runs the network: from observations and masks to logits and values."""

_FLOAT, _BOOL = 1, 9
_TYPE_NAMES = {_FLOAT: "float32", _BOOL: "bool"}


def signature(size: int) -> dict[str, tuple[int, list[list[int]]]]:
    """Return the inputs and outputs in order: the type of each, and its shapes for one observation.

    Args:
        size: Numbers in an observation.
    """
    return {
        "observation": (_FLOAT, [[size]]),
        "action_mask": (_BOOL, [[NUM_ACTIONS]]),
        "logits": (_FLOAT, [[NUM_ACTIONS]]),
        "value": (_FLOAT, [[], [1]]),
    }


_ROWS = 5

_TOLERANCE = 1e-4
"""How much a row may depend on the batch it is in, relative to the largest output (at least 1):
rounding, since matrices of other shapes are multiplied in another order."""


def check_shapes(model: Message, largest_batch: int, size: int) -> None:
    """Refuse a network that does not give a row of outputs for each observation.

    Args:
        model: What `ono99_env.bots.policies.bot_file.open_model` reads.
        largest_batch: The largest batch that it will get.
        size: Numbers in an observation.

    Raises:
        OnnxFormatError: If the shapes do not fit, or a batch would take too much memory.
    """
    for batch in (1, 2, largest_batch):
        inputs = {"observation": (batch, size), "action_mask": (batch, NUM_ACTIONS)}
        shapes = shapes_of(model, inputs)
        logits, value = shapes.get("logits"), shapes.get("value")
        if logits != (batch, NUM_ACTIONS) or value not in ((batch,), (batch, 1)):
            raise OnnxFormatError(
                f"does not fit: for {batch} observations its logits have the shape "
                f"{_listed(logits)} and its values {_listed(value)}, and {[batch, NUM_ACTIONS]} "
                f"and {[batch]} are needed"
            )


def check_signature(model: Message, size: int) -> None:
    """Refuse a file with other inputs or outputs than a bot file has.

    Args:
        model: What `ono99_env.bots.policies.bot_file.open_model` reads.
        size: Numbers in an observation.

    Raises:
        OnnxFormatError: If their names, types or shapes are others.
    """
    graph, wanted = model["graph"], signature(size)
    held = {tensor.get("name", "") for tensor in graph["tensors"]}
    values = [*graph["inputs"], *graph["outputs"]]
    found = {each.get("name", ""): each for each in values if each.get("name", "") not in held}
    if list(found) != list(wanted) or len(values) > len(wanted):
        raise OnnxFormatError(
            f"does not fit: its inputs and outputs are {', '.join(found)[:200]}, and a bot file's "
            f"are {', '.join(wanted)}. Bot files are written by "
            "ono99_env.bots.policies.torch_export"
        )
    for name, (number_type, shapes) in wanted.items():
        tensor = found[name].get("type", {}).get("tensor", {})
        axes = tensor.get("shape", {}).get("axes", [])
        sizes = [axis.get("size") for axis in axes]
        if (
            tensor.get("number_type") != number_type
            or not sizes
            or sizes[0]
            or sizes[1:] not in shapes
        ):
            other = _TYPE_NAMES.get(tensor.get("number_type", 0), "of another type")
            shown = ["batch" if size is None else size for size in sizes]
            raise OnnxFormatError(
                f"does not fit: its {name} is {other} of shape {str(shown)[:100]}, and "
                f"{_TYPE_NAMES[number_type]} of shape {['batch', *shapes[0]]} is needed. "
                "Train the bot anew"
            )


def check_rows(run: Run, size: int) -> None:
    """Refuse a network whose answer to an observation depends on the others of the batch.

    Args:
        run: Computes the outputs of a batch; their shapes are known to fit.
        size: Numbers in an observation.

    Raises:
        OnnxFormatError: If it does, or if it computes something that is not a number.
    """
    rng = np.random.default_rng(0)
    observations = rng.random((_ROWS, size), np.float32)
    masks = rng.random((_ROWS, NUM_ACTIONS)) < 0.5
    masks[:, 0] = True
    together = run(observations, masks)
    for name, outputs in zip(("logits", "values"), together, strict=True):
        # Lower than any number is an action that is never played, and is allowed.
        if not (outputs < np.inf).all() or not outputs.size:
            raise OnnxFormatError(
                f"computes {name} that are not finite numbers: its training may have diverged"
            )
    singles = [[row] for row in range(_ROWS)]
    for rows in [*singles, [3, 1], [4, 0, 0]]:
        for ours, whole in zip(run(observations[rows], masks[rows]), together, strict=True):
            if not _are_close(ours, whole[rows]):
                raise OnnxFormatError(
                    "does not answer each observation by itself: its answer to one changes with "
                    "the others of the batch"
                )


def _are_close(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    # What is hardly a number any more is compared as being so: it may be infinite.
    lowest = np.finfo(np.float32).min / 2
    are_numbers = other > lowest
    ours, theirs = (np.where(are_numbers, each, 0.0).astype(np.float64) for each in (one, other))
    difference = np.abs(ours - theirs)
    is_close = difference <= _TOLERANCE * max(1.0, float(np.abs(theirs).max(initial=0.0)))
    return bool(((one > lowest) == are_numbers).all() and is_close.all())


def _listed(shape: tuple[int, ...] | None) -> str:
    return "none" if shape is None else str(list(shape))
