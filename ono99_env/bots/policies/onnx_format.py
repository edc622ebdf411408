"""Just enough of the ONNX file format for metadata, for what a file holds, and to cut parts out.

An ONNX file is one protocol buffer message. Reading it here, before onnxruntime does, means that a
bot file is known to hold nothing but standard operators and its own numbers before anything is
built from it, and that metadata needs no other package. The field numbers are those of
https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, the encoding is described at
https://protobuf.dev/programming-guides/encoding.
"""

from collections.abc import Iterator, Mapping

_VARINT, _EIGHT_BYTES, _DELIMITED, _FOUR_BYTES = 0, 1, 2, 5
_LARGEST_TAG = 2**32 - 1

_GRAPH, _METADATA, _OPERATOR_SETS = 7, 14, 8
_NODE, _OUTPUT = 1, 12
_NODE_INPUT, _NODE_OUTPUT, _ATTRIBUTE = 1, 2, 5
_GRAPH_ATTRIBUTES = (6, 11)
_TRAINING, _FUNCTIONS = 20, 25
_EXTERNAL_DATA, _DATA_LOCATION = 13, 14

_NESTED: dict[str, dict[int, str]] = {
    "model": {7: "graph"},
    "graph": {1: "node", 5: "tensor", 15: "sparse tensor"},
    "node": {5: "attribute"},
    "attribute": {
        **{5: "tensor", 10: "tensor", 6: "graph", 11: "graph"},
        **{22: "sparse tensor", 23: "sparse tensor"},
    },
    "sparse tensor": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
"""Where tensors can lie: for each kind of message its fields that lead to them."""


class OnnxFormatError(ValueError):
    """What is wrong with the bytes of an ONNX file, as the end of a sentence about the file."""


def read_metadata_entries(model: bytes) -> dict[str, str]:
    """The metadata entries of an ONNX file.

    Raises:
        OnnxFormatError: If the file is not a whole ONNX file.
    """
    entries = [value for number, value, _ in _fields(memoryview(model)) if number == _METADATA]
    return {_text(entry, 1): _text(entry, 2) for entry in entries}


def replace_metadata_entries(model: bytes, entries: Mapping[str, str]) -> bytes:
    """The same file with other metadata entries in place of all it has.

    Raises:
        OnnxFormatError: If the file is not a whole ONNX file.
    """
    kept = [whole for number, _, whole in _fields(memoryview(model)) if number != _METADATA]
    added = [
        _delimited(_METADATA, _delimited(1, key.encode()) + _delimited(2, value.encode()))
        for key, value in entries.items()
    ]
    return b"".join([*kept, *added])


def keep_output(model: bytes, output: str) -> bytes:
    """The same file without the nodes that only other outputs need.

    onnxruntime computes all nodes of a graph, whatever outputs it is asked for.

    Args:
        model: An ONNX file.
        output: The name of the output to keep.

    Raises:
        OnnxFormatError: If it is not a whole ONNX file.
    """
    fields = list(_fields(memoryview(model)))
    if sum(number == _GRAPH for number, _, _ in fields) != 1:
        return model
    return b"".join(
        _delimited(_GRAPH, _cut_down(graph, output)) if number == _GRAPH else bytes(whole)
        for number, graph, whole in fields
    )


def _cut_down(graph: memoryview, output: str) -> bytes:
    """The graph without other outputs and without the nodes that this one does not need."""
    fields = list(_fields(graph))
    nodes = [node for number, node, _ in fields if number == _NODE]
    if any(_has_graph(node) for node in nodes):  # such a graph reads names of this one
        return bytes(graph)
    makers = {name: node for node in nodes for name in _texts(node, _NODE_OUTPUT)}
    needed, waiting = set(), [output]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _texts(makers[name], _NODE_INPUT) if name in makers else []

    def is_kept(number: int, value: memoryview) -> bool:
        if number == _NODE:
            return not needed.isdisjoint(_texts(value, _NODE_OUTPUT))
        return number != _OUTPUT or _text(value, 1) == output

    return b"".join(whole for number, value, whole in fields if is_kept(number, value))


def _has_graph(node: memoryview) -> bool:
    """Whether a node holds a graph of its own, as a loop or a choice does."""
    return any(
        part in _GRAPH_ATTRIBUTES
        for number, attribute, _ in _fields(node)
        if number == _ATTRIBUTE
        for part, _, _ in _fields(attribute)
    )


def check_self_contained(model: bytes) -> None:
    """Refuse a file that refers to other files, or to operators that are not standard ONNX.

    Raises:
        OnnxFormatError: If it does, or is not a whole ONNX file.
    """
    for number, value, _ in _fields(memoryview(model)):
        if number in (_TRAINING, _FUNCTIONS):
            raise OnnxFormatError("holds functions or training graphs, which a bot file may not")
        if number == _OPERATOR_SETS:
            domain = _text(value, 1)
            if domain not in ("", "ai.onnx"):
                raise OnnxFormatError(f"uses operators that are not standard ONNX: {domain!r}")
    _check_tensors(memoryview(model))


def _check_tensors(model: memoryview) -> None:
    """Refuse tensors whose numbers lie in another file, wherever in the model they are."""
    waiting = [("model", model)]
    while waiting:
        kind, message = waiting.pop()
        for number, value, _ in _fields(message):
            nested = _NESTED[kind].get(number)
            if nested is not None:
                waiting.append((nested, value))
            if kind == "tensor" and number in (_EXTERNAL_DATA, _DATA_LOCATION) and any(value):
                raise OnnxFormatError("takes numbers from another file, which a bot file may not")


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """Each field of a message: its number, its value, and all its bytes."""
    position = 0
    while position < len(message):
        start = position
        tag, position = _read_varint(message, position)
        wire_type, value = tag & 7, position
        if wire_type == _VARINT:
            _, position = _read_varint(message, position)
        elif wire_type == _DELIMITED:
            length, value = _read_varint(message, position)
            position = value + length
        elif wire_type in (_EIGHT_BYTES, _FOUR_BYTES):
            position += 8 if wire_type == _EIGHT_BYTES else 4
        else:
            raise OnnxFormatError("is not an ONNX file")
        # Other readers cut a larger tag off, and would see another field than this one.
        if not 8 <= tag <= _LARGEST_TAG or position > len(message):
            raise OnnxFormatError("is not an ONNX file, or is cut short")
        yield tag >> 3, message[value:position], message[start:position]


def _read_varint(message: memoryview, position: int) -> tuple[int, int]:
    """The number at a position, seven bits a byte, lowest first, and the position behind it."""
    number = 0
    for shift, byte in enumerate(message[position : position + 10]):
        number |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return number, position + shift + 1
    raise OnnxFormatError("is not an ONNX file, or is cut short")


def _text(message: memoryview, field: int) -> str:
    """The text in a field of a message, empty if it has no such field."""
    return ["", *_texts(message, field)][-1]


def _texts(message: memoryview, field: int) -> list[str]:
    """The texts in a repeated field of a message, but for empty ones."""
    values = [value for number, value, _ in _fields(message) if number == field and len(value)]
    try:
        return [bytes(value).decode() for value in values]
    except UnicodeDecodeError as error:
        raise OnnxFormatError("is not an ONNX file, or is damaged") from error


def _delimited(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _DELIMITED) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
