"""The shapes of operators that move, pick, repeat or hold numbers, and calculate nothing.

The shapes follow https://onnx.ai/onnx/operators.
"""

from math import prod

import numpy as np

from ono99_env.bots.policies.onnx_files.tensors import (
    Node,
    Value,
    joint_shape,
    misfit,
    value_of_tensor,
)
from ono99_env.bots.policies.onnx_files.wire_format import OnnxFormatError


def concatenate(node: Node) -> list[Value]:
    """Return the outputs of ``Concat``."""
    parts = [node[index] for index in range(max(len(node.inputs), 1))]
    axis = parts[0].axis(node.number("axis", 0))
    rests = {each.shape[:axis] + each.shape[axis + 1 :] for each in parts}
    if len(rests) != 1 or any(len(each.shape) <= axis for each in parts):
        raise misfit(", ".join(str(list(each.shape)) for each in parts[:3]))
    shape = list(parts[0].shape)
    shape[axis] = sum(each.shape[axis] for each in parts)
    return [Value(tuple(shape))]


def cut(node: Node) -> list[Value]:
    """Return the outputs of ``Slice``."""
    starts, ends = node.numbers("starts", 1), node.numbers("ends", 2)
    axes, steps = node.numbers("axes", 3), node.numbers("steps", 4)
    starts, ends = starts or [], ends or []
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    if not len(starts) == len(ends) == len(axes) == len(steps) or 0 in steps:
        raise OnnxFormatError("has a node Slice without its inputs")
    shape = list(node[0].shape)
    for start, end, number, step in zip(starts, ends, axes, steps, strict=True):
        axis = node[0].axis(number)
        size = node[0].shape[axis]
        shape[axis] = len(range(*slice(start, end, step).indices(size)))
    return [Value(tuple(shape))]


def split(node: Node) -> list[Value]:
    """Return the outputs of ``Split``."""
    axis = node[0].axis(node.number("axis", 0))
    sizes, whole = node.numbers("split", 1), node[0].shape[axis]
    if sizes is None:
        part = -(-whole // max(node.outputs, 1))
        sizes = [max(min(part, whole - part * index), 0) for index in range(node.outputs)]
    if sum(sizes) != whole or len(sizes) != node.outputs:
        raise OnnxFormatError("has a node Split whose parts do not make the whole")
    before, after = node[0].shape[:axis], node[0].shape[axis + 1 :]
    return [Value((*before, size, *after)) for size in sizes]


def pick_rows(node: Node) -> list[Value]:
    """Return the outputs of ``Gather``."""
    axis = node[0].axis(node.number("axis", 0))
    before, after = node[0].shape[:axis], node[0].shape[axis + 1 :]
    return [Value((*before, *node[1].shape, *after))]


def pick_elements(node: Node) -> list[Value]:
    """Return the outputs of ``GatherElements``."""
    return [Value(node[1].shape)]


def reshape(node: Node) -> list[Value]:
    """Return the outputs of ``Reshape``."""
    sizes = node.numbers("shape", 1) or []
    if not node.number("allowzero", 0):
        old = node[0].shape
        sizes = [
            old[place] if size == 0 and place < len(old) else size
            for place, size in enumerate(sizes)
        ]
    known = prod(size for size in sizes if size != -1)
    if sizes.count(-1) == 1 and known > 0:
        sizes = [node[0].size // known if size == -1 else size for size in sizes]
    if min(sizes, default=0) < 0 or prod(sizes) != node[0].size:
        raise misfit(f"{list(node[0].shape)} and {sizes}")
    return [Value(tuple(sizes))]


def flatten(node: Node) -> list[Value]:
    """Return the outputs of ``Flatten``."""
    shape = node[0].shape
    number = node.number("axis", 1)
    axis = number if number == len(shape) else node[0].axis(number)
    return [Value((prod(shape[:axis]), prod(shape[axis:])))]


def squeeze(node: Node) -> list[Value]:
    """Return the outputs of ``Squeeze``."""
    axes, shape = node.numbers("axes", 1), node[0].shape
    if axes is None:
        return [Value(tuple(size for size in shape if size != 1))]
    gone = {node[0].axis(axis) for axis in axes}
    if any(shape[axis] != 1 for axis in gone):
        raise misfit(f"{list(shape)} without its axes {axes}")
    return [Value(tuple(size for axis, size in enumerate(shape) if axis not in gone))]


def unsqueeze(node: Node) -> list[Value]:
    """Return the outputs of ``Unsqueeze``."""
    axes = node.numbers("axes", 1) or []
    places = sorted({node[0].axis(axis, len(axes)) for axis in axes})
    shape = list(node[0].shape)
    for place in places:
        shape.insert(place, 1)
    return [Value(tuple(shape))]


def transpose(node: Node) -> list[Value]:
    """Return the outputs of ``Transpose``."""
    shape = node[0].shape
    order = node.numbers("perm") or list(range(len(shape)))[::-1]
    if sorted(order) != list(range(len(shape))):
        raise misfit(f"{list(shape)} in the order {order}")
    return [Value(tuple(shape[axis] for axis in order))]


def expand(node: Node) -> list[Value]:
    """Return the outputs of ``Expand``."""
    return [Value(joint_shape([node[0].shape, Value(tuple(node.numbers("shape", 1) or [])).shape]))]


def repeat(node: Node) -> list[Value]:
    """Return the outputs of ``Tile``."""
    repeats = node.numbers("repeats", 1) or []
    if len(repeats) != len(node[0].shape):
        raise misfit(f"{list(node[0].shape)} and {repeats}")
    return [Value(tuple(a * b for a, b in zip(node[0].shape, repeats, strict=True)))]


def read_shape(node: Node) -> list[Value]:
    """Return the outputs of ``Shape``, which is known before anything is computed."""
    sizes = node[0].shape
    part = sizes[slice(node.number("start", 0), node.number("end", len(sizes)))]
    return [Value((len(part),), np.array(part, np.int64))]


def read_size(node: Node) -> list[Value]:
    """Return the outputs of ``Size``, which is known before anything is computed."""
    return [Value((), np.array(node[0].size, np.int64))]


def fill(node: Node) -> list[Value]:
    """Return the outputs of ``ConstantOfShape``."""
    shape = tuple(node.numbers("shape", 0) or [])
    return [Value(shape)]


def hold_constant(node: Node) -> list[Value]:
    """Return the outputs of ``Constant``."""
    for name, attribute in node.attributes.items():
        if name == "value" and "tensor" in attribute:
            return [value_of_tensor(attribute["tensor"])]
        if name == "value_int":
            return [Value((), np.array(attribute.get("number", 0), np.int64))]
        if name == "value_ints":
            numbers = np.array(attribute["numbers"], np.int64)
            return [Value(numbers.shape, numbers)]
        if name == "value_float":
            return [Value(())]
        if name == "value_floats":
            return [Value((sum(len(part) for part in attribute["floats"]) // 4,))]
    raise OnnxFormatError("has a node Constant that holds no numbers")
