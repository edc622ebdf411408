"""Check that a bot file computes a feed-forward network of bounded size.

Before onnxruntime sees a file, every node is looked up in the table of operators, and the shape of
every tensor is worked out for a batch, so the memory that the network takes is known.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.onnx_files.operators import OPERATORS
from ono99_env.bots.policies.onnx_files.parser import Message
from ono99_env.bots.policies.onnx_files.tensors import (
    MOST_KNOWN,
    Budget,
    Node,
    Value,
    value_of_tensor,
)
from ono99_env.bots.policies.onnx_files.wire_format import OnnxFormatError

MOST_NODES = 5_000
"""Nodes that a network may have; one of a hundred layers has some hundreds."""

_STANDARD = ("", "ai.onnx")


def check_nodes(model: Message) -> None:
    """Refuse a model with operators that are not those of a feed-forward network.

    Args:
        model: What `parser.read_model` reads.

    Raises:
        OnnxFormatError: If it has any, of whatever domain, or no network at all.
    """
    for each in model["operator_sets"]:
        _check_domain(each.get("domain", ""))
    if len(model["operator_sets"]) != 1 or "graph" not in model:
        raise OnnxFormatError("is an ONNX file without a network and its one operator set")
    nodes = model["graph"]["nodes"]
    if len(nodes) > MOST_NODES:
        raise OnnxFormatError(f"has more than {MOST_NODES:,} nodes")
    for node in nodes:
        _check_domain(node.get("domain", ""))
        operator = node.get("operator", "")
        if operator not in OPERATORS:
            raise OnnxFormatError(
                f"uses the operator {operator[:40]!r}, which is not among those of feed-forward "
                "networks that a bot file may hold; docs/bots.md lists them"
            )


def _check_domain(domain: str) -> None:
    if domain not in _STANDARD:
        raise OnnxFormatError(f"uses operators that are not standard ONNX: {domain[:40]!r}")


def shapes_of(model: Message, inputs: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Work out the shape of every tensor of a network without running it.

    Args:
        model: A model that `check_nodes` accepts.
        inputs: The shape of each input.

    Raises:
        OnnxFormatError: If the parts do not fit together, a shape follows from what is computed, or
            the tensors hold too many numbers.
    """
    graph, budget = model["graph"], Budget()
    values = {name: Value(shape) for name, shape in inputs.items()}
    for tensor in graph["tensors"]:
        _enter(values, tensor.get("name", ""), value_of_tensor(tensor), budget)
    for message in graph["nodes"]:
        node = _node(message, values)
        outputs = OPERATORS[node.operator](node)
        if len(outputs) < node.outputs:
            raise OnnxFormatError(f"has a node {node.operator} with too many outputs")
        if node.operator in _COMPUTED and outputs[0].size <= MOST_KNOWN:
            outputs = [Value(outputs[0].shape, _compute(node, outputs[0].shape))]
        for name, value in zip(message["outputs"], outputs, strict=False):
            if name:
                _enter(values, name, value, budget)
    return {name: value.shape for name, value in values.items()}


def _enter(values: dict[str, Value], name: str, value: Value, budget: Budget) -> None:
    if name in values:
        raise OnnxFormatError(f"is no network: it has two values of the name {name[:40]!r}")
    budget.spend(value)
    values[name] = value


def _node(message: Message, values: Mapping[str, Value]) -> Node:
    inputs = message["inputs"]
    missing = [name for name in inputs if name and name not in values]
    if missing:
        raise OnnxFormatError(
            f"is no network: it reads {missing[0][:40]!r} before anything computes that"
        )
    attributes = {each.get("name", ""): each for each in message["attributes"]}
    if len(attributes) != len(message["attributes"]):
        raise OnnxFormatError("is no network: a node has two attributes of the same name")
    return Node(
        message["operator"],
        attributes,
        [values[name] if name else None for name in inputs],
        len(message["outputs"]),
    )


def _compute(node: Node, shape: tuple[int, ...]) -> NDArray[np.int64] | None:
    """Return the few whole numbers that a node computes; None if they are not known."""
    known = [each.numbers for each in node.inputs if each is not None]
    arrays = [each for each in known if each is not None]
    if len(arrays) != len(known) or not arrays:
        return None
    try:
        result = _COMPUTED[node.operator](node, arrays)
    except (ValueError, IndexError, TypeError, ArithmeticError):
        return None
    # Where NumPy's rule and ONNX's differ, nothing is known.
    return np.asarray(result, np.int64) if np.shape(result) == shape else None


def _cut(node: Node, arrays: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    starts, ends = node.numbers("starts", 1) or [], node.numbers("ends", 2) or []
    steps = node.numbers("steps", 4) or [1]
    if arrays[0].ndim != 1 or not len(starts) == len(ends) == len(steps) == 1:
        raise ValueError
    return arrays[0][starts[0] : ends[0] : steps[0]]


def _divide(node: Node, arrays: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    if (arrays[1] <= 0).any() or (arrays[0] < 0).any():
        raise ValueError  # shapes never divide negative numbers, whose rounding differs
    return arrays[0] // arrays[1]


_COMPUTED: dict[str, Callable[[Node, list[NDArray[np.int64]]], NDArray[np.int64]]] = {
    "Add": lambda node, arrays: arrays[0] + arrays[1],
    "Sub": lambda node, arrays: arrays[0] - arrays[1],
    "Mul": lambda node, arrays: arrays[0] * arrays[1],
    "Div": _divide,
    "Slice": _cut,
    "Concat": lambda node, arrays: np.concatenate(arrays),
    "Gather": lambda node, arrays: np.take(arrays[0], arrays[1], axis=node.number("axis", 0)),
    "Squeeze": lambda node, arrays: arrays[0].reshape(-1)[0] if arrays[0].size == 1 else arrays[0],
    "Unsqueeze": lambda node, arrays: arrays[0].reshape(-1),
    "Reshape": lambda node, arrays: arrays[0].reshape(-1),
    "ReduceProd": lambda node, arrays: arrays[0].prod(),
}
"""Computes a few whole numbers, for the operators with which networks make shapes."""
