"""Stable-Baselines3: its checker, its wrappers, and MaskablePPO as it is."""

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor, VecNormalize

from ono99_env.envs.sb3 import Ono99VecEnv
from ono99_env.envs.single import Ono99Env
from ono99_env.observation import FEATURES, OBSERVATION_SIZE
from tests.envs.random_play import TABLES, Asked, random_actions
from tests.envs.test_single import ForgivingEnv


def venv(num_envs: int = 16, **arguments: Any) -> Ono99VecEnv:
    return Ono99VecEnv(num_envs=num_envs, **{"num_players": 2, **arguments})


def single() -> Ono99Env:
    return Ono99Env(num_players=2)


def small_ppo(env: Any, **arguments: Any) -> MaskablePPO:
    options = {"n_steps": 16, "batch_size": 32, "n_epochs": 1, "device": "cpu", "seed": 1}
    return MaskablePPO("MlpPolicy", env, **{**options, **arguments})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_sb3_check_env(edition: str, players: int) -> None:
    check_env(ForgivingEnv(edition, players, render_mode="ansi"), skip_render_check=False)


@pytest.mark.slow
def test_maskable_ppo_takes_the_native_environment_as_it_is_and_learns() -> None:
    model = small_ppo(venv())
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(1024)
    assert model.num_timesteps >= 1024
    assert len(model.ep_info_buffer) > 10
    assert {np.sign(episode["r"]) for episode in model.ep_info_buffer} == {-1, 1}
    changed = [
        (was != now).any() for was, now in zip(before, model.policy.parameters(), strict=True)
    ]
    assert any(changed)


@pytest.mark.slow
@pytest.mark.parametrize("wrapper", [VecMonitor, VecNormalize])
def test_maskable_ppo_learns_through_sb3s_wrappers(wrapper: type) -> None:
    wrapped = wrapper(venv())
    assert is_masking_supported(wrapped)
    model = small_ppo(wrapped)
    model.learn(512)
    assert len(model.ep_info_buffer) > 5


@pytest.mark.slow
@pytest.mark.parametrize("vectorizer", [DummyVecEnv, SubprocVecEnv])
def test_maskable_ppo_learns_on_vectors_of_the_gymnasium_environment(vectorizer: type) -> None:
    envs = vectorizer([single, single])
    try:
        assert is_masking_supported(envs)
        envs.reset()
        assert get_action_masks(envs).shape == (2, 17)
        small_ppo(envs).learn(64)
    finally:
        envs.close()


@pytest.mark.slow
def test_policies_are_evaluated_by_sb3_with_masks() -> None:
    model = small_ppo(venv())
    for envs in (venv(4), DummyVecEnv([single])):
        rewards, lengths = evaluate_policy(
            model, envs, n_eval_episodes=20, return_episode_rewards=True, warn=True
        )
        assert set(rewards) <= {-1.0, 1.0}
        assert min(lengths) >= 1


@pytest.mark.filterwarnings("error::UserWarning")
def test_neither_a_monitor_around_it_nor_an_evaluation_warns(tmp_path: Path) -> None:
    model = small_ppo(venv())
    for envs in (venv(4), VecMonitor(venv(4), str(tmp_path / "log"), ("place",))):
        rewards, lengths = evaluate_policy(
            model, envs, n_eval_episodes=8, return_episode_rewards=True, warn=True
        )
        assert (len(rewards), len(lengths)) == (8, 8)
        assert set(rewards) <= {-1.0, 1.0}
    log = (tmp_path / "log.monitor.csv").read_text().splitlines()
    assert log[1] == "r,l,t,place"
    assert {row.split(",")[-1] for row in log[2:]} <= {"1", "2"}


