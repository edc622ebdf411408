"""A run that has finished, and copies of it that tests may break."""

import os
import shutil
from pathlib import Path

import pytest

from tests.training.run.small_runs import CONFIGS, start


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """The folder of a run in self-play that has finished."""
    folder = tmp_path_factory.mktemp("finished")
    before = Path.cwd()
    os.chdir(folder)
    start(folder, "run", CONFIGS["self-play"])
    os.chdir(before)
    return folder / "runs" / "run"


@pytest.fixture
def run(finished, tmp_path, monkeypatch) -> Path:
    """A copy of it, which a test may break."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, "run")
    return Path("run")
