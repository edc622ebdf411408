"""``ono99 warm-up``: everything is compiled, and said piece by piece."""

import os
import subprocess
import sys

import numba
import pytest

from ono99_env.cli import main
from ono99_env.cli.warm_up_command import PIECES
from tests.jit.test_compilation import EVERYTHING

needs_compiler = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the engine is not compiled")


@pytest.mark.slow
@needs_compiler
def test_every_piece_is_used_and_its_seconds_are_said(capsys):
    assert main(["warm-up"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(PIECES)
    assert all(line.endswith(" s") for line in lines)


@pytest.mark.slow
@needs_compiler
def test_nothing_is_compiled_after_it():
    main(["warm-up"])
    done = subprocess.run(
        [sys.executable, "-c", EVERYTHING], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


def test_uncompiled_there_is_nothing_to_do():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "ono99_env.cli", "warm-up"]
    shown = subprocess.check_output(command, text=True, env=environment)
    assert "nothing is compiled" in shown
