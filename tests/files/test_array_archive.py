"""An archive gives back what was written, and no file makes it run code or reserve memory."""

import io
import json
import os
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ono99_env.files.array_archive import ArchiveError, read_archive, write_archive
from ono99_env.files.regular_files import UnreadableError

TREE = {
    "numbers": {"a": 1, "none": None, "share": 0.1, "yes": True, "large": 2**127 - 1},
    "list": [1, {"deep": np.arange(6, dtype=np.float32).reshape(2, 3)}],
    "columns": np.asfortranarray(np.arange(6).reshape(2, 3)),
    "records": np.zeros(3, np.dtype([("seat", np.int8), ("hands", np.uint64, (2,))])),
    "empty": np.zeros((0, 4)),
}


def npy(array: np.ndarray, **options) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array(content, array, **options)
    return content.getvalue()


def text_member(tree: object) -> bytes:
    return npy(np.frombuffer(json.dumps(tree).encode(), np.uint8))


def write_zip(path: Path, members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def header(shape: str, dtype: str = "'<f4'") -> bytes:
    text = f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def test_a_tree_comes_back_as_it_was(tmp_path):
    path = tmp_path / "tree.npz"
    write_archive(path, TREE)
    found = read_archive(path)
    assert found.keys() == TREE.keys()
    assert found["numbers"] == TREE["numbers"]
    for name in ("columns", "records", "empty"):
        assert found[name].dtype == TREE[name].dtype
        assert found[name].tobytes() == TREE[name].tobytes()
    assert (found["list"][1]["deep"] == TREE["list"][1]["deep"]).all()
    assert [file.name for file in tmp_path.iterdir()] == ["tree.npz"]


class Runs:
    """Unpickling one makes a folder."""

    def __reduce__(self):
        return os.mkdir, ("ran",)


TREE_OF_ONE = text_member({"x": {"array": "array_0"}})


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"tree.npy": text_member([1])},
        {"tree.npy": text_member({"x": {"array": "array_7"}})},
        {"tree.npy": text_member({"x": {"array": ["a"]}})},
        {"tree.npy": npy(np.frombuffer(b"{", np.uint8))},
        {"tree.npy": npy(np.frombuffer(b"[" * 10**6, np.uint8))},
        {"tree.npy": b"short"},
        {"tree.npy": TREE_OF_ONE, "array_0.npy": header("(2**40,)")},
        {"tree.npy": TREE_OF_ONE, "array_0.npy": header("(1000000000000,)")},
        {"tree.npy": TREE_OF_ONE, "array_0.npy": header("(-1, -1)") + bytes(4)},
        {"tree.npy": TREE_OF_ONE, "array_0.npy": header("(3,)") + bytes(4)},
        {"tree.npy": TREE_OF_ONE, "array_0.npy": header("(1,)", "'|O'") + pickle.dumps([Runs()])},
        {
            "tree.npy": TREE_OF_ONE,
            "array_0.npy": npy(np.array([Runs()], object), allow_pickle=True),
        },
    ],
)
def test_a_file_that_holds_something_else_is_refused_in_a_sentence(tmp_path, monkeypatch, members):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tree.npz"
    write_zip(path, members)
    with pytest.raises(ArchiveError) as caught:
        read_archive(path)
    assert str(caught.value).startswith(("is damaged, or was not written", "holds no fields"))
    assert not (tmp_path / "ran").exists()


def test_a_compressed_file_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "tree.npz"
    write_zip(path, {"tree.npy": bytes(10**7)}, zipfile.ZIP_DEFLATED)
    with pytest.raises(ArchiveError, match="larger than the file"):
        read_archive(path)


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(UnreadableError, match="is a folder"):
        read_archive(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableError, match="is a pipe"):
        read_archive(tmp_path / "pipe")
    with pytest.raises(FileNotFoundError):
        read_archive(tmp_path / "gone")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(ArchiveError):
        read_archive(tmp_path / "text")
