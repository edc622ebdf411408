"""What ``import ono99_env`` brings, and what it leaves alone."""

import subprocess
import sys

import pytest

TIMED_IMPORT = """
import sys, time
start = time.process_time()
import {modules}
print(time.process_time() - start, *sys.modules)
"""
HEAVY = {
    *(
        "torch",
        "stable_baselines3",
        "sb3_contrib",
        "onnxruntime",
        "onnx",
        "tensorboard",
        "matplotlib",
    ),
    *("pygame", "tkinter", "curses", "PIL", "cv2", "pandas", "jax", "tqdm", "rich"),
    *("typer", "choix", "jinja2"),
    *("aiohttp", "fastapi", "flask", "starlette", "tornado", "uvicorn", "websockets", "requests"),
    *("http.server", "socketserver", "hypothesis", "pytest"),
}
DEPENDENCIES = "numba, gymnasium, pettingzoo, pydantic, yaml, concurrent.futures"
ONO99 = "ono99_env"


def measure(modules: str) -> tuple[float, set[str]]:
    """Seconds of processor time to import modules in a fresh interpreter, and what was loaded."""
    answer = subprocess.run(
        [sys.executable, "-c", TIMED_IMPORT.format(modules=modules)],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, *loaded = answer.stdout.split()
    return float(seconds), set(loaded)


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    return measure(ONO99)[1]


@pytest.mark.parametrize("module", sorted(HEAVY))
def test_nothing_heavy_is_imported(module: str, loaded: set[str]) -> None:
    assert module not in loaded


def test_what_is_imported_late_is_not_imported_early(loaded: set[str]) -> None:
    late = {"ono99_env.envs.sb3", "ono99_env.envs.vector", "ono99_env.bots.onnx"}
    late |= {"ono99_env.arena", "ono99_env.cli"}
    assert late.isdisjoint(loaded)
    assert {"ono99_env.game", "ono99_env.envs.aec", "ono99_env.views"} <= loaded


def test_the_global_generators_are_not_seeded_by_the_import() -> None:
    code = (
        "import random, numpy as np; random.seed(1); np.random.seed(1); before = random.getstate(),"
        "np.random.get_state()[1].tolist(); import ono99_env; "
        "print((random.getstate(), np.random.get_state()[1].tolist()) == before)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "True"


@pytest.mark.slow
def test_the_import_costs_little_more_than_that_of_the_dependencies() -> None:
    own = min(measure(f"{DEPENDENCIES}, {ONO99}")[0] for _ in range(3))
    theirs = min(measure(DEPENDENCIES)[0] for _ in range(3))
    assert own - theirs < 0.5
