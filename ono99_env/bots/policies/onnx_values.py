"""Values between the nodes of a network: their shapes, and the numbers that shapes are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.onnx_format import OnnxFormatError
from ono99_env.bots.policies.onnx_structure import Message

MOST_NUMBERS = 2**28
"""Numbers that a network may hold and compute for one batch in all: 1 GiB as float32."""

MOST_KNOWN = 256
"""Numbers of a value that are followed, such as the sizes that a node gives to another."""

_SIZES = {1: 4, 2: 1, 3: 1, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 16: 2}
"""Bytes of a number by the type of its tensor: floats of all kinds, whole numbers, truth values."""

INT64 = 7


@dataclass(frozen=True)
class Value:
    """A tensor, of which only the shape is known unless it is a few whole numbers."""

    shape: tuple[int, ...]
    numbers: NDArray[np.int64] | None = None
    """What it holds, where that is known."""

    def __post_init__(self) -> None:
        if any(size < 0 for size in self.shape) or len(self.shape) > 16:
            raise OnnxFormatError(f"has a tensor of an impossible shape: {list(self.shape)}")

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return prod(self.shape)

    def axis(self, number: int, more: int = 0) -> int:
        """An axis counted from the start; negative ones are counted from the end.

        Args:
            number: The axis.
            more: Axes that are to be added.
        """
        rank = len(self.shape) + more
        if not -rank <= number < max(rank, 1):
            raise OnnxFormatError(f"names an axis that a tensor does not have: {number}")
        return number % max(rank, 1)


@dataclass(frozen=True)
class Node:
    """A node with the values that it reads."""

    operator: str
    attributes: Mapping[str, Message]
    inputs: Sequence[Value | None]
    outputs: int
    """How many outputs it has."""

    def __getitem__(self, index: int) -> Value:
        """An input that must be there."""
        value = self.inputs[index] if index < len(self.inputs) else None
        if value is None:
            raise OnnxFormatError(f"has a node {self.operator} without its inputs")
        return value

    def number(self, name: str, default: int) -> int:
        """An attribute that is a whole number."""
        value: int = self.attributes.get(name, {}).get("number", default)
        return value

    def numbers(self, name: str, index: int | None = None) -> list[int] | None:
        """Whole numbers from an attribute or, since newer operator sets, an input.

        Raises:
            OnnxFormatError: If they are an input whose numbers are only known once it is computed.
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
    """Counts the numbers of a network."""

    spent: int = field(default=0)

    def spend(self, value: Value) -> None:
        """Count a value.

        Raises:
            OnnxFormatError: If the network holds too many numbers with it.
        """
        self.spent += value.size
        if self.spent > MOST_NUMBERS:
            raise OnnxFormatError(
                f"needs too much memory: it holds more than {MOST_NUMBERS:,} numbers for one batch"
            )


def value_of_tensor(tensor: Message) -> Value:
    """The value of a tensor that a file holds.

    Raises:
        OnnxFormatError: If its numbers are of a kind that a bot file may not have, or there are
            more or fewer of them than its shape says.
    """
    shape, kind = tuple(tensor["shape"]), tensor.get("type", 0)
    value = Value(shape)
    if kind not in _SIZES:
        raise OnnxFormatError(f"has a tensor that holds no numbers (type {kind})")
    if "raw" in tensor:
        fits = len(tensor["raw"]) == value.size * _SIZES[kind]
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
    """The numbers of a small tensor of whole numbers."""
    if tensor.get("type") != INT64 or size > MOST_KNOWN:
        return None
    numbers: Any = tensor["numbers"]
    if "raw" in tensor:
        numbers = np.frombuffer(bytes(tensor["raw"]), "<i8")
    if len(numbers) != size:
        raise OnnxFormatError("has a tensor with other numbers than its shape says")
    return np.array(numbers, np.int64).reshape(tensor["shape"])
