"""Compiled and uncompiled code agree; machine code is kept on disk, and never used when stale."""

import ast
import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
import pytest

import ono99_env
from ono99_env import Game, Views, ono99_v0
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.jit.compile import digested_sources
from tests.jit.playthrough import digest

ROOT = Path(__file__).parents[2]
PACKAGE = Path(ono99_env.__file__).parent

needs_compiler = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="the engine is not compiled")


def run(*arguments: str, root: Path = ROOT, **environment: str) -> str:
    """What a fresh interpreter prints, started in a checkout."""
    return run_all(*arguments, root=root, **environment)[0]


def run_all(*arguments: str, root: Path, **environment: str) -> tuple[str, str]:
    """What a fresh interpreter prints, and its error output."""
    settings = {**os.environ, "PYTHONPATH": str(root), **environment}
    answer = subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env=settings,
        capture_output=True,
        text=True,
        check=True,
    )
    return answer.stdout.strip(), answer.stderr


@pytest.mark.slow
@needs_compiler
def test_uncompiled_code_plays_the_same_games() -> None:
    module = ["-W", "error::RuntimeWarning", "-m", "tests.jit.playthrough"]
    assert run(*module, NUMBA_DISABLE_JIT="1") == digest(1, 12)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package without any machine code."""
    root = tmp_path_factory.mktemp("checkout")
    ignored = shutil.ignore_patterns("__pycache__", "models")
    shutil.copytree(PACKAGE, root / "ono99_env", ignore=ignored)
    return root


START = """
import numpy as np
from ono99_env import Rules
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
games = np.zeros(1, STATE)
batch.start_game(games, rules_array(Rules(dealer=0)), np.uint64(1))
print(games["random_counter"][0], sum(batch.start_game.stats.cache_hits.values()))
"""
CHANGE = """

from ono99_env.jit.compile import compiled

@compiled
def seeded(seed):
    return np.uint64(5)
"""


@pytest.mark.slow
@needs_compiler
def test_machine_code_is_kept_and_a_change_in_another_file_is_noticed(checkout: Path) -> None:
    (first, notice), (second, silence) = (
        (shown.split(), errors)
        for shown, errors in (run_all("-c", START, root=checkout) for _ in range(2))
    )
    first_line, *further_lines = notice.splitlines()
    assert first_line.startswith("ono99-env: compiling the engine")
    assert all(line.startswith("ono99-env: compiled start_game in") for line in further_lines)
    assert silence == ""
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("0", "1")
    with (checkout / "ono99_env/engine/generator.py").open("a") as file:
        file.write(CHANGE)
    changed = run("-c", START, root=checkout).split()
    assert changed == ["5", "0"]


@pytest.mark.slow
@needs_compiler
def test_machine_code_loads_without_getting_the_compiler_ready(checkout: Path) -> None:
    ready = "import sys; print('numba.np.arraymath' in sys.modules)"
    run("-c", START, root=checkout)
    assert run("-c", START + ready, root=checkout).split()[1:] == ["1", "False"]


@pytest.mark.slow
@needs_compiler
def test_processes_that_fill_the_cache_at_once_do_not_disturb_each_other(checkout: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    shutil.rmtree(checkout / "ono99_env/engine/__pycache__", ignore_errors=True)
    command = [sys.executable, "-c", START]
    running = [
        subprocess.Popen(command, env=environment, cwd=checkout, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    answers = {process.communicate()[0].split()[0] for process in running}
    assert len(answers) == 1
    assert run("-c", START, root=checkout).split()[1] == "1"


@pytest.fixture
def read_only(checkout: Path, tmp_path: Path) -> Path:
    """A copy in whose folders no machine code can be kept, for the superuser either."""
    root = tmp_path / "installed"
    shutil.copytree(checkout, root, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [path.parent for path in root.rglob("__init__.py")]:
        (folder / "__pycache__").touch()
    return root


@pytest.mark.slow
@needs_compiler
def test_a_package_installed_read_only_keeps_machine_code_in_the_users_cache(
    read_only: Path, tmp_path: Path
) -> None:
    places = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": ""}
    first, second = (run("-c", START, root=read_only, **places).split() for _ in range(2))
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("0", "1")
    assert list((tmp_path / "cache").rglob("*.nbc"))
    assert not list(read_only.rglob("*.nbc"))


@needs_compiler
def test_it_works_without_a_place_to_keep_machine_code() -> None:
    """As in a read-only container, where Numba finds no folder it may write to."""
    code = (
        "import numba.core.caching as caching; caching.CacheImpl._locator_classes = []; "
        "from ono99_env.jit import notice; import ono99_env.game.game; print(notice.NOTICE.is_kept)"
    )
    assert run("-c", code) == "False"


@pytest.mark.slow
@needs_compiler
def test_a_change_of_a_constant_is_noticed(checkout: Path) -> None:
    code = "import numpy; from ono99_env.jit.compile import source_digest; print(source_digest())"
    before = run("-c", code, root=checkout)
    digests = {before}
    constants = ("rules/cards.py", "observation/layout.py", "engine/records.py")
    for number, name in enumerate([*constants, "observation/views.py"]):
        with (checkout / "ono99_env" / name).open("a") as file:
            file.write(f"\nADDED = {number}\n")
        digests.add(run("-c", code, root=checkout))
    assert len(digests) == 5


CONSTANT = (int, float, str, tuple, np.generic, np.ndarray, np.dtype)
"""What compiled functions can read, besides each other."""


def names_from(path: Path) -> Iterator[tuple[Path, str, Any]]:
    """What a file of the package imports from it: the other file, the name and the thing."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ono99_env"):
            module = importlib.import_module(node.module)
            for alias in node.names:
                thing = getattr(module, alias.name)
                file = thing.__file__ if isinstance(thing, ModuleType) else module.__file__
                yield Path(file), alias.name, thing


