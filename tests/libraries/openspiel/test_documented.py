"""The example and the page about OpenSpiel work as they are written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "libraries" / "openspiel.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def run(arguments: list[str], folder: Path) -> str:
    command = [sys.executable, *arguments]
    result = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("code", BLOCKS, ids=range(len(BLOCKS)))
def test_python_block_runs(code):
    assert run(["-c", code], ROOT)


def test_the_example_solves_a_game(tmp_path):
    output = run([str(ROOT / "examples" / "openspiel.py")], tmp_path)
    assert "21,324 histories" in output
    assert "counter: exploitability 0.0426" in output
    assert (tmp_path / "solved.json").exists()
