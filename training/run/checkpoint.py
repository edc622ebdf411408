"""Checkpoint files: nested dictionaries of arrays, numbers and strings, in a file without pickles.

The file is a ZIP archive as `numpy.savez` writes it, with one array for each array of the state and
one with the JSON text of everything else. A file is replaced as a whole or not at all, and a
damaged one is recognised by the checksums of the archive.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.policies.bot_file import write_atomically
from ono99_env.messages.errors import UsageError

FORMAT_VERSION = 1
"""Changes whenever what a checkpoint holds does."""

_TREE = "tree"
_ARRAY = "array"
"""Key of the JSON object that stands for an array."""


def write_checkpoint(path: Path, state: Mapping[str, Any]) -> None:
    """Write a state; an older checkpoint is replaced at once or, if that fails, kept.

    Args:
        path: The file.
        state: Dictionaries and lists of NumPy arrays, numbers, strings, truth values and None;
            keys are strings.

    Raises:
        OSError: If it cannot be written, as on a full disk.
    """
    arrays: dict[str, NDArray[Any]] = {}
    text = json.dumps({"format_version": FORMAT_VERSION, "state": _put_away(state, arrays)})
    content = io.BytesIO()
    arrays[_TREE] = np.frombuffer(text.encode(), np.uint8)
    np.savez(content, allow_pickle=False, **arrays)
    write_atomically(path, content.getvalue())


def read_checkpoint(path: Path) -> dict[str, Any]:
    """Read what `write_checkpoint` wrote.

    Raises:
        UsageError: If there is no such file, it is damaged, or of another version.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(f"there is no checkpoint {path}") from error
    except OSError as error:
        raise UsageError(f"cannot read the checkpoint {path}: {error.strerror}") from error
    try:
        version, state = _parse(content)
    except Exception as error:  # what the readers of ZIP and NumPy raise has no common class
        raise UsageError(
            f"the checkpoint {path} is damaged ({error}). Restore it from a copy, or train anew; "
            "the bot files beside it can be used as they are."
        ) from error
    if version != FORMAT_VERSION:
        raise UsageError(
            f"the checkpoint {path} is of format version {version}, and this version of the code "
            f"reads {FORMAT_VERSION}. Continue it with the code that it was written by."
        )
    return state


def _parse(content: bytes) -> tuple[int, dict[str, Any]]:
    """The format version and the state in the bytes of a checkpoint."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        damaged = archive.testzip()
    if damaged is not None:
        raise ValueError(f"the checksum of {damaged} is wrong")
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        tree = json.loads(bytes(arrays[_TREE]))
        return tree["format_version"], _put_back(tree["state"], arrays)


def _put_away(state: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """The state with a JSON object for each array, which goes into `arrays`."""
    if isinstance(state, Mapping):
        return {key: _put_away(value, arrays) for key, value in state.items()}
    if isinstance(state, list | tuple):
        return [_put_away(value, arrays) for value in state]
    if isinstance(state, np.ndarray):
        name = f"{_ARRAY}_{len(arrays)}"
        arrays[name] = state
        return {_ARRAY: name}
    return state.item() if isinstance(state, np.generic) else state


def _put_back(tree: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    if isinstance(tree, dict):
        if tree.keys() == {_ARRAY}:
            return arrays[tree[_ARRAY]]
        return {key: _put_back(value, arrays) for key, value in tree.items()}
    return [_put_back(value, arrays) for value in tree] if isinstance(tree, list) else tree