def test_every_constant_of_compiled_functions_is_in_the_digest() -> None:
    """Else a change of it would leave stale machine code."""
    digested = digested_sources()
    missing = [
        f"{name} of {file.name}, which {path.name} imports"
        for path in digested
        for file, name, thing in names_from(path)
        if file not in digested and isinstance(thing, CONSTANT)
    ]
    assert len(digested) > 30
    assert missing == []


def entry_points() -> Iterator[tuple[str, Any]]:
    """Every compiled function that is kept on disk."""
    for module in pkgutil.walk_packages(ono99_env.__path__, "ono99_env."):
        if module.name in sys.modules or "engine" in module.name:
            for name, thing in vars(importlib.import_module(module.name)).items():
                kept = getattr(getattr(thing, "_cache", None), "_cache_path", None)
                if kept and thing.__module__ == module.name:
                    yield f"{module.name}.{name}", thing


def play_with_every_kind_of_number() -> None:
    """Everything a user does, with numbers of other types than the environments hand out."""
    for kind in (int, np.int64, np.int32, np.uint8):
        game, env, single = Game(seed=int(kind(3))), ono99_v0.env(), Ono99Env()
        game.play(kind(game.legal_actions()[0]))
        env.reset(seed=1)
        env.step(kind(env.last()[0]["action_mask"].argmax()))
        single.reset(seed=1)
        single.step(kind(single.action_masks().argmax()))
        envs = Ono99VectorEnv(2)
        _, infos = envs.reset(seed=1)
        envs.step(infos["action_mask"].argmax(axis=1).astype(kind))
        seats = np.array([game.current_player]).astype(kind)
        assert Views.of(game.rules, game.games, seats).action_mask.any()
    assert Views.of(game.rules, game.games, [game.current_player]).observation.any()
    show_read_only_arrays()


def show_read_only_arrays() -> None:
    """What JAX and buffers hold: arrays that cannot be written to, or are not aligned."""
    envs = Ono99VectorEnv(1, compact=True, copy=False)
    observation, infos = envs.reset(seed=1)
    for shift in (0, 1):
        buffer = np.frombuffer(b"-" * shift + observation.tobytes(), np.uint8, offset=shift)
        for shown in (observation, buffer[None]):
            views = Views.of_compact(envs.rules, shown)
            assert np.array_equal(views.action_mask, infos["action_mask"])
            assert Views.of(envs.rules, views.states, views.seats).observation.any()
    actions = infos["action_mask"].argmax(axis=1)
    actions.flags.writeable = False
    envs.step(actions)


EVERYTHING = """
import numpy as np
from ono99_env import Game, Rules, load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.envs.sb3 import Ono99VecEnv
rules, rng = Rules.preset("1980", num_players=3, format="points_lowest"), np.random.default_rng(1)
game = Game(rules, seed=1)
Game.from_snapshot(game.snapshot())
for name in ("counter", "search:simulations=20", "search:simulations=20,threads=2"):
    game.play(int(load_bot(name).act(game.views(), rng)[0]))
load_bot("search:milliseconds=1,threads=2").act(game.views(), rng)
one_vs_rest(rules, load_bot("search:simulations=2"), load_bot("random"), 3, 6, 1)
envs = Ono99VecEnv("2022", num_envs=2, num_players=4, opponents=["highest", "2022"])
envs.reset()
envs.step(envs.action_masks().argmax(axis=1))
"""


@pytest.mark.slow
@needs_compiler
def test_nothing_is_compiled_when_the_machine_code_is_on_disk() -> None:
    run_all("-c", EVERYTHING, root=ROOT)
    assert run_all("-c", EVERYTHING, root=ROOT) == ("", "")


@needs_compiler
def test_every_function_is_compiled_for_one_set_of_types() -> None:
    """A second one would cost users seconds, and two processes could fill the cache at once."""
    before = {name: len(function.signatures) for name, function in entry_points()}
    play_with_every_kind_of_number()
    counts = {name: len(function.signatures) for name, function in entry_points()}
    assert len(counts) > 15
    assert {name: count for name, count in counts.items() if count > max(1, before[name])} == {}
