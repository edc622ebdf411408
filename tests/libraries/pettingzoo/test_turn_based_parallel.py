"""PettingZoo's `turn_based_aec_to_parallel` delivers what the engine plays, reward by reward."""

import random
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from ono99_env.observation import FEATURES
from tests.envs.random_play import EDITIONS, random_action
from tests.libraries.record import RecordedAEC, Step, actions_of_seats, check_games

GAMES = 30
MATCHES = 4


def play(env: Any, rng: random.Random) -> list[Step]:
    """One game through the parallel interface, as it delivers it."""
    observations, infos = env.reset(seed=rng.getrandbits(30))
    steps, over = [], False
    while not over:
        (seat,) = (seat_of(agent) for agent in env.agents if infos[agent]["action_mask"].any())
        before = by_seat(observations), masks(observations, infos)
        action = random_action(before[1][seat], rng)
        actions = dict.fromkeys(env.agents, 0) | {f"player_{seat}": action}
        observations, rewards, terminations, truncations, infos = env.step(actions)
        over = not env.agents
        paid = {seat_of(agent): reward for agent, reward in rewards.items()}
        after = by_seat(observations), masks(observations, infos)
        steps.append(Step(action, paid, over, *before, *after, seat=seat))
        assert all(terminations[agent] or truncations[agent] for agent in terminations) == over
    return steps


def seat_of(agent: str) -> int:
    return int(agent.removeprefix("player_"))


def by_seat(observations: dict[str, Any]) -> dict[int, Any]:
    vectors = {seat_of(agent): value for agent, value in observations.items()}
    return {s: v["observation"] if isinstance(v, dict) else v for s, v in vectors.items()}


def masks(observations: dict[str, Any], infos: dict[str, Any]) -> dict[int, Any]:
    for agent, observation in observations.items():
        if isinstance(observation, dict):
            assert np.array_equal(observation["action_mask"], infos[agent]["action_mask"])
    return {seat_of(agent): info["action_mask"] for agent, info in infos.items()}


@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("edition", EDITIONS)
def test_with_kept_seats_everybody_gets_everything(
    edition: str, players: int, flatten: bool
) -> None:
    base = RecordedAEC(rules=edition, num_players=players, keep_seats=True, flatten=flatten)
    env, rng = turn_based_aec_to_parallel(base), random.Random(1)
    for _ in range(GAMES if edition == "2022" else MATCHES):
        steps = play(env, rng)
        assert all(len(step.rewards) == players for step in steps)
        assert check_games(steps, base.deals[-1:], actions_of_seats) == 1


@pytest.mark.parametrize("flatten", [False, True])
@pytest.mark.parametrize("players", [3, 5])
def test_without_them_the_seats_that_are_left_get_everything_too(
    players: int, flatten: bool
) -> None:
    base = RecordedAEC(num_players=players, flatten=flatten)
    env, rng = turn_based_aec_to_parallel(base), random.Random(2)
    for _ in range(GAMES):
        steps = play(env, rng)
        assert check_games(steps, base.deals[-1:], actions_of_seats) == 1
        assert len(steps[0].rewards) == players


def test_the_mask_in_a_flat_vector_is_the_one_in_the_infos() -> None:
    base = RecordedAEC(num_players=4, keep_seats=True, flatten=True)
    env, rng = turn_based_aec_to_parallel(base), random.Random(3)
    for _ in range(GAMES):
        for step in play(env, rng):
            for seat, vector in step.observations.items():
                assert (vector[FEATURES["legal"].slice] == step.masks[seat]).all()
