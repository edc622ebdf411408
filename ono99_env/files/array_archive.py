"""Files of nested dictionaries and lists of arrays, numbers and texts, without pickles.

An archive is a ZIP file as `numpy.savez` writes it: one member for each array, and one with the
JSON text of everything else. The checksums of ZIP reveal damage.

Why not safetensors: it holds flat maps of plain numeric tensors. The records of games are
structured arrays, and the states of generators are nested fields with 128-bit integers.
"""

import io
import json
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ono99_env.files.atomic import write_atomically
from ono99_env.files.regular_files import read_regular_file

LARGEST_ARCHIVE = 2**32
"""The most bytes that are read: 4 GiB."""

_TREE = "tree"
"""Member with the JSON text, as an array of bytes."""
_ARRAY = "array"
"""Key of the JSON object that stands for an array."""


class ArchiveError(ValueError):
    """Why a file is no archive, as the end of a sentence about it."""


def write_archive(path: Path, tree: Mapping[str, Any]) -> None:
    """Write a tree; an older file is replaced at once or, if that fails, kept.

    Args:
        path: The file.
        tree: Dictionaries, lists and tuples of NumPy arrays, numbers, texts, truth values and
            None; keys are texts. A tuple is read back as a list.

    Raises:
        OSError: If it cannot be written, as on a full disk.
        TypeError: If the tree holds anything else.
        ValueError: If an array holds Python objects.
    """
    arrays: dict[str, NDArray[Any]] = {}
    text = json.dumps(_without_arrays(tree, arrays))
    arrays[_TREE] = np.frombuffer(text.encode(), np.uint8)
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **arrays)
    write_atomically(path, content.getvalue())


def read_archive(path: Path) -> dict[str, Any]:
    """Read what `write_archive` wrote.

    Nothing in the file can run code, or reserve more memory than the file is long.

    Args:
        path: A regular file of at most `LARGEST_ARCHIVE` bytes.

    Raises:
        FileNotFoundError: If there is no such file.
        UnreadableError: If it cannot be read.
        ArchiveError: If it is no archive, or damaged.
    """
    content = read_regular_file(path, LARGEST_ARCHIVE)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if sum(each.file_size for each in members) > len(content):
                raise ValueError("its members are larger than the file")  # they overlap
            arrays = {each.filename: _read_array(archive, each) for each in members}
        tree = _with_arrays(json.loads(arrays[f"{_TREE}.npy"].tobytes()), arrays)
    except Exception as error:  # the readers of ZIP, NumPy and JSON raise dozens of classes
        raise ArchiveError(f"is damaged, or was not written by this program ({error})") from error
    if not isinstance(tree, dict):
        raise ArchiveError("holds no fields")
    return tree


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Read a member, whose header must declare as many bytes as there are."""
    if member.compress_type != zipfile.ZIP_STORED or member.file_size != member.compress_size:
        raise ValueError(f"{member.filename} is compressed")
    with archive.open(member) as file:
        content = file.read()
    stream = io.BytesIO(content)
    if npy.read_magic(stream) != (1, 0):
        raise ValueError(f"{member.filename} is not in version 1.0 of NumPy's format")
    shape, _, dtype = npy.read_array_header_1_0(stream)
    if dtype.itemsize * math.prod(shape) != len(content) - stream.tell():
        raise ValueError(f"{member.filename} declares another size than it has")
    stream.seek(0)
    array: NDArray[Any] = npy.read_array(stream, allow_pickle=False)
    return array


def _without_arrays(tree: Any, arrays: dict[str, NDArray[Any]]) -> Any:
    """Return the tree with a JSON object in place of each array, which goes into `arrays`."""
    if isinstance(tree, Mapping):
        return {key: _without_arrays(value, arrays) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return [_without_arrays(value, arrays) for value in tree]
    if isinstance(tree, np.ndarray):
        name = f"{_ARRAY}_{len(arrays)}"
        arrays[name] = tree
        return {_ARRAY: name}
    return tree.item() if isinstance(tree, np.generic) else tree


def _with_arrays(tree: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    if isinstance(tree, dict):
        if tree.keys() == {_ARRAY}:
            return arrays[f"{tree[_ARRAY]}.npy"]
        return {key: _with_arrays(value, arrays) for key, value in tree.items()}
    return [_with_arrays(value, arrays) for value in tree] if isinstance(tree, list) else tree
