"""A file is written as a whole or not at all."""

import os

import pytest

from ono99_env.files.atomic import drafts_in, write_atomically


def test_a_failed_write_leaves_the_older_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, b"older")

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"newer")
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_the_drafts_of_killed_processes_are_found(tmp_path, monkeypatch):
    path = tmp_path / "file.npz"
    monkeypatch.setattr(os, "fsync", lambda _: drafts.extend(drafts_in(tmp_path)))
    drafts: list = []
    write_atomically(path, b"content")
    assert [draft.name for draft in drafts] == [f".file.npz.{os.getpid()}"]
    assert not list(drafts_in(tmp_path))
