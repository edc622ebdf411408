"""The Gymnasium environment: Gymnasium's checker made mask-aware, and what it does not see."""

import random
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import DtypeObservation, RecordEpisodeStatistics

from ono99_env import Rules, load_bot
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.spaces import ActionSpace
from ono99_env.observation import OBSERVATION_SIZE
from tests.envs.random_play import TABLES, random_action


class ForgivingEnv(Ono99Env):
    """Takes any action, since checkers sample without the mask: it plays a legal one instead."""

    def step(self, action: int) -> Any:
        """Play the action, or the nearest legal one."""
        legal = np.flatnonzero(self.action_masks())
        return super().step(int(legal[np.abs(legal - action).argmin()]))


def forgiving(**arguments: Any) -> gymnasium.Env:
    """Made through a registry entry, without which the checker leaves half of its checks out."""
    if "tests/Forgiving-v0" not in gymnasium.registry:
        gymnasium.register("tests/Forgiving-v0", ForgivingEnv, disable_env_checker=True)
    return gymnasium.make("tests/Forgiving-v0", **arguments).unwrapped


def episode(env: Any, rng: random.Random, seed: int | None = None) -> list[tuple]:
    """Every (observation, reward, terminated, truncated, info) from the reset to the end."""
    observation, info = env.reset(seed=seed)
    steps = [(observation, 0.0, False, False, info)]
    while not (steps[-1][2] or steps[-1][3]):
        steps.append(env.step(random_action(steps[-1][4]["action_mask"], rng)))
    return steps


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_gymnasium_check_env(edition: str, players: int) -> None:
    check_env(forgiving(rules=edition, num_players=players))


def test_the_spaces_are_those_of_the_design() -> None:
    env = Ono99Env()
    assert env.action_space == Discrete(17)
    assert env.observation_space == Box(-1, 1, (OBSERVATION_SIZE,), np.float32)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_an_episode_stays_within_the_spaces_and_ends_once(edition: str, players: int) -> None:
    env, rng = Ono99Env(edition, players), random.Random(1)
    for _ in range(3):
        steps = episode(env, rng)
        for observation, reward, terminated, truncated, info in steps:
            assert env.observation_space.contains(observation)
            assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
            assert (info["action_mask"].dtype, info["action_mask"].shape) == (np.int8, (17,))
            assert info["action_mask"].any() != (terminated or truncated)
        assert [step[1] for step in steps[:-1]] == [0.0] * (len(steps) - 1)
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            env.step(0)


def test_the_mask_in_info_is_that_of_the_method() -> None:
    env, rng = Ono99Env(num_players=3), random.Random(2)
    _, info = env.reset(seed=2)
    for _ in range(200):
        assert np.array_equal(info["action_mask"], env.action_masks())
        _, _, terminated, _, info = env.step(random_action(info["action_mask"], rng))
        if terminated:
            _, info = env.reset()


def test_what_was_returned_belongs_to_the_caller() -> None:
    env = Ono99Env(num_players=3)
    env.reset(seed=3)
    arrays = [
        array
        for step in episode(env, random.Random(3))
        for array in (step[0], step[4]["action_mask"])
    ]
    assert len({array.ctypes.data for array in arrays}) == len(arrays)
    assert not any(np.shares_memory(array, env.action_masks()) for array in arrays)
    env.reset(seed=3)
    for mask in (env.action_masks(), env.reset(seed=3)[1]["action_mask"]):
        mask[:] = 1
    with pytest.raises(ValueError, match="illegal"):
        env.step(int(np.flatnonzero(env.action_masks() == 0)[0]))


def test_using_it_before_reset_says_so() -> None:
    env = Ono99Env(render_mode="ansi")
    for call in (lambda: env.step(0), env.render, env.action_masks):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            call()


def test_unknown_options_of_reset_are_refused() -> None:
    env = Ono99Env()
    with pytest.raises(ValueError, match="options: 'dealer' is no option"):
        env.reset(options={"dealer": 1})
    env.reset(options={})


@pytest.mark.parametrize("seat", range(4))
def test_the_seat_asked_for_is_the_one_that_plays(seat: int) -> None:
    env = Ono99Env(num_players=4, seat=seat, dealer=0, render_mode="ansi")
    for seed in range(5):
        env.reset(seed=seed)
        assert f"> player_{seat}:" in env.render()


