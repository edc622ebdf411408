"""Whatever happens to the machine code on disk: programs run, and say in a line what was wrong."""

import errno
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the engine is not compiled"),
]

PROGRAM = """
import numpy as np
from ono99_env.jit.compile import called_from_python
{setup}

@called_from_python
def double(values):
    for index in range(len(values)):
        values[index] *= 2

values = np.array([21])
double(values)
print(values[0], sum(double.stats.cache_hits.values()))
"""


def start(folder: Path, setup: str = "") -> tuple[str, str]:
    """What a program prints and says whose one function is kept in a folder."""
    program = folder.parent / "program.py"
    program.write_text(PROGRAM.format(setup=setup))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip(), done.stderr


def flip(position: float) -> Callable[[bytes], bytes]:
    def damage(content: bytes) -> bytes:
        changed = bytearray(content)
        changed[int(position * (len(content) - 1))] ^= 0x10
        return bytes(changed)

    return damage


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "one byte": lambda content: content[:1],
    "cut": lambda content: content[: len(content) // 2],
    "longer": lambda content: content + b"\0",
    **{f"flipped at {position}": flip(position) for position in (0, 0.01, 0.3, 0.5, 0.7, 1)},
    "another pickle": lambda content: pickle.dumps(("0.1", "stamp", {})),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cache that has been filled."""
    folder = tmp_path / "cache"
    folder.mkdir()
    assert start(folder) == ("42 0", "")
    assert start(folder) == ("42 1", "")
    return folder


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_damaged_file_is_replaced(folder: Path, suffix: str) -> None:
    (path,) = folder.rglob(f"*{suffix}")
    sound = path.read_bytes()
    for name, damage in DAMAGES.items():
        path.write_bytes(damage(sound))
        shown, said = start(folder)
        assert (shown, said.count("\n")) == ("42 0", 1), name
        assert said.startswith("ono99-env: the machine code cached in"), said
        assert start(folder) == ("42 1", ""), name


def test_an_index_of_another_version_is_replaced_in_silence(folder: Path) -> None:
    setup = 'import numba.core.caching as caching; caching.numba.__version__ = "0.1"'
    assert start(folder, setup)[0] == "42 0"
    assert start(folder) == ("42 0", "")
    assert start(folder) == ("42 1", "")


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_a_missing_file_is_made_anew(folder: Path, suffix: str) -> None:
    (path,) = folder.rglob(f"*{suffix}")
    path.unlink()
    assert start(folder) == ("42 0", "")
    assert start(folder) == ("42 1", "")


FAILING = """
import errno, os, numba.core.caching as caching
def fail(*arguments, **options):
    raise OSError({number}, os.strerror({number}))
{what} = fail
"""


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
@pytest.mark.parametrize("what", ["os.replace", "caching.IndexDataCacheFile._open_for_write"])
def test_a_disk_that_takes_nothing_ends_no_program(tmp_path: Path, what: str, number: int) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    shown, said = start(folder, FAILING.format(number=number, what=what))
    assert shown == "42 0"
    lines = [line for line in said.splitlines() if line.startswith("ono99-env: the machine code")]
    assert len(lines) == 1
    assert os.strerror(number) in lines[0]
    assert start(folder)[0] == "42 0"
    assert not list(folder.rglob("*.tmp.*"))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_folder_that_cannot_be_made_ends_no_program(tmp_path: Path, number: int) -> None:
    setup = FAILING.format(number=number, what="os.makedirs")
    assert start(tmp_path / "cache", setup)[0] == "42 0"


def test_a_folder_that_vanishes_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    setup = f"import shutil; shutil.rmtree({str(folder)!r})"
    assert start(folder, setup)[0] == "42 0"


def test_a_full_disk_ends_no_program(tmp_path: Path) -> None:
    """On a real file system of 8 KiB, where the superuser may mount one."""
    folder = tmp_path / "cache"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no file system can be mounted here")
    try:
        shown, said = start(folder)
    finally:
        subprocess.run(["umount", str(folder)], check=True)
    assert shown == "42 0"
    assert os.strerror(errno.ENOSPC) in said


def test_eight_processes_fill_an_empty_cache_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir()
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(setup=""))
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    running = [
        subprocess.Popen([sys.executable, str(program)], env=environment, **pipes) for _ in range(8)
    ]
    answers = [process.communicate() for process in running]
    assert {(shown.split()[0], said) for shown, said in answers} == {("42", "")}
    assert start(folder) == ("42 1", "")
