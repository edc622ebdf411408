"""Losses and wins reach a learner in every seat at every number of players (PettingZoo#1147)."""

import random
from collections import Counter
from math import sqrt
from typing import Any

import numpy as np
import pytest

from ono99_env import ono99_v0
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from tests.envs.random_play import EDITIONS, TABLES, aec_steps, random_action, random_actions

SIGMAS = 5
SEATS = [
    pytest.param(edition, players, seat, id=f"{edition}-{players}-{seat}")
    for edition, players in TABLES
    for seat in range(players)
]
ONE_ROUND = {"format": "single_round"}


def check_fair(wins: int, games: int, players: int) -> None:
    """All play at random and the dealer is drawn, so each seat wins 1 in n; bounds at 5 sigma."""
    chance = 1 / players
    margin = SIGMAS * sqrt(games * chance * (1 - chance))
    assert abs(wins - games * chance) < margin, f"{wins} wins in {games} games of {players}"


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_aec_agents_win_and_lose_in_every_seat(edition: str, players: int) -> None:
    env, rng, games = (
        ono99_v0.env(rules=edition, num_players=players, **ONE_ROUND),
        random.Random(1),
        150,
    )
    env.reset(seed=1)
    seen: dict[str, Counter] = {agent: Counter() for agent in env.possible_agents}
    for _ in range(games):
        total = dict.fromkeys(env.agents, 0.0)
        for agent, (_, reward, terminated, _, _) in aec_steps(env, rng):
            assert terminated or reward == 0
            total[agent] += reward
        assert sum(total.values()) == pytest.approx(0)
        for agent, reward in total.items():
            seen[agent][round(reward * (players - 1))] += 1
        env.reset()
    for rewards in seen.values():
        assert set(rewards) == {-1, players - 1}
        check_fair(rewards[players - 1], games, players)


@pytest.mark.parametrize(("edition", "players", "seat"), SEATS)
def test_a_vector_learner_wins_and_loses_in_every_seat(
    edition: str, players: int, seat: int
) -> None:
    envs = Ono99VectorEnv(128, edition, players, seat=seat, **ONE_ROUND)
    returns = final_rewards(envs, np.random.default_rng(2), 600)
    check_wins_and_losses(returns, players)


@pytest.mark.parametrize("players", [2, 5])
def test_a_single_learner_wins_and_loses_in_every_seat(players: int) -> None:
    for seat in range(players):
        env, rng = Ono99Env("2022", players, seat=seat), random.Random(3)
        env.reset(seed=3)
        returns = []
        for _ in range(120):
            _, info = env.reset()
            done, rewards = False, []
            while not done:
                _, reward, done, _, info = env.step(random_action(info["action_mask"], rng))
                rewards.append(reward)
            assert not any(rewards[:-1])
            returns.append(rewards[-1])
        check_wins_and_losses(np.array(returns), players)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_an_sb3_learner_wins_and_loses_in_every_seat(players: int) -> None:
    sb3 = pytest.importorskip("ono99_env.envs.sb3")
    for seat in range(players):
        envs = sb3.Ono99VecEnv("2022", 128, num_players=players, seat=seat, seed=seat)
        envs.reset()
        rng, returns = np.random.default_rng(4), []
        while len(returns) < 600:
            _, rewards, dones, _ = envs.step(random_actions(envs.action_masks(), rng))
            returns += rewards[dones].tolist()
        check_wins_and_losses(np.array(returns), players)


@pytest.mark.parametrize("game_format", ["chips", "points_last_standing", "points_lowest"])
def test_matches_of_many_rounds_are_won_and_lost_too(game_format: str) -> None:
    envs = Ono99VectorEnv(64, "1980", 3, format=game_format, chips=1, target_points=80)
    returns = final_rewards(envs, np.random.default_rng(5), 300)
    assert set(np.sign(returns)) >= {-1, 1}
    assert abs(returns.mean()) < SIGMAS * returns.std() / sqrt(len(returns))


@pytest.mark.parametrize("edition", EDITIONS)
def test_rewards_of_a_mixed_number_of_players_are_those_of_each_table(edition: str) -> None:
    envs = Ono99VectorEnv(64, edition, [2, 3, 5], **ONE_ROUND)
    returns = final_rewards(envs, np.random.default_rng(6), 500)
    assert set(np.round(returns, 6)) == {-1.0, -0.5, -0.25, 1.0}


def final_rewards(envs: Any, rng: np.random.Generator, count: int) -> np.ndarray:
    """Rewards of the first episodes to end; everything before an end must be 0.

    Short episodes end first, so whole generations of tables are counted to keep the sample fair.
    """
    _, infos = envs.reset(seed=7)
    ended, returns = np.zeros(envs.num_envs, int), []
    generations = -(-count // envs.num_envs)
    while ended.min() < generations:
        _, rewards, terminated, truncated, infos = envs.step(
            random_actions(infos["action_mask"], rng)
        )
        done = terminated | truncated
        assert not rewards[~done].any()
        returns += rewards[done & (ended < generations)].tolist()
        ended += done
    return np.array(returns)


def check_wins_and_losses(returns: np.ndarray, players: int) -> None:
    expected = {1.0, round(-1 / (players - 1), 6)}
    assert set(np.round(returns.astype(float), 6)) == expected
    check_fair(int((returns > 0).sum()), len(returns), players)