def test_a_random_seat_reaches_every_seat() -> None:
    env, seats = Ono99Env(num_players=6, render_mode="ansi"), set()
    for seed in range(80):
        env.reset(seed=seed)
        seats |= {seat for seat in range(6) if f"> player_{seat}:" in env.render()}
    assert seats == set(range(6))


def test_a_player_who_is_out_is_terminated_even_if_the_game_is_truncated_at_once() -> None:
    env, rng, losses = Ono99Env("1980", 8, format="single_round", max_plays=40), random.Random(4), 0
    for seed in range(400):
        _, reward, terminated, truncated, _ = episode(env, rng, seed)[-1]
        assert terminated != truncated
        assert terminated or reward >= 0, "a loser was truncated: learners would bootstrap on it"
        losses += reward < 0
    assert losses > 100


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *(("opponents", value) for value in ([], "nobody", ["nobody"], ["models/none.onnx?x"])),
        *(("seat", value) for value in (-1, 4, "left", 1.5, None)),
        *(("num_players", value) for value in (1, 7, 2.5, "four")),
        *(("illegal", "skip"), ("render_mode", "hologram"), ("colour", "red")),
    ],
)
def test_an_impossible_argument_is_refused_by_name(argument: str, value: Any) -> None:
    named = "bot" if argument == "opponents" and value else argument
    with pytest.raises(ValueError, match=named):
        Ono99Env(**{argument: value})


@pytest.mark.parametrize("rules", ["2023", "", "house"])
def test_unknown_rules_are_refused(rules: str) -> None:
    with pytest.raises(ValueError, match="'2022' or '1980'"):
        Ono99Env(rules)


def test_rules_come_as_a_preset_an_object_or_a_file() -> None:
    expected = Rules.from_yaml("configs/rules/house.yaml", num_players=3)
    assert Ono99Env("configs/rules/house.yaml", 3).rules == expected
    assert Ono99Env(expected).rules == expected
    assert Ono99Env("2022", highest_total=99).rules.highest_total == 99


def test_one_opponent_may_be_given_without_a_list() -> None:
    for opponents in ("highest", load_bot("highest"), ("highest",)):
        env = Ono99Env(num_players=2, opponents=opponents)
        env.reset(seed=5)
        assert env.action_masks().any()


def test_rules_without_any_play_are_refused_and_not_dealt_for_ever() -> None:
    arguments = "num_players=2, deck={'ono99': 8}, four_ono99_discard='off'"
    code = f"from ono99_env.envs.single import Ono99Env; Ono99Env({arguments})"
    outcome = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=40
    )
    assert outcome.returncode == 1
    assert "ValueError" in outcome.stderr


def test_gymnasiums_wrappers_work_around_it() -> None:
    env = gymnasium.make("ono99/Ono99-v0", num_players=4, max_episode_steps=3)
    env, rng = RecordEpisodeStatistics(DtypeObservation(env, np.float64)), random.Random(6)
    steps = episode(env, rng, seed=6)
    assert steps[-1][4]["episode"]["r"] == steps[-1][1]
    assert len(steps) == 4
    assert steps[-1][3] is True


class TestActionSpace:
    def test_masked_samples_are_legal_and_even(self) -> None:
        space, mask = ActionSpace(), np.zeros(17, np.int8)
        mask[[1, 5, 16]] = 1
        space.seed(5)
        counts = np.bincount([space.sample(mask) for _ in range(3000)], minlength=17)
        assert np.flatnonzero(counts).tolist() == [1, 5, 16]
        assert np.abs(counts[[1, 5, 16]] - 1000).max() < 5 * np.sqrt(3000 * 2 / 9)

    def test_the_same_seed_gives_the_same_samples(self) -> None:
        spaces, mask = [ActionSpace(), ActionSpace()], np.ones(17, np.int8)
        samples = []
        for space in spaces:
            space.seed(6)
            samples.append([int(space.sample(mask)) for _ in range(50)])
        assert samples[0] == samples[1]

    def test_a_mask_of_a_seat_that_is_not_to_act_is_refused(self) -> None:
        with pytest.raises(ValueError, match="no action"):
            ActionSpace().sample(np.zeros(17, np.int8))

    def test_samples_without_a_mask_and_by_probability_are_gymnasiums(self) -> None:
        space = ActionSpace()
        assert {int(space.sample()) for _ in range(500)} == set(range(17))
        assert space.sample(probability=np.eye(17)[7]) == 7
