"""What ``import ono99_env`` brings, and what it leaves alone."""

import subprocess
import sys

import pytest

import ono99_env

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
    *("typer", "jinja2"),
    *("aiohttp", "fastapi", "flask", "starlette", "tornado", "uvicorn", "websockets", "requests"),
    *("http.server", "socketserver", "hypothesis", "pytest"),
}
DEPENDENCIES = "numba, gymnasium, pettingzoo, pydantic, yaml, concurrent.futures"
REGISTRIES = "gymnasium, pettingzoo"
ONO99 = "ono99_env"
EVERYTHING = "ono99_env.game.game, ono99_env.ono99_v0, ono99_env.bots"
"""The modules behind all public names."""


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
    return measure(EVERYTHING)[1]


@pytest.mark.parametrize("module", sorted(HEAVY))
def test_nothing_heavy_is_imported(module: str, loaded: set[str]) -> None:
    assert module not in loaded


def test_what_is_imported_late_is_not_imported_early(loaded: set[str]) -> None:
    late = {"ono99_env.envs.sb3", "ono99_env.envs.vector", "ono99_env.bots.policies.onnx_bot"}
    late |= {"ono99_env.arena", "ono99_env.cli"}
    assert late.isdisjoint(loaded)
    engine = {
        "ono99_env.game.game",
        "ono99_env.envs.aec",
        "ono99_env.observation.views",
        "numba",
        "pydantic",
    }
    assert engine <= loaded
    assert engine.isdisjoint(measure(ONO99)[1])


def test_every_public_name_is_there_when_it_is_asked_for() -> None:
    code = (
        "import ono99_env as package; assert {*package.__all__} <= {*dir(package)}; "
        "print(len([getattr(package, name) for name in package.__all__]))"
    )
    answer = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert int(answer) == len(ono99_env.__all__)
    with pytest.raises(AttributeError, match="'ono99_env' has no attribute 'Gane'"):
        _ = ono99_env.Gane


def test_the_global_generators_are_not_seeded_by_the_import() -> None:
    code = (
        "import random, numpy as np; random.seed(1); np.random.seed(1); before = random.getstate(),"
        "np.random.get_state()[1].tolist(); import ono99_env; "
        "print((random.getstate(), np.random.get_state()[1].tolist()) == before)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "True"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("modules", "needed", "most"), [(ONO99, REGISTRIES, 0.1), (EVERYTHING, DEPENDENCIES, 0.5)]
)
def test_an_import_costs_little_more_than_what_it_needs(
    modules: str, needed: str, most: float
) -> None:
    own = min(measure(f"{needed}, {modules}")[0] for _ in range(3))
    theirs = min(measure(needed)[0] for _ in range(3))
    assert own - theirs < most
