"""The benchmarks run, and what they compare plays the same game."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.arena import games_rate
from benchmarks.bots import games_rate as table_games_rate
from benchmarks.bots import inference_rate
from benchmarks.engine import C_PROGRAMS, c_rate, compile_c, engine_rate
from benchmarks.environments import NullVectorEnv, choose_randomly, single_rate, vector_rate
from benchmarks.growth import engine_cost, games_cost, vector_cost
from benchmarks.machine import description
from benchmarks.memory import vector_env_bytes
from benchmarks.one_table import one_table_figures
from benchmarks.peers import compare, peer_figures
from benchmarks.peers.going import Peer, one_core, rate
from benchmarks.peers.ours import PATHS
from benchmarks.startup import seconds
from benchmarks.strong_bots import playouts_rate, positions
from benchmarks.timing import Figure, alternate
from ono99_env import load_bot
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.observation import OBSERVATION_SIZE
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.rules.rules import Rules

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
    assert [figure.rate > 0 for figure in one_table_figures(1)] == [True, True]
    assert inference_rate(load_bot("highest"), 8, 2) > 0
    assert playouts_rate(positions(20), 10, 2) > 0
    assert single_rate(50) > 0
    assert vector_rate(Ono99VectorEnv(4, copy=False), 20) > 0
    assert vector_rate(NullVectorEnv(4, 466), 20) > 0


@pytest.mark.parametrize("path", PATHS)
def test_our_paths_make_decisions(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hurried = SimpleNamespace(time=lambda: 100 * time.process_time())
    monkeypatch.setattr("benchmarks.peers.performance._PROCESSOR_CLOCK", hurried)
    if numba.config.DISABLE_JIT and not path.startswith(("AEC", "Game")):
        pytest.skip("too many decisions a go for uncompiled code")
    assert PATHS[path]()() > 10


def test_a_choice_is_even_among_the_legal_actions() -> None:
    mask = np.zeros(NUM_ACTIONS, np.int8)
    mask[[1, 11, 16]] = 1
    masks, actions = np.tile(mask, (30_000, 1)), np.zeros(30_000, np.int64)
    choose_randomly(masks, np.uint64(1), actions)
    chosen = np.bincount(actions, minlength=NUM_ACTIONS)
    assert chosen[mask == 1].sum() == 30_000
    assert chosen[mask == 1] == pytest.approx(10_000, abs=400)


def test_a_rate_is_of_processor_time() -> None:
    def sleep_and_work() -> int:
        time.sleep(0.01)
        return sum(index < 1000 for index in range(10_000))

    assert rate(sleep_and_work, 0.01) > 1000 / 0.01


def test_a_peer_is_measured_beside_its_match_on_one_core() -> None:
    with one_core():
        (figure,) = compare([Peer("other", lambda: 1, "Game")], 0.001, 1)
    assert (figure.name, figure.reference) == ("Game", "other")
    assert figure.rate > 0


def test_a_peer_that_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.peers._LIBRARIES", ("not_there",))
    lines: list[str] = []
    assert peer_figures(0.01, 1, lines.append) == []
    assert "pip install" in lines[0]


def test_growth_and_memory_and_start_are_measured() -> None:
    assert engine_cost(10, 1000, 8, "1980") > 0
    assert vector_cost(10, 100) > 0
    assert games_cost("first", 20) > 0
    assert games_cost("last", 20) > 0
    assert vector_env_bytes(2000, 1) > 2000 * OBSERVATION_SIZE * 4
    assert seconds("print(0.5)", "") == 0.5
    assert "numpy" in description()


def test_a_section_can_be_chosen(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--only", "memory"])
    monkeypatch.setattr("benchmarks.memory._NUM_TABLES", 1000)
    main()
    printed = capsys.readouterr().out
    assert "a game in the engine" in printed
    assert "AEC" not in printed


@needs_compiler
@pytest.mark.parametrize("program", C_PROGRAMS)
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


@needs_compiler
@pytest.mark.parametrize("num_players", range(2, 7))
def test_the_engine_in_c_plays_the_very_same_games(num_players: int, tmp_path: Path) -> None:
    command = [str(compile_c("ono99_record", tmp_path)), str(num_players), "400000", "7"]
    outcome = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rules = rules_array(Rules.preset("2022", num_players=num_players))
    games, wins = np.zeros(4, STATE), np.zeros(MAX_PLAYERS, np.int64)
    batch.play_randomly(games, rules, 400_000, np.uint64(7), wins)
    assert wins[:num_players].tolist() == outcome["wins"]
    assert outcome["games"] == wins.sum()
