"""The AEC environment's views for bots, its game and its record."""

import random

import numpy as np
import pytest

from ono99_env import Game, load_bot, ono99_v0
from tests.envs.random_play import TABLES, loaded_aec, random_action
from tests.random_games import positions


@pytest.mark.parametrize(("edition", "players"), TABLES[::3])
def test_a_bot_plays_a_whole_game_through_views(edition: str, players: int) -> None:
    env, bot, rng = ono99_v0.env(rules=edition, num_players=players), load_bot("highest"), 0
    rng = np.random.default_rng(0)
    env.reset(seed=5)
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else bot.act(env.views(), rng)[0])
    assert Game.from_record(env.record()).winners


def test_views_are_those_of_the_game() -> None:
    for _, game in positions(90, 60):
        if game.is_over:
            continue
        env = loaded_aec(game)
        assert env.views().states.tobytes() == game.views().states.tobytes()
        agent = env.possible_agents[-1]
        assert (
            env.views(agent).states.tobytes() == game.views(game.num_players - 1).states.tobytes()
        )


def test_views_of_nobody_are_refused() -> None:
    env = ono99_v0.env(num_players=2)
    with pytest.raises(Exception, match="reset"):
        env.views()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no agent 'player_7'; agents are player_0, player_1"):
        env.views("player_7")
    rng = random.Random(1)
    while env.agents and not env.terminations[env.agent_selection]:
        env.step(random_action(env.last()[0]["action_mask"], rng))
    with pytest.raises(ValueError, match="the game is over"):
        env.views()


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize(("edition", "players"), TABLES[::4])
def test_the_record_leads_to_the_table(edition: str, players: int, illegal: str) -> None:
    env = ono99_v0.env(rules=edition, num_players=players, illegal=illegal)
    rng = random.Random(players)
    for seed in range(3):
        env.reset(seed=seed)
        for step, _ in enumerate(env.agent_iter()):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"]
            is_wrong = illegal == "lose" and step == 20
            env.step(int(np.argmin(mask)) if is_wrong else random_action(mask, rng))
            assert env.game().state.tobytes() == env._games[0].tobytes()
        game = Game.from_record(env.record())
        assert game.state.tobytes() == env._games[0].tobytes()
        assert env.record()["names"] == env.possible_agents


def test_the_record_after_a_snapshot_begins_there() -> None:
    rng = random.Random(3)
    for _, game in positions(91, 30):
        env = loaded_aec(game)
        if not game.is_over:
            env.step(rng.choice(game.legal_actions()))
        assert Game.from_record(env.record()).state.tobytes() == env._games[0].tobytes()


def test_the_game_handed_out_is_a_copy() -> None:
    env = ono99_v0.env(num_players=2)
    env.reset(seed=1)
    env.game().play(env.game().legal_actions()[0])
    assert env.record()["plays"] == []
