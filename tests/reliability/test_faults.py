"""A few faults of each kind, done to the arena and to training, which then end as undisturbed."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

CHECKOUT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow with the engine uncompiled"),
]


@pytest.mark.parametrize("command", ["arena", "self-play"])
def test_commands_go_on_after_faults_as_if_nothing_had_happened(command: str) -> None:
    program = [sys.executable, "-m", "tests.reliability.faults", command, "--trials", "1"]
    done = subprocess.run(
        program, cwd=CHECKOUT, env={**os.environ}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


BROKEN = """
import sys
from tests.reliability import commands
commands.ArenaCommand.outcome = lambda self: {"changes": commands.Path.cwd().name}
from tests.reliability.faults import disturb
from tests.reliability.session import Session
try:
    disturb("arena", commands.Path("none"), 1, 1, Session("", 1, quiet=True))
except AssertionError:
    sys.exit(5)
"""


def test_an_outcome_that_changes_is_found() -> None:
    done = subprocess.run([sys.executable, "-c", BROKEN], cwd=CHECKOUT, check=False)
    assert done.returncode == 5