def test_it_can_be_copied_and_pickled() -> None:
    first = venv(4)
    first.reset()
    for other in (copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        actions = first.action_masks().argmax(axis=1)
        assert np.array_equal(other.action_masks(), first.action_masks())
        assert other.step(actions)[0].shape == (4, OBSERVATION_SIZE)


def test_masks_come_through_every_way_that_sb3_asks() -> None:
    envs = venv(rules="1980", num_players=4)
    observations, rng = envs.reset(), np.random.default_rng(2)
    assert is_masking_supported(envs)
    for _ in range(40):
        masks = envs.action_masks().copy()
        assert (masks.dtype, masks.shape) == (np.int8, (16, 17))
        assert np.array_equal(observations[:, FEATURES["legal"].slice], masks)
        assert np.array_equal(np.stack(envs.env_method("action_masks")), masks)
        assert np.array_equal(get_action_masks(envs), masks)
        assert np.array_equal(
            np.stack(envs.env_method("action_masks", indices=[3, 1])), masks[[3, 1]]
        )
        assert np.array_equal(np.stack(envs.env_method("action_masks", indices=2)), masks[[2]])
        observations, _, _, _ = envs.step(random_actions(masks, rng))


def test_the_mask_is_in_every_info() -> None:
    envs, rng = venv(), np.random.default_rng(3)
    envs.reset()
    infos = envs.reset_infos
    for _ in range(30):
        assert np.array_equal([info["action_mask"] for info in infos], envs.action_masks())
        infos = envs.step(random_actions(envs.action_masks(), rng))[3]


def test_it_deals_anew_in_the_step_in_which_an_episode_ends() -> None:
    envs, rng = venv(64), np.random.default_rng(4)
    envs.reset()
    lengths, ended = np.zeros(64, int), 0
    for _ in range(80):
        observations, rewards, dones, infos = envs.step(random_actions(envs.action_masks(), rng))
        lengths += 1
        assert (observations.dtype, rewards.dtype, dones.dtype) == (
            np.float32,
            np.float32,
            np.bool_,
        )
        assert envs.action_masks().any(axis=1).all()
        assert np.array_equal(rewards != 0, dones)
        for index, info in enumerate(infos):
            assert ("terminal_observation" in info) == ("episode" in info) == dones[index]
            if dones[index]:
                assert info["episode"]["r"] == rewards[index]
                assert info["episode"]["l"] == lengths[index]
                assert info["TimeLimit.truncated"] is False
                assert envs.observation_space.contains(info["terminal_observation"])
                assert not info["terminal_observation"][FEATURES["legal"].slice].any()
                ended += 1
        lengths[dones] = 0
    assert ended > 100


def test_a_truncated_episode_is_marked_for_bootstrapping_and_a_lost_one_is_not() -> None:
    envs, rng, truncated = venv(64, num_players=4, max_plays=30), np.random.default_rng(5), 0
    envs.reset()
    for _ in range(100):
        _, rewards, dones, infos = envs.step(random_actions(envs.action_masks(), rng))
        for index in np.flatnonzero(dones):
            if infos[index]["TimeLimit.truncated"]:
                assert rewards[index] >= 0
                truncated += 1
    assert truncated > 100


def test_what_was_returned_belongs_to_the_caller() -> None:
    envs, rng = venv(), np.random.default_rng(6)
    envs.reset()
    kept = []
    for _ in range(40):
        masks = envs.action_masks()
        observations, rewards, dones, infos = envs.step(random_actions(masks, rng))
        kept.append(
            ([observations, rewards, dones], [observations.copy(), rewards.copy(), dones.copy()])
        )
        assert not any("mine" in info for info in infos)
        for info in infos:
            info["mine"] = True
    assert all(
        np.array_equal(a, b) for arrays, copies in kept for a, b in zip(arrays, copies, strict=True)
    )


def test_masks_kept_from_before_a_step_do_not_change_with_it() -> None:
    envs, rng = venv(), np.random.default_rng(7)
    envs.reset()
    masks = envs.action_masks()
    was = masks.copy()
    envs.step(random_actions(masks, rng))
    assert np.array_equal(masks, was)


def test_writing_to_a_mask_makes_no_action_legal() -> None:
    envs = venv(2)
    envs.reset()
    legal = envs.action_masks().copy()
    envs.action_masks()[:] = 1
    with pytest.raises(ValueError, match="illegal"):
        envs.step((legal == 0).argmax(axis=1))


def test_a_seed_makes_the_next_reset_repeatable() -> None:
    envs = venv()
    envs.seed(11)
    first = envs.reset()
    later = envs.reset()
    envs.seed(11)
    assert np.array_equal(envs.reset(), first)
    assert not np.array_equal(first, later)


def test_attributes_are_found_and_wrong_names_refused() -> None:
    envs = venv(4)
    assert [rules.num_players for rules in envs.get_attr("rules")] == [2] * 4
    assert envs.has_attr("action_masks")
    assert not envs.has_attr("nothing_like_that")
    with pytest.raises(AttributeError, match="nothing_like_that"):
        envs.env_method("nothing_like_that")
    with pytest.raises(AttributeError, match="colour"):
        envs.set_attr("colour", "red")


@pytest.mark.parametrize(
    ("argument", "value"),
    [("num_envs", 0), ("seat", 2), ("num_players", [1, 2]), ("colour", "red")],
)
def test_an_impossible_argument_is_refused_by_name(argument: str, value: Any) -> None:
    with pytest.raises(ValueError, match=argument):
        venv(**{argument: value})


@pytest.mark.parametrize("opponents", [["counter"], [Asked(), "random"]], ids=["compiled", "asked"])
def test_another_environment_goes_on_from_a_state(opponents: list) -> None:
    first, second = (
        Ono99VecEnv("1980", 9, opponents, num_players=[2, 8], seed=seed, format="points_lowest")
        for seed in (1, 2)
    )
    first.reset()
    second.reset()
    rng = np.random.default_rng(3)
    for step in range(60):
        if step % 20 == 10:
            seen = second.load_state_dict(first.state_dict())
            assert np.array_equal(seen, first._episodes.observation)
        actions = random_actions(first.action_masks(), rng)
        ours = first.step(actions)
        if step >= 10:
            theirs = second.step(actions)
            assert all(np.array_equal(a, b) for a, b in zip(ours[:3], theirs[:3], strict=True))
            assert [info.get("episode") for info in ours[3]] == [
                info.get("episode") for info in theirs[3]
            ]


def test_a_state_of_another_number_of_tables_is_refused() -> None:
    one, many = (Ono99VecEnv(num_envs=count, num_players=2) for count in (1, 5))
    before = many.state_dict()
    with pytest.raises(
        ValueError, match="state: it was saved from 1 tables and cannot be loaded into 5"
    ):
        many.load_state_dict(one.state_dict())
    assert np.array_equal(many.state_dict()["episodes"], before["episodes"])


def test_using_it_before_reset_says_so() -> None:
    for call in (lambda envs: envs.step(np.zeros(16, int)), lambda envs: envs.action_masks()):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
            call(venv())
    continued = venv()
    continued.load_state_dict(venv().state_dict())
    assert continued.action_masks().any()


def test_it_is_seeded_at_random_unless_a_seed_is_given_and_tells_the_seed() -> None:
    one, other = venv(64), venv(64)
    assert not np.array_equal(one.reset(), other.reset())
    seeds = one.seed()
    assert len(seeds) == 64
    assert len(set(seeds)) == 1
    assert seeds != one.seed()
    assert other.seed(one.seed(7)[0]) == [7] * 64
    assert np.array_equal(one.reset(), other.reset())


def test_unknown_options_of_reset_are_refused() -> None:
    envs = venv()
    for options in ({"dealer": 1}, [{}, {"dealer": 1}]):
        with pytest.raises(ValueError, match="options: 'dealer' is no option"):
            envs.set_options(options)
    envs.set_options({})
