"""`keep_seats` and `flatten` of the AEC environment: the same game, handed out in another form."""

import random
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from ono99_env import ono99_v0
from ono99_env.observation import FEATURES
from tests.envs.random_play import TABLES, loaded_aec, random_action
from tests.envs.test_aec import EXPECTED_WARNINGS
from tests.random_games import new_game, play_randomly

OPTIONS = [{"keep_seats": True}, {"flatten": True}, {"keep_seats": True, "flatten": True}]
FORMATS = [("2022", "single_round"), ("1980", "chips"), ("1980", "points_lowest")]


def is_over(env: Any, agent: str) -> bool:
    return bool(env.terminations[agent] or env.truncations[agent])


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_pettingzoo_api(edition: str, players: int, options: dict[str, bool]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(ono99_v0.env(rules=edition, num_players=players, **options), num_cycles=60)
    messages = {str(warning.message) for warning in caught}
    assert [text for text in messages if not text.startswith(EXPECTED_WARNINGS)] == []


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pettingzoo_seed(options: dict[str, bool]) -> None:
    # With flatten the test of PettingZoo knows no mask and plays what it likes.
    seed_test(lambda: ono99_v0.env(illegal="lose", **options), num_cycles=100)


@pytest.mark.parametrize("max_cycles", [None, 4])
@pytest.mark.parametrize(("edition", "game_format"), FORMATS)
def test_kept_seats_change_neither_the_game_nor_the_rewards(
    edition: str, game_format: str, max_cycles: int | None
) -> None:
    for seed in range(12):
        rules = {"rules": edition, "num_players": 2 + seed % 5, "format": game_format}
        plain, kept = (
            ono99_v0.env(keep_seats=keep, max_cycles=max_cycles, target_points=60, **rules)
            for keep in (False, True)
        )
        plain.reset(seed=seed)
        kept.reset(seed=seed)
        rng, paid = random.Random(seed), dict.fromkeys(plain.possible_agents, 0.0)
        for agent in plain.agent_iter():
            observation, reward, *ends, _ = plain.last()
            if any(ends):
                paid[agent] += reward
                plain.step(None)
                continue
            assert kept.agent_selection == agent
            assert kept.agents == kept.possible_agents
            assert not any(is_over(kept, other) for other in kept.agents)
            for key, array in kept.last()[0].items():
                assert array.tobytes() == observation[key].tobytes()
            action = random_action(observation["action_mask"], rng)
            plain.step(action)
            kept.step(action)
            for other in plain.agents:
                assert kept.rewards[other] == plain.rewards[other]
        assert kept.game_snapshot() == plain.game_snapshot()
        check_all_end_together(kept, paid)


def check_all_end_together(env: Any, returns: dict[str, float]) -> None:
    """Everybody comes up once, in seat order, with all that the game paid."""
    assert sum(returns.values()) == pytest.approx(0)
    for agent in env.possible_agents:
        assert env.agent_selection == agent
        observation, reward, terminated, truncated, info = env.last()
        assert reward == returns[agent]
        assert terminated != truncated
        assert not observation["action_mask"].any()
        assert not info["action_mask"].any()
        env.step(None)
    assert env.agents == []


def test_an_eliminated_seat_is_paid_at_once_and_has_no_action_from_then_on() -> None:
    seen = 0
    for seed in range(30):
        env, rng = ono99_v0.env(num_players=5, keep_seats=True), random.Random(seed)
        env.reset(seed=seed)
        out: set[str] = set()
        while not is_over(env, env.agent_selection):
            env.step(random_action(env.last()[0]["action_mask"], rng))
            losers = {agent for agent, reward in env.rewards.items() if reward < 0}
            assert all(env.rewards[agent] == -1 / 4 for agent in losers)
            assert out.isdisjoint(losers)
            out |= losers
            if not is_over(env, env.agent_selection):
                assert env.agent_selection not in out
                assert not any(env.observe(agent)["action_mask"].any() for agent in out)
                assert not any(env.infos[agent]["action_mask"].any() for agent in out)
                seen += len(out)
    assert seen > 100


def test_a_loaded_position_has_all_kept_seats() -> None:
    rng = random.Random(3)
    for _ in range(60):
        game = play_randomly(new_game(rng), rng, rng.randrange(60))
        env = loaded_aec(game, keep_seats=True)
        assert env.agents == env.possible_agents
        assert all(is_over(env, agent) == game.is_over for agent in env.agents)


@pytest.mark.parametrize("keep_seats", [False, True])
def test_flat_observations_are_the_vectors_of_the_others(keep_seats: bool) -> None:
    for seed in range(10):
        flat, plain = (
            ono99_v0.env(rules="1980", keep_seats=keep_seats, flatten=flatten)
            for flatten in (True, False)
        )
        flat.reset(seed=seed)
        plain.reset(seed=seed)
        rng = random.Random(seed)
        for _ in plain.agent_iter():
            for agent in plain.agents:
                vector = flat.observe(agent)
                assert flat.observation_space(agent).contains(vector)
                assert vector.tobytes() == plain.observe(agent)["observation"].tobytes()
                mask = plain.observe(agent)["action_mask"]
                assert np.array_equal(flat.infos[agent]["action_mask"], mask)
                if not is_over(flat, agent):
                    assert np.array_equal(vector[FEATURES["legal"].slice], mask)
            ends = plain.last()[2:4]
            action = None if any(ends) else random_action(mask_of(plain), rng)
            plain.step(action)
            flat.step(action)


def mask_of(env: Any) -> np.ndarray:
    return env.infos[env.agent_selection]["action_mask"]


@pytest.mark.parametrize("option", ["keep_seats", "flatten"])
@pytest.mark.parametrize("value", [1, "yes", None])
def test_an_option_is_true_or_false(option: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"{option} must be True or False"):
        ono99_v0.env(**{option: value})
