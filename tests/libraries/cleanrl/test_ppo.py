"""The one-file PPO is short, explains its options, and trains a bot at mixed tables."""

import subprocess
import sys
from pathlib import Path

from tests.libraries.measuring import beats_random

EXAMPLE = Path(__file__).parents[3] / "examples" / "ppo.py"


def run(*arguments: str) -> str:
    command = [sys.executable, str(EXAMPLE), *arguments]
    return subprocess.run(command, check=True, timeout=900, capture_output=True, text=True).stdout


def test_it_is_one_file_that_can_be_read_in_one_sitting() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 350


def test_every_option_is_explained() -> None:
    page = run("--help")
    for option in ("--num-players", "--opponents", "--gae-lambda", "--bot"):
        assert option in page
    assert "Bots for the other seats" in page


def test_it_trains_a_bot_that_beats_random_at_two_and_four_players(tmp_path: Path) -> None:
    path = tmp_path / "bot.onnx"
    output = run(
        *("--num-players", "2", "4", "--opponents", "random", "highest"),
        *("--total-decisions", "120000", "--num-envs", "128", "--bot", str(path)),
    )
    assert "mean reward" in output
    beats_random(path)
