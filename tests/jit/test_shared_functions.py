"""Functions that are compiled once and called by their address, and parts that callers link."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from ono99_env import Game
from ono99_env.engine import legal, words

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the engine is not compiled")

PROGRAM = """
import numba
import numpy as np
from ono99_env.jit.compile import called_from_python, compiled, shared, shared_and_rare

@shared_and_rare
def doubled(number):
    return number * 2

@shared
def quadrupled(number):
    return doubled(doubled(number))

@compiled
def next_after(number):
    return quadrupled(number) + 1

@called_from_python
def change(values):
    for index in range(len(values)):
        values[index] = next_after(values[index])

@called_from_python
def change_bytes(values):
    for index in range(len(values)):
        values[index] = quadrupled(values[index])

values, small = np.array([5, -6]), np.array([7], np.int8)
change(values)
change_bytes(small)
hits = [sum(f.stats.cache_hits.values()) for f in (change, change_bytes, quadrupled, doubled)]
print(*values, *small, *hits, len(quadrupled.signatures))
"""


def run(folder: Path) -> tuple[str, str]:
    """What the program prints and says, with machine code in a folder."""
    program = folder.parent / "shared_program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip(), done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cache that has been filled."""
    folder = tmp_path / "cache"
    folder.mkdir()
    assert run(folder) == ("21 -23 28 0 0 0 0 1", "")
    return folder


@pytest.mark.slow
def test_shared_functions_are_loaded_with_what_calls_them(folder: Path) -> None:
    assert run(folder) == ("21 -23 28 1 1 1 1 1", "")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["doubled", "quadrupled", "change", "change_bytes"])
def test_a_function_whose_file_is_lost_is_compiled_anew(folder: Path, name: str) -> None:
    (lost,) = folder.rglob(f"*.{name}-*.nbc")
    lost.unlink()
    shown, said = run(folder)
    assert (shown.split()[:3], said) == (["21", "-23", "28"], "")
    assert shown.split()[3:7].count("0") == 1
    assert run(folder) == ("21 -23 28 1 1 1 1 1", "")


@pytest.mark.slow
def test_a_damaged_shared_function_is_compiled_anew(folder: Path) -> None:
    (damaged,) = folder.rglob("*.doubled-*.nbc")
    damaged.write_bytes(damaged.read_bytes()[:-9])
    shown, said = run(folder)
    assert shown.split()[:3] == ["21", "-23", "28"]
    assert said.startswith("ono99-env: the machine code cached in")
    assert run(folder) == ("21 -23 28 1 1 1 1 1", "")


def test_python_and_other_compiled_code_can_call_a_part() -> None:
    state = Game(seed=3).state
    action = Game(seed=3).legal_actions()[0]

    @numba.njit
    def is_legal(state, action):  # type: ignore[no-untyped-def]
        return legal.is_legal(state, action)

    assert legal.is_legal(state, int(action)) == is_legal(state, int(action)) == True  # noqa: E712
    assert words.set_size(np.uint64(0x101)) == 2
