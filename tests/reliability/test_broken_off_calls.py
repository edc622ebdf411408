"""Compiled calls that return before all is played, for Ctrl-C, change no game and lose nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parent.parent.parent
MORE_THAN_ENOUGH = 1_000_000


def digests(most_plays: int) -> list[str]:
    """Return what the program prints if a call makes so many plays; see broken_off.py."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.reliability.broken_off", str(most_plays)],
        cwd=CHECKOUT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def unbroken() -> list[str]:
    return digests(MORE_THAN_ENOUGH)


def test_threads_change_nothing(unbroken: list[str]) -> None:
    plain, threaded = (line.split()[-2:] for line in (unbroken[0], unbroken[2]))
    assert plain == threaded


@pytest.mark.parametrize("most_plays", [1, 5])
def test_calls_that_are_broken_off_give_the_same_bits(unbroken: list[str], most_plays: int) -> None:
    assert digests(most_plays) == unbroken
