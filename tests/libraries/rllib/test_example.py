"""The example trains with RLlib's own parts, and its bot beats `random`."""

import runpy
from pathlib import Path

import ray

from tests.libraries.measuring import beats_random

EXAMPLE = Path(__file__).parents[3] / "examples" / "train_with_rllib.py"


def test_its_bot_beats_random(tmp_path):
    path = tmp_path / "rllib.onnx"
    runpy.run_path(str(EXAMPLE))["main"](str(path), "25000")
    ray.shutdown()
    beats_random(path)
