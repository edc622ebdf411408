"""The benchmarks run, and what they compare plays the same game."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from benchmarks.arena import games_rate
from benchmarks.bots import games_rate as table_games_rate
from benchmarks.bots import inference_rate
from benchmarks.engine import c_rate, compile_c, engine_rate
from benchmarks.environments import NullVectorEnv, single_rate, vector_rate
from benchmarks.timing import Figure, alternate
from ono99_env import load_bot
from ono99_env.cards import MAX_PLAYERS
from ono99_env.engine import batch
from ono99_env.engine.state import STATE, rules_array
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.rules import Rules

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

DECISIONS = 2_000_000
SPREAD_OF_LENGTHS = 9.2
"""Standard deviation of the plays in a random game, about the same at 2 to 6 players."""


def test_every_candidate_runs_in_turn_and_the_first_run_does_not_count() -> None:
    calls: list[str] = []
    rates = iter([100.0, 1.0, 2.0, 9.0])
    medians = alternate([lambda: (calls.append("a"), next(rates))[1], lambda: 5.0], rounds=3)
    assert medians == [2.0, 5.0]
    assert calls == ["a"] * 4


def test_a_ratio_is_of_the_figure_to_its_reference() -> None:
    assert Figure("engine", 30.0, "decisions/s", "C", 20.0).ratio == 1.5


def test_the_loops_measure_a_rate() -> None:
    assert engine_rate(4, 10_000) > 0
    assert games_rate(100, 2) > 0
    assert table_games_rate("highest", 100) > 0
    assert inference_rate(load_bot("highest"), 8, 2) > 0
    assert single_rate(50) > 0
    assert vector_rate(Ono99VectorEnv(4, copy=False), 20) > 0
    assert vector_rate(NullVectorEnv(4, 466), 20) > 0


@needs_compiler
@pytest.mark.parametrize("program", ["ono99", "ono99_bits"])
@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_the_c_programs_play_the_same_game(program: str, num_players: int, tmp_path: Path) -> None:
    path = compile_c(program, tmp_path)
    assert c_rate(path, num_players, 10_000) > 0
    command = [str(path), str(num_players), str(DECISIONS), "1"]
    outcome = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rules = rules_array(Rules.preset("2022", num_players=num_players))
    games, wins = np.zeros(1, STATE), np.zeros(MAX_PLAYERS, np.int64)
    batch.play_randomly(games, rules, DECISIONS, np.uint64(1), wins)
    mean_length = DECISIONS / wins.sum()
    margin = 5 * SPREAD_OF_LENGTHS * np.sqrt(1 / outcome["games"] + 1 / wins.sum())
    assert abs(mean_length - outcome["mean_game_length"]) < margin + 0.01
