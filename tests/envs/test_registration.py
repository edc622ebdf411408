"""The environments are found in the registries of PettingZoo and Gymnasium."""

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import gymnasium
import pettingzoo
import pytest
from gymnasium.vector import AutoresetMode

from ono99_env import Rules, load_bot, ono99_v0, register
from ono99_env.envs.aec import Ono99AEC
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv

ID = "ono99/Ono99-v0"
ROOT = Path(__file__).parents[2]


needs_registry = pytest.mark.skipif(
    not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry since 1.27"
)


@needs_registry
def test_pettingzoo_makes_the_aec_environment() -> None:
    env = pettingzoo.make("aec", "ono99/ono99-v0", num_players=5, rules="1980")
    assert isinstance(env.unwrapped, Ono99AEC)
    env.reset(seed=1)
    assert env.num_agents == len(env.possible_agents) == 5
    assert env.unwrapped.rules == Rules.preset("1980", num_players=5)


def test_env_and_raw_env_make_the_same_thing() -> None:
    for maker in (ono99_v0.env, ono99_v0.raw_env):
        env = maker(rules="2022", num_players=3, render_mode="ansi")
        assert isinstance(env, pettingzoo.AECEnv)
        assert (env.render_mode, env.rules.num_players) == ("ansi", 3)


def test_gymnasium_makes_the_single_environment_with_opponents_and_a_seat() -> None:
    bot = load_bot("highest")
    for opponents in (["highest"], ["random", "highest"], [bot]):
        env = gymnasium.make(ID, num_players=4, opponents=opponents, seat=2)
        assert isinstance(env.unwrapped, Ono99Env)
        observation, info = env.reset(seed=1)
        assert env.observation_space.contains(observation)
        assert env.get_wrapper_attr("action_masks")().any()
        assert info["action_mask"].any()


def test_gymnasium_makes_the_native_vector_environment() -> None:
    envs = gymnasium.make_vec(
        ID,
        num_envs=6,
        vectorization_mode="vector_entry_point",
        num_players=3,
        opponents=["highest"],
    )
    assert isinstance(envs.unwrapped, Ono99VectorEnv)
    assert envs.num_envs == 6
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert envs.spec.id == ID


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasiums_own_vectors_take_the_single_environment(mode: str) -> None:
    envs = gymnasium.make_vec(ID, num_envs=2, vectorization_mode=mode, num_players=3)
    _, infos = envs.reset(seed=1)
    for _ in range(20):
        masks = infos["action_mask"].copy()
        # With the next-step autoreset of these vectors an ended episode ignores its action.
        *_, infos = envs.step(masks.argmax(axis=1))
    assert masks.shape == (2, 17)
    envs.close()


def test_a_spec_makes_the_same_environment_again() -> None:
    spec = gymnasium.make(ID, num_players=3, highest_total=50).spec
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(spec.to_json()))
    assert again.unwrapped.rules == Rules(num_players=3, highest_total=50)


def test_registering_twice_warns_of_nothing(recwarn: pytest.WarningsRecorder) -> None:
    register()
    assert len(recwarn) == 0


@needs_registry
def test_an_unknown_argument_is_refused_through_the_registries() -> None:
    with pytest.raises(ValueError, match="game_num_players"):
        gymnasium.make(ID, game_num_players=3)
    with pytest.raises(ValueError, match="game_num_players"):
        pettingzoo.make("aec", "ono99/ono99-v0", game_num_players=3)


def test_the_entry_point_of_the_package_registers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, name = project["entry-points"]["gymnasium.envs"]["ono99"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_gymnasium_imports_the_package_from_the_id() -> None:
    code = f"import gymnasium; print(gymnasium.make('ono99_env:{ID}').unwrapped.action_space)"
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "Discrete(17)"
