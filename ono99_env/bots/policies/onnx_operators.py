"""The operators that a bot file may hold, each with the shape of what it computes.

These are the operators of feed-forward networks: layers, activations, normalisation, attention, and
what moves numbers about. None of them loops, branches, draws random numbers, keeps a state, or
makes a result whose size follows from the observation. The shapes follow
https://onnx.ai/onnx/operators.
"""

from collections.abc import Callable, Iterable
from math import prod

import numpy as np

from ono99_env.bots.policies.onnx_format import OnnxFormatError
from ono99_env.bots.policies.onnx_values import MOST_NUMBERS, Node, Value, value_of_tensor

Rule = Callable[[Node], list[Value]]
"""From a node to its outputs, of which those that a file leaves out do not matter."""

OPERATORS: dict[str, Rule] = {}
"""By name, all operators that a bot file may hold."""


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def enter(rule: Rule) -> Rule:
        OPERATORS.update(dict.fromkeys(names, rule))
        return rule

    return enter


@_rule(
    *("Abs", "BatchNormalization", "Cast", "CastLike", "Ceil", "Celu", "Clip", "Cos", "CumSum"),
    *("Dropout", "Elu", "Erf", "Exp", "Floor", "Gelu", "GroupNormalization", "HardSigmoid"),
    *("HardSwish", "Identity", "InstanceNormalization", "IsInf", "IsNaN", "LayerNormalization"),
    *(
        "LeakyRelu",
        "Log",
        "LogSoftmax",
        "LpNormalization",
        "Mish",
        "Neg",
        "Not",
        "RMSNormalization",
    ),
    *("Reciprocal", "Relu", "Round", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Softmax"),
    *("Softplus", "Softsign", "Sqrt", "Swish", "Tan", "Tanh", "ThresholdedRelu", "Trilu"),
)
def _same(node: Node) -> list[Value]:
    if node.number("training_mode", 0):
        raise OnnxFormatError(f"has a node {node.operator} that is in training")
    known = node[0].numbers if node.operator in ("Cast", "Identity") else None
    # Further outputs, such as the mean of a normalisation, are no larger.
    return [Value(node[0].shape, known)] + [Value(node[0].shape)] * (node.outputs - 1)


@_rule(
    *("Add", "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max"),
    *("Mean", "Min", "Mod", "Mul", "Or", "PRelu", "Pow", "Sub", "Sum", "Where", "Xor"),
)
def _broadcast(node: Node) -> list[Value]:
    return [Value(_joined(node[index].shape for index in range(max(len(node.inputs), 1))))]


def _joined(shapes: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    joined: list[int] = []
    for shape in shapes:
        rank = max(len(joined), len(shape))
        left = [1] * (rank - len(joined)) + joined
        right = [1] * (rank - len(shape)) + list(shape)
        for one, other in zip(left, right, strict=True):
            if one != other and 1 not in (one, other):
                raise _misfit(f"{joined} and {list(shape)}")
        joined = [other if one == 1 else one for one, other in zip(left, right, strict=True)]
    return tuple(joined)


def _misfit(shapes: str) -> OnnxFormatError:
    return OnnxFormatError(f"is no network: shapes that do not fit together, {shapes}")


@_rule("MatMul")
def _multiply(node: Node) -> list[Value]:
    left, right = node[0].shape, node[1].shape
    if not left or not right:
        raise _misfit(f"{list(left)} and {list(right)}")
    first = left if len(left) > 1 else (1, *left)
    second = right if len(right) > 1 else (*right, 1)
    if first[-1] != second[-2]:
        raise _misfit(f"{list(left)} and {list(right)}")
    rows = first[-2:-1] if len(left) > 1 else ()
    columns = second[-1:] if len(right) > 1 else ()
    return [Value((*_joined([first[:-2], second[:-2]]), *rows, *columns))]


@_rule("Gemm")
def _multiply_and_add(node: Node) -> list[Value]:
    left, right = node[0].shape, node[1].shape
    if len(left) != 2 or len(right) != 2:
        raise _misfit(f"{list(left)} and {list(right)}")
    left = left[::-1] if node.number("transA", 0) else left
    right = right[::-1] if node.number("transB", 0) else right
    if left[1] != right[0]:
        raise _misfit(f"{list(left)} and {list(right)}")
    return [Value((left[0], right[1]))]


@_rule("Einsum")
def _sum_products(node: Node) -> list[Value]:
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


@_rule("Concat")
def _concatenate(node: Node) -> list[Value]:
    parts = [node[index] for index in range(max(len(node.inputs), 1))]
    axis = parts[0].axis(node.number("axis", 0))
    rests = {each.shape[:axis] + each.shape[axis + 1 :] for each in parts}
    if len(rests) != 1 or any(len(each.shape) <= axis for each in parts):
        raise _misfit(", ".join(str(list(each.shape)) for each in parts[:3]))
    shape = list(parts[0].shape)
    shape[axis] = sum(each.shape[axis] for each in parts)
    return [Value(tuple(shape))]


@_rule("Slice")
def _cut(node: Node) -> list[Value]:
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


@_rule("Split")
def _split(node: Node) -> list[Value]:
    axis = node[0].axis(node.number("axis", 0))
    sizes, whole = node.numbers("split", 1), node[0].shape[axis]
    if sizes is None:
        part = -(-whole // max(node.outputs, 1))
        sizes = [max(min(part, whole - part * index), 0) for index in range(node.outputs)]
    if sum(sizes) != whole or len(sizes) != node.outputs:
        raise OnnxFormatError("has a node Split whose parts do not make the whole")
    before, after = node[0].shape[:axis], node[0].shape[axis + 1 :]
    return [Value((*before, size, *after)) for size in sizes]


@_rule("Gather")
def _pick(node: Node) -> list[Value]:
    axis = node[0].axis(node.number("axis", 0))
    before, after = node[0].shape[:axis], node[0].shape[axis + 1 :]
    return [Value((*before, *node[1].shape, *after))]


@_rule("GatherElements")
def _pick_elements(node: Node) -> list[Value]:
    return [Value(node[1].shape)]


@_rule("Reshape")
def _reshape(node: Node) -> list[Value]:
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
        raise _misfit(f"{list(node[0].shape)} and {sizes}")
    return [Value(tuple(sizes))]


@_rule("Flatten")
def _flatten(node: Node) -> list[Value]:
    shape = node[0].shape
    number = node.number("axis", 1)
    axis = number if number == len(shape) else node[0].axis(number)
    return [Value((prod(shape[:axis]), prod(shape[axis:])))]


@_rule("Squeeze")
def _squeeze(node: Node) -> list[Value]:
    axes, shape = node.numbers("axes", 1), node[0].shape
    if axes is None:
        return [Value(tuple(size for size in shape if size != 1))]
    gone = {node[0].axis(axis) for axis in axes}
    if any(shape[axis] != 1 for axis in gone):
        raise _misfit(f"{list(shape)} without its axes {axes}")
    return [Value(tuple(size for axis, size in enumerate(shape) if axis not in gone))]


@_rule("Unsqueeze")
def _unsqueeze(node: Node) -> list[Value]:
    axes = node.numbers("axes", 1) or []
    places = sorted({node[0].axis(axis, len(axes)) for axis in axes})
    shape = list(node[0].shape)
    for place in places:
        shape.insert(place, 1)
    return [Value(tuple(shape))]


@_rule("Transpose")
def _transpose(node: Node) -> list[Value]:
    shape = node[0].shape
    order = node.numbers("perm") or list(range(len(shape)))[::-1]
    if sorted(order) != list(range(len(shape))):
        raise _misfit(f"{list(shape)} in the order {order}")
    return [Value(tuple(shape[axis] for axis in order))]


@_rule("Expand")
def _expand(node: Node) -> list[Value]:
    return [Value(_joined([node[0].shape, Value(tuple(node.numbers("shape", 1) or [])).shape]))]


@_rule("Tile")
def _tile(node: Node) -> list[Value]:
    repeats = node.numbers("repeats", 1) or []
    if len(repeats) != len(node[0].shape):
        raise _misfit(f"{list(node[0].shape)} and {repeats}")
    return [Value(tuple(a * b for a, b in zip(node[0].shape, repeats, strict=True)))]


@_rule(
    *("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean"),
    *("ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"),
)
def _reduce(node: Node) -> list[Value]:
    axes = node.numbers("axes", 1)
    if not axes and node.number("noop_with_empty_axes", 0):
        return [Value(node[0].shape)]
    return [_without(node, axes or list(range(len(node[0].shape))))]


@_rule("ArgMax", "ArgMin")
def _find(node: Node) -> list[Value]:
    return [_without(node, [node.number("axis", 0)])]


def _without(node: Node, axes: list[int]) -> Value:
    """The first input without some axes, or with them as one."""
    gone, shape = {node[0].axis(axis) for axis in axes}, node[0].shape
    keeps = node.number("keepdims", 1)
    sizes = ((axis, 1 if axis in gone else size) for axis, size in enumerate(shape))
    return Value(tuple(size for axis, size in sizes if keeps or axis not in gone))


@_rule("Shape")
def _shape(node: Node) -> list[Value]:
    sizes = node[0].shape
    part = sizes[slice(node.number("start", 0), node.number("end", len(sizes)))]
    return [Value((len(part),), np.array(part, np.int64))]


@_rule("Size")
def _size(node: Node) -> list[Value]:
    return [Value((), np.array(node[0].size, np.int64))]


@_rule("ConstantOfShape")
def _fill(node: Node) -> list[Value]:
    shape = tuple(node.numbers("shape", 0) or [])
    return [Value(shape)]


@_rule("Constant")
def _constant(node: Node) -> list[Value]:
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


@_rule("Conv", "AveragePool", "MaxPool")
def _slide(node: Node) -> list[Value]:
    shape, is_layer = node[0].shape, node.operator == "Conv"
    kernel = node.numbers("kernel_shape") or (list(node[1].shape[2:]) if is_layer else [])
    rank = len(kernel)
    padded = bytes(node.attributes.get("auto_pad", {}).get("text", b"NOTSET"))
    if not rank or len(shape) != rank + 2 or padded not in (b"NOTSET", b"VALID"):
        raise OnnxFormatError(f"has a node {node.operator} of a kind that a bot file may not have")
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
