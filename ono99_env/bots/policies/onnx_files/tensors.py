"""Nodes of a network and the tensors between them, of which only the shapes are known.

A few whole numbers are followed too, since networks compute the shapes of other tensors from them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.onnx_files.parser import Message
from ono99_env.bots.policies.onnx_files.wire_format import OnnxFormatError

MOST_NUMBERS = 2**28
"""Numbers that all tensors of a network may hold together, for one batch: 1 GiB as float32."""

MOST_KNOWN = 256
"""Numbers of a tensor that are followed at most; a shape has a few."""

_SIZES = {1: 4, 2: 1, 3: 1, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 16: 2}
"""Bytes of a number by the type of its tensor: floats of all kinds, whole numbers, truth values."""

INT64 = 7


@dataclass(frozen=True)
class Value:
    """A tensor: its shape and, if it is a few whole numbers, what it holds."""

    shape: tuple[int, ...]
    numbers: NDArray[np.int64] | None = None
    """What it holds, where that is known."""

    def __post_init__(self) -> None:
        if any(size < 0 for size in self.shape) or len(self.shape) > 16:
            raise OnnxFormatError(f"has a tensor of an impossible shape: {list(self.shape)}")

    @property
    def size(self) -> int:
        """Return how many numbers it holds."""
        return prod(self.shape)

    def axis(self, number: int, more: int = 0) -> int:
        """Return the index of an axis from the start; negative ones count from the end.

        Args:
            number: The axis.
            more: How many axes are about to be added.
        """
        rank = len(self.shape) + more
        if not -rank <= number < max(rank, 1):
            raise OnnxFormatError(f"names an axis that a tensor does not have: {number}")
        return number % max(rank, 1)


@dataclass(frozen=True)
class Node:
    """A node, with the tensors that it reads."""

    operator: str
    attributes: Mapping[str, Message]
    inputs: Sequence[Value | None]
    outputs: int
    """How many outputs it has."""

    def __getitem__(self, index: int) -> Value:
        """Return an input.

        Raises:
            OnnxFormatError: If the node does not have it.
        """
        value = self.inputs[index] if index < len(self.inputs) else None
        if value is None:
            raise OnnxFormatError(f"has a node {self.operator} without its inputs")
        return value

    def number(self, name: str, default: int) -> int:
        """Return an attribute that is a whole number."""
        value: int = self.attributes.get(name, {}).get("number", default)
        return value

    def numbers(self, name: str, index: int | None = None) -> list[int] | None:
        """Return whole numbers from an attribute or, as newer operator sets do, an input.

        Raises:
            OnnxFormatError: If they are an input that is only known when the network runs.
        """
        if name in self.attributes:
            found: list[int] = self.attributes[name]["numbers"]
            return found
        if index is None or index >= len(self.inputs) or self.inputs[index] is None:
            return None
        known = self[index].numbers
        if known is None:
            raise OnnxFormatError(
                f"has a node {self.operator} whose {name} are computed from the observation; a bot "
                "file's shapes may only depend on how many observations there are"
            )
        return [int(each) for each in known.reshape(-1)]


@dataclass
class Budget:
    """Adds up how many numbers a network holds."""

    spent: int = field(default=0)

    def spend(self, value: Value) -> None:
        """Add a tensor.

        Raises:
            OnnxFormatError: If the network holds too many numbers with it.
        """
        self.spent += value.size
        if self.spent > MOST_NUMBERS:
            raise OnnxFormatError(
                f"needs too much memory: it holds more than {MOST_NUMBERS:,} numbers for one batch"
            )


def value_of_tensor(tensor: Message) -> Value:
    """Check a tensor that a file holds, and return its shape and its numbers if they are few.

    Raises:
        OnnxFormatError: If its numbers are of a type that a bot file may not have, or there are
            more or fewer of them than its shape says.
    """
    shape, number_type = tuple(tensor["shape"]), tensor.get("type", 0)
    value = Value(shape)
    if number_type not in _SIZES:
        raise OnnxFormatError(f"has a tensor that holds no numbers (type {number_type})")
    if "raw" in tensor:
        fits = len(tensor["raw"]) == value.size * _SIZES[number_type]
    else:
        held = [tensor[name] for name in ("floats", "small_numbers", "doubles")]
        # Any number takes at least a byte.
        fits = value.size <= len(tensor["numbers"]) + sum(
            len(part) for each in held for part in each
        )
    if not fits:
        raise OnnxFormatError(f"has a tensor with other numbers than its shape {list(shape)} says")
    return Value(shape, _known_numbers(tensor, value.size))


def _known_numbers(tensor: Message, size: int) -> NDArray[np.int64] | None:
    """Return the numbers of a small tensor of int64; None for other tensors."""
    if tensor.get("type") != INT64 or size > MOST_KNOWN:
        return None
    numbers: Any = tensor["numbers"]
    if "raw" in tensor:
        numbers = np.frombuffer(bytes(tensor["raw"]), "<i8")
    if len(numbers) != size:
        raise OnnxFormatError("has a tensor with other numbers than its shape says")
    return np.array(numbers, np.int64).reshape(tensor["shape"])


def joint_shape(shapes: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """Broadcast shapes to one, by the rules of NumPy.

    Raises:
        OnnxFormatError: If they do not fit together.
    """
    joint: list[int] = []
    for shape in shapes:
        rank = max(len(joint), len(shape))
        left = [1] * (rank - len(joint)) + joint
        right = [1] * (rank - len(shape)) + list(shape)
        for one, other in zip(left, right, strict=True):
            if one != other and 1 not in (one, other):
                raise misfit(f"{joint} and {list(shape)}")
        joint = [other if one == 1 else one for one, other in zip(left, right, strict=True)]
    return tuple(joint)


def misfit(shapes: str) -> OnnxFormatError:
    """Return the error for shapes that do not fit together."""
    return OnnxFormatError(f"is no network: shapes that do not fit together, {shapes}")
