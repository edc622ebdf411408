"""What docs/libraries/pettingzoo.md says of SuperSuit's wrappers, one by one."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import supersuit
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from ono99_env import IllegalActionError, ono99_v0
from ono99_env.observation import FEATURES, OBSERVATION_SIZE
from tests.envs.random_play import random_action
from tests.libraries.record import RecordedAEC, Step, actions_of_seats, check_games

Wrap = Callable[[Any], Any]

ANY_OBSERVATION: dict[str, Wrap] = {
    "reward_lambda_v0": lambda env: supersuit.reward_lambda_v0(env, lambda reward: reward),
    "clip_reward_v0": supersuit.clip_reward_v0,
    "action_lambda_v1": lambda env: supersuit.action_lambda_v1(
        env, lambda action, _: action, lambda space: space
    ),
    "nan_noop_v0": lambda env: supersuit.nan_noop_v0(env, 0),
    "nan_random_v0": supersuit.nan_random_v0,
    "nan_zeros_v0": supersuit.nan_zeros_v0,
    "pad_action_space_v0": supersuit.pad_action_space_v0,
    "delay_observations_v0": lambda env: supersuit.delay_observations_v0(env, 1),
}
FLAT_OBSERVATION: dict[str, Wrap] = {
    "frame_stack_v1": lambda env: supersuit.frame_stack_v1(env, 3),
    "frame_stack_v2": lambda env: supersuit.frame_stack_v2(env, 3),
    "dtype_v0": lambda env: supersuit.dtype_v0(env, np.float64),
    "flatten_v0": supersuit.flatten_v0,
    "reshape_v0": lambda env: supersuit.reshape_v0(env, (2, OBSERVATION_SIZE // 2)),
    "normalize_obs_v0": supersuit.normalize_obs_v0,
    "max_observation_v0": lambda env: supersuit.max_observation_v0(env, 2),
    "agent_indicator_v0": supersuit.agent_indicator_v0,
    "pad_observations_v0": supersuit.pad_observations_v0,
}
NEVER: dict[str, Wrap] = {
    "sticky_actions_v0": lambda env: supersuit.sticky_actions_v0(env, 0.5),
    "frame_skip_v0": lambda env: supersuit.frame_skip_v0(env, 2),
    "clip_actions_v0": supersuit.clip_actions_v0,
    "resize_v1": lambda env: supersuit.resize_v1(env, 10, 10),
    "color_reduction_v0": supersuit.color_reduction_v0,
    "black_death_v3": supersuit.black_death_v3,
}
REFUSALS = (AssertionError, AttributeError, TypeError, KeyError, IllegalActionError)
SEATS = [False, True]
SEEDS = range(12)


def play(env: Any, seed: int) -> dict[str, float]:
    """Play at random by the masks in the infos; returns what `last` paid each agent."""
    env.reset(seed=seed)
    rng, paid = random.Random(seed), dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        paid[agent] += reward
        is_out = terminated or truncated
        env.step(None if is_out else random_action(info["action_mask"], rng))
    return paid


def returns(env: Any) -> list[dict[str, float]]:
    return [play(env, seed) for seed in SEEDS]


def plain_returns() -> list[dict[str, float]]:
    return returns(ono99_v0.env(num_players=3))


@pytest.mark.parametrize("keep_seats", SEATS)
@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("name", ANY_OBSERVATION)
def test_it_works_with_every_observation(name: str, flatten: bool, keep_seats: bool) -> None:
    env = ono99_v0.env(num_players=3, flatten=flatten, keep_seats=keep_seats)
    wrapped = ANY_OBSERVATION[name](env)
    assert returns(wrapped) == plain_returns()


@pytest.mark.parametrize("keep_seats", SEATS)
@pytest.mark.parametrize("name", FLAT_OBSERVATION)
def test_it_works_with_flat_observations_only(name: str, keep_seats: bool) -> None:
    wrap = FLAT_OBSERVATION[name]
    with pytest.raises(REFUSALS):
        play(wrap(ono99_v0.env(num_players=3, keep_seats=keep_seats)), 0)
    wrapped = wrap(ono99_v0.env(num_players=3, keep_seats=keep_seats, flatten=True))
    assert returns(wrapped) == plain_returns()


@pytest.mark.parametrize("keep_seats", SEATS)
@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("name", NEVER)
def test_it_cannot_work(name: str, flatten: bool, keep_seats: bool) -> None:
    env = ono99_v0.env(num_players=3, flatten=flatten, keep_seats=keep_seats)
    with pytest.raises(REFUSALS):
        returns(NEVER[name](env))


def test_observation_lambda_takes_dicts_apart() -> None:
    env = supersuit.observation_lambda_v0(
        ono99_v0.env(num_players=3),
        lambda observation, space: observation["observation"],
        lambda space: space["observation"],
    )
    assert returns(env) == plain_returns()
    flat = ono99_v0.env(num_players=3, flatten=True)
    for each in (env, flat):
        each.reset(seed=1)
    assert np.array_equal(env.last()[0], flat.last()[0])


def test_the_newest_frame_of_a_stack_ends_it_and_holds_the_mask() -> None:
    env = supersuit.frame_stack_v1(ono99_v0.env(num_players=3, flatten=True), 3)
    env.reset(seed=1)
    rng = random.Random(1)
    for _ in range(20):
        observation, _, terminated, _, info = env.last()
        if not terminated:
            newest = observation[-OBSERVATION_SIZE:]
            assert np.array_equal(newest[FEATURES["legal"].slice], info["action_mask"])
        env.step(None if terminated else random_action(info["action_mask"], rng))


def test_delayed_observations_hold_a_mask_that_is_out_of_date() -> None:
    env = supersuit.delay_observations_v0(ono99_v0.env(num_players=3), 1)
    env.reset(seed=1)
    observation, *_, info = env.last()
    assert info["action_mask"].any()
    assert not np.array_equal(observation["action_mask"], info["action_mask"])


def test_black_death_wants_vectors_and_never_ends_the_game() -> None:
    dicts = supersuit.black_death_v3(turn_based_aec_to_parallel(ono99_v0.env(num_players=3)))
    with pytest.raises(AssertionError, match="Box"):
        dicts.reset(seed=1)
    base = ono99_v0.env(num_players=3, flatten=True)
    env, rng = supersuit.black_death_v3(turn_based_aec_to_parallel(base)), random.Random(1)
    _, infos = env.reset(seed=1)
    while base.agents:
        agent = base.agent_selection
        action = random_action(infos[agent]["action_mask"], rng)
        _, _, terminated, _, infos = env.step(dict.fromkeys(env.agents, action))
    assert not any(terminated.values())


@pytest.mark.parametrize("players", [2, 4])
def test_pettingzoo_env_to_vec_env_has_a_row_for_each_kept_seat(players: int) -> None:
    base = RecordedAEC(num_players=players, keep_seats=True, flatten=True)
    envs = supersuit.pettingzoo_env_to_vec_env_v1(turn_based_aec_to_parallel(base))
    assert envs.num_envs == players
    rng, steps = random.Random(2), []
    before = in_rows(*envs.reset(seed=2))
    for _ in range(400):
        (seat,) = (seat for seat, mask in before[1].items() if mask.any())
        action = random_action(before[1][seat], rng)
        observations, rewards, terminated, truncated, infos = envs.step([action] * players)
        is_over = bool((terminated | truncated).all())
        assert is_over or not (terminated | truncated).any()
        after = in_rows(observations, infos)
        last = {
            seat: info["terminal_observation"] for seat, info in enumerate(infos) if is_over
        } or after[0]
        paid = dict(enumerate(rewards.tolist()))
        steps.append(Step(action, paid, is_over, *before, last, seat=seat))
        before = after
    assert check_games(steps, base.deals, actions_of_seats) > 5


def in_rows(observations: np.ndarray, infos: list[dict[str, Any]]) -> tuple[dict, dict]:
    masks = {seat: info["action_mask"] for seat, info in enumerate(infos)}
    return dict(enumerate(observations.copy())), masks


def test_pettingzoo_env_to_vec_env_refuses_seats_that_leave() -> None:
    base = ono99_v0.env(num_players=4, flatten=True)
    envs = supersuit.pettingzoo_env_to_vec_env_v1(turn_based_aec_to_parallel(base))
    envs.reset(seed=3)
    with pytest.raises(AssertionError, match="varying numbers of active agents"):
        play_in_rows(envs, base)


def play_in_rows(envs: Any, base: Any) -> None:
    rng = random.Random(3)
    for _ in range(400):
        envs.step([random_action(base.infos[base.agent_selection]["action_mask"], rng)] * 4)
