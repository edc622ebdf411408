"""A checkpoint gives back what it was given, is replaced at once, and is known when damaged."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ono99_env.messages.errors import UsageError
from training.run.checkpoint import read_checkpoint, write_checkpoint

ROOT = Path(__file__).parents[3]

STATE = {
    "counts": {"a": 1, "none": None, "share": 0.1, "name": "x", "yes": True},
    "large": 2**127 - 1,  # as in the state of a generator
    "list": [1, {"deep": np.arange(6, dtype=np.float32).reshape(2, 3)}],
    "records": np.zeros(3, np.dtype([("seat", np.int8), ("hands", np.uint64, (2,))])),
    "empty": np.zeros((0, 4)),
}


def assert_same(one: object, two: object) -> None:
    if isinstance(one, dict):
        assert one.keys() == two.keys()
        for key in one:
            assert_same(one[key], two[key])
    elif isinstance(one, list):
        assert len(one) == len(two)
        for left, right in zip(one, two, strict=True):
            assert_same(left, right)
    elif isinstance(one, np.ndarray):
        assert one.dtype == two.dtype
        assert one.shape == two.shape
        assert one.tobytes() == two.tobytes()
    else:
        assert one == two
        assert type(one) is type(two)


def test_a_state_comes_back_as_it_was(tmp_path):
    path = tmp_path / "checkpoint.npz"
    write_checkpoint(path, STATE)
    assert_same(STATE, read_checkpoint(path))
    assert [file.name for file in tmp_path.iterdir()] == ["checkpoint.npz"]


def test_it_holds_no_pickle(tmp_path):
    path = tmp_path / "checkpoint.npz"
    with pytest.raises((TypeError, ValueError)):
        write_checkpoint(path, {"object": np.array([object()])})
    assert not path.exists()


def refusal(path: Path, content: bytes) -> str | None:
    """What a changed file is refused with; None if it reads as the same state."""
    path.write_bytes(content)
    try:
        state = read_checkpoint(path)
    except UsageError as error:
        return str(error)
    assert_same(STATE, state)  # the byte means nothing, as in a time stamp
    return None


def test_a_damaged_file_is_refused_wherever_the_damage_is(tmp_path):
    path = tmp_path / "checkpoint.npz"
    write_checkpoint(path, STATE)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    damaged = [whole[:length] for length in (0, 1, len(whole) // 2, len(whole) - 1)]
    for position in rng.choice(len(whole), 150, replace=False):
        changed = bytearray(whole)
        changed[position] ^= 0x55
        damaged.append(bytes(changed))
    messages = [refusal(path, content) for content in damaged]
    refused = [message for message in messages if message is not None]
    assert all("is damaged" in message for message in refused)
    assert len(refused) > len(damaged) // 2


def test_a_missing_file_and_another_version_are_named(tmp_path, monkeypatch):
    path = tmp_path / "checkpoint.npz"
    with pytest.raises(UsageError, match=r"there is no checkpoint .*checkpoint\.npz"):
        read_checkpoint(path)
    monkeypatch.setattr("training.run.checkpoint.CHECKPOINT_VERSION", 99)
    write_checkpoint(path, STATE)
    monkeypatch.undo()
    with pytest.raises(UsageError, match="is of format version 99, and this version"):
        read_checkpoint(path)


def test_a_full_disk_leaves_the_old_file(tmp_path):
    path = tmp_path / "checkpoint.npz"
    write_checkpoint(path, STATE)
    script = (
        "import numpy as np, pathlib\n"
        "from training.run.checkpoint import write_checkpoint\n"
        f"write_checkpoint(pathlib.Path({str(path)!r}), {{'big': np.ones(10**6)}})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10**6, 10**6)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "OSError" in done.stderr
    assert_same(STATE, read_checkpoint(path))
    assert [file.name for file in tmp_path.iterdir()] == ["checkpoint.npz"]
