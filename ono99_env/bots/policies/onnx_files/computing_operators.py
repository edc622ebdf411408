"""The shapes of what layers, activations, sums and products compute.

The shapes follow https://onnx.ai/onnx/operators.
"""

from math import prod

from ono99_env.bots.policies.onnx_files.tensors import (
    MOST_NUMBERS,
    Node,
    Value,
    joint_shape,
    misfit,
)
from ono99_env.bots.policies.onnx_files.wire_format import OnnxFormatError


def keep_shape(node: Node) -> list[Value]:
    """Return the outputs of an operator that keeps the shape of its first input."""
    if node.number("training_mode", 0):
        raise OnnxFormatError(f"has a node {node.operator} that is in training")
    known = node[0].numbers if node.operator in ("Cast", "Identity") else None
    # Further outputs, such as the mean of a normalisation, are no larger.
    return [Value(node[0].shape, known)] + [Value(node[0].shape)] * (node.outputs - 1)


def broadcast(node: Node) -> list[Value]:
    """Return the outputs of an operator that broadcasts its inputs to one shape."""
    return [Value(joint_shape(node[index].shape for index in range(max(len(node.inputs), 1))))]


def multiply_matrices(node: Node) -> list[Value]:
    """Return the outputs of ``MatMul``."""
    left, right = node[0].shape, node[1].shape
    if not left or not right:
        raise misfit(f"{list(left)} and {list(right)}")
    first = left if len(left) > 1 else (1, *left)
    second = right if len(right) > 1 else (*right, 1)
    if first[-1] != second[-2]:
        raise misfit(f"{list(left)} and {list(right)}")
    rows = first[-2:-1] if len(left) > 1 else ()
    columns = second[-1:] if len(right) > 1 else ()
    return [Value((*joint_shape([first[:-2], second[:-2]]), *rows, *columns))]


def multiply_and_add(node: Node) -> list[Value]:
    """Return the outputs of ``Gemm``."""
    left, right = node[0].shape, node[1].shape
    if len(left) != 2 or len(right) != 2:
        raise misfit(f"{list(left)} and {list(right)}")
    left = left[::-1] if node.number("transA", 0) else left
    right = right[::-1] if node.number("transB", 0) else right
    if left[1] != right[0]:
        raise misfit(f"{list(left)} and {list(right)}")
    return [Value((left[0], right[1]))]


def sum_products(node: Node) -> list[Value]:
    """Return the outputs of ``Einsum`` of at most two inputs whose equation names all axes."""
    equation = bytes(node.attributes.get("equation", {}).get("text", b"")).decode(
        "ascii", "replace"
    )
    terms, arrow, result = equation.replace(" ", "").partition("->")
    parts = terms.split(",")
    if not arrow or "." in equation or len(parts) != len(node.inputs):
        raise OnnxFormatError("has a node Einsum whose equation does not name all axes")
    sizes: dict[str, int] = {}
    for index, part in enumerate(parts):
        if len(part) != len(node[index].shape):
            raise OnnxFormatError("has a node Einsum whose equation does not fit its inputs")
        for letter, size in zip(part, node[index].shape, strict=True):
            sizes[letter] = max(size, sizes.get(letter, 1))
    if not set(result) <= set(sizes):
        raise OnnxFormatError("has a node Einsum whose equation does not fit its inputs")
    # onnxruntime may hold all axes of a pair at once on its way.
    if len(parts) > 2 or prod(sizes.values()) > MOST_NUMBERS:
        raise OnnxFormatError("has a node Einsum that needs too much memory")
    return [Value(tuple(sizes[letter] for letter in result))]


def reduce_axes(node: Node) -> list[Value]:
    """Return the outputs of an operator that sums or compares over axes."""
    axes = node.numbers("axes", 1)
    if not axes and node.number("noop_with_empty_axes", 0):
        return [Value(node[0].shape)]
    return [_without(node, axes or list(range(len(node[0].shape))))]


def find_extreme(node: Node) -> list[Value]:
    """Return the outputs of ``ArgMax`` or ``ArgMin``."""
    return [_without(node, [node.number("axis", 0)])]


def _without(node: Node, axes: list[int]) -> Value:
    """Return the first input without some axes, or with these of size 1."""
    gone, shape = {node[0].axis(axis) for axis in axes}, node[0].shape
    keeps = node.number("keepdims", 1)
    sizes = ((axis, 1 if axis in gone else size) for axis, size in enumerate(shape))
    return Value(tuple(size for axis, size in sizes if keeps or axis not in gone))


def slide_window(node: Node) -> list[Value]:
    """Return the outputs of a convolution or a pooling."""
    shape, is_layer = node[0].shape, node.operator == "Conv"
    kernel = node.numbers("kernel_shape") or (list(node[1].shape[2:]) if is_layer else [])
    rank = len(kernel)
    padded = bytes(node.attributes.get("auto_pad", {}).get("text", b"NOTSET"))
    if not rank or len(shape) != rank + 2 or padded not in (b"NOTSET", b"VALID"):
        raise OnnxFormatError(f"has a node {node.operator} of a form that a bot file may not have")
    strides = node.numbers("strides") or [1] * rank
    dilations = node.numbers("dilations") or [1] * rank
    pads = node.numbers("pads") or [0] * (2 * rank)
    if not len(strides) == len(dilations) == len(pads) / 2 == rank:
        raise OnnxFormatError(f"has a node {node.operator} without its numbers")
    if min(*strides, *dilations, *kernel) < 1 or min(pads) < 0:
        raise OnnxFormatError(f"has a node {node.operator} with impossible numbers")
    round_up = node.number("ceil_mode", 0)
    sizes = []
    for axis, size in enumerate(shape[2:]):
        room = size + pads[axis] + pads[axis + rank] - dilations[axis] * (kernel[axis] - 1) - 1
        sizes.append((-(-room // strides[axis]) if round_up else room // strides[axis]) + 1)
    value = Value((shape[0], node[1].shape[0] if is_layer else shape[1], *sizes))
    _check_columns(value, prod(kernel) * shape[1])
    return [value] * max(node.outputs, 1)


def _check_columns(value: Value, factor: int) -> None:
    """Refuse a convolution whose unrolled input, which is held on the way, takes too much."""
    if value.shape[0] * prod(value.shape[2:]) * factor > MOST_NUMBERS:
        raise OnnxFormatError("needs too much memory: it has a convolution that is too wide")
