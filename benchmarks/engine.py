"""The engine beside C programs of the same rules: uniformly random play, decisions per second."""

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.timing import Figure, alternate
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Rules

_SOURCES = Path(__file__).parent / "c_baseline"
_TABLES = 4

C_PROGRAMS = ("ono99", "ono99_record", "ono99_bits")
"""Straightforward C; the engine transcribed into C; C for nothing but random play."""


def engine_figures(decisions: int, rounds: int) -> list[Figure]:
    """Measure random play at 2 and 4 players on one core, beside C programs of three kinds.

    Raises:
        FileNotFoundError: If there is no C compiler.
    """
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        programs = {name: compile_c(name, Path(folder)) for name in C_PROGRAMS}
        for num_players in (2, 4):
            candidates = [
                lambda n=num_players: engine_rate(n, decisions),
                *(
                    lambda n=num_players, program=program: c_rate(program, n, decisions)
                    for program in programs.values()
                ),
            ]
            ours, *theirs = alternate(candidates, rounds)
            figures += [
                Figure(f"engine, {num_players} players", ours, "decisions/s", f"C: {name}.c", rate)
                for name, rate in zip(programs, theirs, strict=True)
            ]
    return figures


def compile_c(name: str, folder: Path) -> Path:
    """Compile one of the C programs with ``-O3 -march=native``."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise FileNotFoundError("the comparison with C needs a C compiler named cc")
    program = folder / name
    options = ["-O3", "-march=native", "-std=c11", "-o", str(program)]
    subprocess.run([compiler, *options, str(_SOURCES / f"{name}.c")], check=True)
    return program


def c_rate(program: Path, num_players: int, decisions: int) -> float:
    """Return decisions per second of a C program, as it measures itself."""
    command = [str(program), str(num_players), str(decisions), "1"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(json.loads(output)["decisions_per_second"])


def engine_rate(num_players: int, decisions: int) -> float:
    """Return decisions per second of the engine, at as many tables as the C program interleaves."""
    rules = rules_array(Rules.preset("2022", num_players=num_players))
    games, wins = np.zeros(_TABLES, STATE), np.zeros(MAX_PLAYERS, np.int64)
    start = time.perf_counter()
    batch.play_randomly(games, rules, decisions, np.uint64(1), wins)
    return decisions / (time.perf_counter() - start)
