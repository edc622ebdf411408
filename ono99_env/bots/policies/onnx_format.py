"""Just enough of the ONNX file format to read what a file holds, and to cut parts out.

An ONNX file is one protocol buffer message. Reading it here, before onnxruntime does, means that a
bot file is known to hold nothing but a network before anything is built from it, and that metadata
needs no other package. `onnx_structure` says which fields there may be; the encoding is described
at https://protobuf.dev/programming-guides/encoding.
"""

from collections.abc import Collection, Iterator, Mapping

VARINT, EIGHT_BYTES, DELIMITED, FOUR_BYTES = 0, 1, 2, 5
"""How a field is written: wire types of protocol buffers."""

_LARGEST_TAG = 2**32 - 1

_GRAPH, _METADATA = 7, 14
_NODE, _OUTPUT, _VALUE = 1, 12, 13
_NODE_INPUT, _NODE_OUTPUT = 1, 2


class OnnxFormatError(ValueError):
    """What is wrong with the bytes of an ONNX file, as the end of a sentence about the file."""


def replace_metadata_entries(model: bytes, entries: Mapping[str, str]) -> bytes:
    """Replace all metadata entries of a file.

    Raises:
        OnnxFormatError: If the file is not a whole ONNX file.
    """
    kept = [whole for number, _, _, whole in _fields(memoryview(model)) if number != _METADATA]
    added = [
        _delimited(_METADATA, _delimited(1, key.encode()) + _delimited(2, value.encode()))
        for key, value in entries.items()
    ]
    return b"".join([*kept, *added])


def keep_outputs(model: bytes, outputs: Collection[str]) -> bytes:
    """Cut a file down to some of its outputs, and drop what it claims of values in between.

    onnxruntime computes all nodes of a graph, whatever outputs it is asked for.

    Args:
        model: An ONNX file that `onnx_structure.read_model` takes.
        outputs: The names of the outputs to keep.

    Raises:
        OnnxFormatError: If it is not a whole ONNX file.
    """
    return b"".join(
        _delimited(_GRAPH, _cut_down(graph, outputs)) if number == _GRAPH else bytes(whole)
        for number, _, graph, whole in _fields(memoryview(model))
    )


def _cut_down(graph: memoryview, outputs: Collection[str]) -> bytes:
    """The graph without other outputs and without the nodes that these do not need."""
    fields = list(_fields(graph))
    nodes = [node for number, _, node, _ in fields if number == _NODE]
    makers = {name: node for node in nodes for name in _texts(node, _NODE_OUTPUT)}
    needed: set[str] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _texts(makers[name], _NODE_INPUT) if name in makers else []

    def is_kept(number: int, value: memoryview) -> bool:
        if number == _NODE:
            return not needed.isdisjoint(_texts(value, _NODE_OUTPUT))
        if number == _OUTPUT:
            return not set(outputs).isdisjoint(_texts(value, 1))
        return number != _VALUE

    return b"".join(whole for number, _, value, whole in fields if is_kept(number, value))


def fields_of(message: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    """Read a message: of each field its number, its wire type and its value.

    Raises:
        OnnxFormatError: If it is no message, or cut short.
    """
    for number, wire_type, value, _ in _fields(message):
        yield number, wire_type, value


def _fields(message: memoryview) -> Iterator[tuple[int, int, memoryview, memoryview]]:
    """Each field of a message: its number, its wire type, its value, and all its bytes."""
    position = 0
    while position < len(message):
        start = position
        tag, position = read_varint(message, position)
        wire_type, value = tag & 7, position
        if wire_type == VARINT:
            _, position = read_varint(message, position)
        elif wire_type == DELIMITED:
            length, value = read_varint(message, position)
            position = value + length
        elif wire_type in (EIGHT_BYTES, FOUR_BYTES):
            position += 8 if wire_type == EIGHT_BYTES else 4
        else:
            raise OnnxFormatError("is not an ONNX file")
        # Other readers cut a larger tag off, and would see another field than this one.
        if not 8 <= tag <= _LARGEST_TAG or position > len(message):
            raise OnnxFormatError("is not an ONNX file, or is cut short")
        yield tag >> 3, wire_type, message[value:position], message[start:position]


def read_varint(message: memoryview, position: int) -> tuple[int, int]:
    """Read a number, seven bits a byte, lowest first.

    Returns:
        The number, and the position behind it.

    Raises:
        OnnxFormatError: If the message ends before the number does.
    """
    number = 0
    for shift, byte in enumerate(message[position : position + 10]):
        number |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return number, position + shift + 1
    raise OnnxFormatError("is not an ONNX file, or is cut short")


def text_of(value: memoryview) -> str:
    """Decode a text.

    Raises:
        OnnxFormatError: If it is no text in UTF-8.
    """
    try:
        return bytes(value).decode()
    except UnicodeDecodeError as error:
        raise OnnxFormatError("is not an ONNX file, or is damaged") from error


def _texts(message: memoryview, field: int) -> list[str]:
    """The texts in a repeated field of a message, but for empty ones."""
    return [text_of(value) for number, _, value in fields_of(message) if number == field and value]


def _delimited(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | DELIMITED) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
