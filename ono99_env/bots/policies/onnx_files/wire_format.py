"""Decode and encode protocol buffers, the encoding of ONNX files.

An ONNX file is one message, and a message is a row of fields::

    | tag: field number << 3 | wire type | length (texts and messages) | value | tag | ...

Tags, lengths and whole numbers are varints: seven bits per byte, the lowest first, and the highest
bit of a byte says that another one follows. See
https://protobuf.dev/programming-guides/encoding. `parser` knows which fields there are.
"""

from collections.abc import Iterator
from typing import NamedTuple

VARINT, EIGHT_BYTES, DELIMITED, FOUR_BYTES = 0, 1, 2, 5
"""How a field is written: wire types of protocol buffers."""

_LARGEST_TAG = 2**32 - 1


class OnnxFormatError(ValueError):
    """What is wrong with the bytes of an ONNX file, as the end of a sentence about the file."""


class WireField(NamedTuple):
    """A field of a message as it is written."""

    number: int
    """Which field of the message it is."""
    wire_type: int
    """How its value is written."""
    value: memoryview
    """The bytes of its value."""
    whole: memoryview
    """All its bytes, from the tag on."""


def fields_of(message: memoryview) -> Iterator[WireField]:
    """Read the fields of a message one by one.

    Raises:
        OnnxFormatError: If it is not a message, or is cut short.
    """
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
        yield WireField(tag >> 3, wire_type, message[value:position], message[start:position])


def read_varint(message: memoryview, position: int) -> tuple[int, int]:
    """Read a varint.

    Returns:
        The number, and the position after it.

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
        OnnxFormatError: If it is not UTF-8.
    """
    try:
        return bytes(value).decode()
    except UnicodeDecodeError as error:
        raise OnnxFormatError("is not an ONNX file, or is damaged") from error


def delimited(number: int, value: bytes) -> bytes:
    """Encode a field that is a text or a message."""
    return _varint(number << 3 | DELIMITED) + _varint(len(value)) + value


def _varint(number: int) -> bytes:
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)
