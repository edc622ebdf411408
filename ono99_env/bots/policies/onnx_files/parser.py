"""Read an ONNX file, and refuse every part that a bot file may not have.

Each type of message has a table of the fields that it may have. Anything else is refused, so what
onnxruntime reads later is what was checked here. The field numbers are those of
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from ono99_env.bots.policies.onnx_files.wire_format import (
    DELIMITED,
    VARINT,
    OnnxFormatError,
    fields_of,
    read_varint,
    text_of,
)

MOST_PARTS = 100_000
"""Fields that a file may have in all; one of a hundred layers has a few thousand."""

_UNSIGNED, _SIGN = 2**64, 2**63


class Field(NamedTuple):
    """The name of a field of a message, and what it holds."""

    name: str
    content: str
    """``number``, ``text``, ``bytes``, or the type of message: a key of `_FIELDS`."""
    is_list: bool = False


_FIELDS: dict[str, dict[int, Field]] = {
    "model": {
        1: Field("ir_version", "number"),
        2: Field("producer_name", "text"),
        3: Field("producer_version", "text"),
        4: Field("domain", "text"),
        5: Field("model_version", "number"),
        6: Field("documentation", "text"),
        7: Field("graph", "graph"),
        8: Field("operator_sets", "operator set", is_list=True),
        14: Field("metadata", "entry", is_list=True),
    },
    "graph": {
        1: Field("nodes", "node", is_list=True),
        2: Field("name", "text"),
        5: Field("tensors", "tensor", is_list=True),
        10: Field("documentation", "text"),
        11: Field("inputs", "value", is_list=True),
        12: Field("outputs", "value", is_list=True),
        13: Field("values", "value", is_list=True),
        16: Field("metadata", "entry", is_list=True),
    },
    "node": {
        1: Field("inputs", "text", is_list=True),
        2: Field("outputs", "text", is_list=True),
        3: Field("name", "text"),
        4: Field("operator", "text"),
        5: Field("attributes", "attribute", is_list=True),
        6: Field("documentation", "text"),
        7: Field("domain", "text"),
        9: Field("metadata", "entry", is_list=True),
    },
    "attribute": {
        1: Field("name", "text"),
        2: Field("float", "bytes"),
        3: Field("number", "number"),
        4: Field("text", "bytes"),
        5: Field("tensor", "tensor"),
        7: Field("floats", "bytes", is_list=True),
        8: Field("numbers", "number", is_list=True),
        13: Field("documentation", "text"),
        20: Field("type", "number"),
    },
    "tensor": {
        1: Field("shape", "number", is_list=True),
        2: Field("type", "number"),
        4: Field("floats", "bytes", is_list=True),
        5: Field("small_numbers", "bytes", is_list=True),
        7: Field("numbers", "number", is_list=True),
        8: Field("name", "text"),
        9: Field("raw", "bytes"),
        10: Field("doubles", "bytes", is_list=True),
        12: Field("documentation", "text"),
        14: Field("location", "number"),
        16: Field("metadata", "entry", is_list=True),
    },
    "value": {
        1: Field("name", "text"),
        2: Field("type", "type"),
        3: Field("documentation", "text"),
        4: Field("metadata", "entry", is_list=True),
    },
    "type": {1: Field("tensor", "tensor type"), 6: Field("denotation", "text")},
    "tensor type": {1: Field("number_type", "number"), 2: Field("shape", "shape")},
    "shape": {1: Field("axes", "axis", is_list=True)},
    "axis": {
        1: Field("size", "number"),
        2: Field("name", "text"),
        3: Field("denotation", "text"),
    },
    "entry": {1: Field("key", "text"), 2: Field("value", "text")},
    "operator set": {1: Field("domain", "text"), 2: Field("version", "number")},
}

_FUNCTIONS = "holds functions or training graphs, which a bot file may not"
_BRANCHES = "holds a graph in a graph (a loop or a branch), which a bot file may not"
_ELSEWHERE = "takes numbers from another file, which a bot file may not"
_SPARSE = "holds sparse tensors, which a bot file may not"
_REFUSED = {
    ("model", 20): _FUNCTIONS,
    ("model", 25): _FUNCTIONS,
    ("graph", 15): _SPARSE,
    ("attribute", 6): _BRANCHES,
    ("attribute", 11): _BRANCHES,
    ("attribute", 22): _SPARSE,
    ("attribute", 23): _SPARSE,
    ("tensor", 13): _ELSEWHERE,
}
"""Why a field is refused, by message type and field number; other fields are only unknown."""

Message = dict[str, Any]
"""A message: its values by the names of the fields. Lists are always there."""


@dataclass
class _Reader:
    """Reads messages, and counts their parts up to the limit."""

    parts: int = 0

    def read(self, message_type: str, message: memoryview) -> Message:
        fields = _FIELDS[message_type]
        found: Message = {field.name: [] for field in fields.values() if field.is_list}
        for each in fields_of(message):
            self.parts += 1
            if self.parts > MOST_PARTS:
                raise OnnxFormatError(f"has more than {MOST_PARTS:,} parts")
            if each.number not in fields:
                refusal = _REFUSED.get((message_type, each.number))
                raise OnnxFormatError(refusal or _unknown(message_type, each.number))
            self._put(found, fields[each.number], each.wire_type, each.value)
        if message_type == "tensor" and found.get("location"):
            raise OnnxFormatError(_ELSEWHERE)
        return found

    def _put(self, found: Message, field: Field, wire_type: int, value: memoryview) -> None:
        if field.is_list:
            found[field.name] += self._values(field, wire_type, value)
            return
        # Other readers take the last of several, or join them.
        if field.name in found:
            raise OnnxFormatError(f"is not an ONNX file: it has more than one {field.name}")
        (found[field.name],) = self._values(field, wire_type, value)

    def _values(self, field: Field, wire_type: int, value: memoryview) -> list[Any]:
        if field.content == "bytes":
            return [value]
        if field.content == "number":
            return self._numbers(field, wire_type, value)
        if wire_type != DELIMITED:
            raise OnnxFormatError("is not an ONNX file")
        return [text_of(value) if field.content == "text" else self.read(field.content, value)]

    def _numbers(self, field: Field, wire_type: int, value: memoryview) -> list[int]:
        if wire_type == VARINT:
            return [_signed(read_varint(value, 0)[0])]
        if wire_type != DELIMITED or not field.is_list:
            raise OnnxFormatError("is not an ONNX file")
        numbers, position = [], 0
        while position < len(value):
            number, position = read_varint(value, position)
            numbers.append(_signed(number))
            self.parts += 1
            if self.parts > MOST_PARTS:
                raise OnnxFormatError(
                    f"has more than {MOST_PARTS:,} parts: whole numbers belong into raw data"
                )
        return numbers


def read_model(model: bytes) -> Message:
    """Read the content of an ONNX file into dictionaries.

    Args:
        model: Its content.

    Returns:
        The fields of the model by name, down to the tensors, whose numbers stay as they are.

    Raises:
        OnnxFormatError: If it is not a whole ONNX file, or has a part that a bot file may not have.
    """
    found = _Reader().read("model", memoryview(model))
    if not found["operator_sets"] and "graph" not in found:
        raise OnnxFormatError("is not an ONNX file")
    return found


def _signed(number: int) -> int:
    number %= _UNSIGNED
    return number - _UNSIGNED if number >= _SIGN else number


def _unknown(message_type: str, number: int) -> str:
    return (
        "is not an ONNX file, or has a part that a bot file may not have "
        f"(field {number} of a {message_type})"
    )
