"""Encode the metadata of a bot file as entries of its ONNX file, and decode them.

Each field of `BotMetadata` is one entry: its name with the prefix ``ono99.``, and its value as
JSON, so any ONNX viewer shows them.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from ono99_env.messages.errors import BotFileError

LARGEST_METADATA = 2**20
"""Bytes that all metadata of a bot file may take."""

_PREFIX = "ono99."

_LONGEST_SHOWN = 40
"""Characters of the name of an entry that are shown."""


def encode_entries(metadata: BaseModel, name: str) -> dict[str, str]:
    """Encode metadata as entries.

    Args:
        metadata: The metadata.
        name: What messages call the file.

    Raises:
        BotFileError: If it is too large or cannot be written as JSON.
    """
    try:
        fields = metadata.model_dump(mode="json")
        entries = {
            f"{_PREFIX}{field}": json.dumps(value, allow_nan=False)
            for field, value in fields.items()
        }
    except (PydanticSerializationError, ValueError, TypeError, RecursionError) as error:
        raise BotFileError(
            f"the metadata of {name} cannot be written as JSON: `training` and `results` may hold "
            "texts, finite numbers, truth values, lists and dictionaries of these."
        ) from error
    _check_size(entries.items(), name)
    return entries


def decode_entries(entries: Sequence[tuple[str, str]], name: str) -> dict[str, Any]:
    """Decode the fields from the entries of a file; entries of other programs are ignored.

    Args:
        entries: Names and values.
        name: What messages call the file.

    Raises:
        BotFileError: If there are none of a bot file, they are too large, or one is not JSON or
            occurs twice.
    """
    _check_size(entries, name)
    ours = [(key.removeprefix(_PREFIX), text) for key, text in entries if key.startswith(_PREFIX)]
    if not ours:
        raise BotFileError(
            f"{name} is an ONNX file but not a bot file: it has no metadata of ono99-env. Bot "
            "files are written by ono99_env.bots.policies.torch_export."
        )
    if len(dict(entries)) < len(entries):
        raise BotFileError(f"{name} is damaged: it has two metadata entries of the same name.")
    return {field: _decode(field, text, name) for field, text in ours}


def _decode(field: str, text: str, name: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BotFileError(
            f"{name} is damaged: its {field[:_LONGEST_SHOWN]} is not JSON."
        ) from error


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


def _check_size(entries: Iterable[tuple[str, str]], name: str) -> None:
    size = sum(len(key.encode()) + len(text.encode()) for key, text in entries)
    if size > LARGEST_METADATA:
        raise BotFileError(
            f"{name} has {size:,} bytes of metadata, and a bot file may have {LARGEST_METADATA:,} "
            "at most."
        )
