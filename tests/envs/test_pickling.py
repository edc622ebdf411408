"""Everything that users hold can be pickled, cloudpickled and deep-copied."""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest

from ono99_env import Game, IllegalActionError, Rules, SnapshotError, load_bot, ono99_v0
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.spaces import ActionSpace
from ono99_env.envs.vector import Ono99VectorEnv
from tests.envs.random_play import aec_steps, random_action, random_actions

COPIERS: list[Callable[[Any], Any]] = [
    lambda thing: pickle.loads(pickle.dumps(thing)),
    lambda thing: cloudpickle.loads(cloudpickle.dumps(thing)),
    copy.deepcopy,
]
copied = pytest.mark.parametrize("copier", COPIERS, ids=["pickle", "cloudpickle", "deepcopy"])


@copied
def test_a_copied_aec_environment_has_its_arguments_and_plays_the_same_games(
    copier: Callable,
) -> None:
    env = ono99_v0.env(rules="1980", num_players=3, illegal="lose", max_cycles=9, chips=1)
    env.reset(seed=1)
    for _ in range(3):
        env.step(random_action(env.last()[0]["action_mask"], random.Random(1)))
    other = copier(env)
    assert (other.rules, other.illegal) == (env.rules, "lose")
    histories = []
    for table in (env, other):
        table.reset(seed=2)
        turns = [(agent, last[1]) for agent, last in aec_steps(table, random.Random(2))]
        histories.append((turns, table.game_snapshot()))
    assert histories[0] == histories[1]


@copied
@pytest.mark.parametrize("opponents", [["highest"], [load_bot("random")]], ids=["name", "bot"])
def test_a_copied_single_environment_plays_the_same_episodes(
    copier: Callable, opponents: list
) -> None:
    env = Ono99Env("1980", 3, opponents, seat=1, format="single_round")
    env.reset(seed=3)
    other = copier(env)
    first, second = (table.reset(seed=4) for table in (env, other))
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1]["action_mask"], second[1]["action_mask"])
    assert other.rules == env.rules


@copied
def test_a_copy_in_the_middle_of_an_episode_goes_on_in_the_same_way(copier: Callable) -> None:
    env, rng = Ono99Env(num_players=2, opponents=["2022"]), random.Random(6)
    _, info = env.reset(seed=6)
    for _ in range(60):
        other, action = copier(env), random_action(info["action_mask"], rng)
        mine, theirs = env.step(action), other.step(action)
        assert all(np.array_equal(a, b) for a, b in zip(mine[:4], theirs[:4], strict=True))
        assert np.array_equal(mine[4]["action_mask"], theirs[4]["action_mask"])
        info = env.reset()[1] if mine[2] else mine[4]


@copied
def test_an_illegal_action_in_a_copy_loses_and_is_dealt_anew(copier: Callable) -> None:
    envs = Ono99VectorEnv(8, num_players=2, illegal="lose")
    _, infos = envs.reset(seed=7)
    other, masks = copier(envs), infos["action_mask"]
    mine, theirs = (table.step(masks.argmin(axis=1)) for table in (envs, other))
    assert mine[2].all()
    for a, b in zip(mine[:4], theirs[:4], strict=True):
        assert np.array_equal(a, b)
    assert theirs[4]["action_mask"].any(axis=1).all()


@copied
@pytest.mark.parametrize(
    "opponents", [["highest", "random"], ["2022", "random"]], ids=["compiled", "asked"]
)
def test_a_copied_vector_environment_goes_on_in_the_same_way(
    copier: Callable, opponents: list[str]
) -> None:
    envs = Ono99VectorEnv(8, num_players=[2, 3], opponents=opponents)
    _, infos = envs.reset(seed=5)
    other, rng = copier(envs), np.random.default_rng(5)
    masks = infos["action_mask"]
    for _ in range(40):
        actions = random_actions(masks, rng)
        mine, theirs = envs.step(actions), other.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(mine[:4], theirs[:4], strict=True))
        masks = mine[4]["action_mask"]


@copied
def test_a_copied_sb3_environment_goes_on_in_the_same_way(copier: Callable) -> None:
    sb3 = pytest.importorskip("ono99_env.envs.sb3")
    envs = sb3.Ono99VecEnv(num_envs=4, num_players=2)
    envs.reset()
    other, rng = copier(envs), np.random.default_rng(6)
    for _ in range(20):
        actions = random_actions(envs.action_masks(), rng)
        mine, theirs = envs.step(actions), other.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(mine[:3], theirs[:3], strict=True))


@copied
def test_a_copied_game_goes_on_in_the_same_way_and_leaves_the_original_alone(
    copier: Callable,
) -> None:
    game = Game(Rules(num_players=3), seed=7)
    game.play(game.legal_actions()[0])
    before, other = game.snapshot(), copier(game)
    assert other.snapshot() == before
    play = other.play(other.legal_actions()[-1])
    assert game.snapshot() == before
    assert game.play(game.legal_actions()[-1]) == play
    assert game.snapshot() == other.snapshot()


@copied
@pytest.mark.parametrize(
    "thing",
    [
        *(Rules.preset("1980", num_players=7), Rules(missed_draw_probability=[0.1, 0, 0, 0])),
        *(ActionSpace(), Game().legal_actions(), IllegalActionError("no"), SnapshotError("broken")),
        Game().play(Game().legal_actions()[0]),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_small_things_are_equal_to_their_copies(copier: Callable, thing: Any) -> None:
    other = copier(thing)
    assert type(other) is type(thing)
    assert str(other) == str(thing) if isinstance(thing, Exception) else other == thing


@copied
def test_copied_views_show_the_same(copier: Callable) -> None:
    game = Game(seed=8)
    views = game.views(game.current_player)
    other = copier(views)
    assert np.array_equal(other.observation, views.observation)
    assert np.array_equal(other.action_mask, views.action_mask)


@copied
@pytest.mark.parametrize("name", ["random", "highest"])
def test_copied_bots_act_the_same(copier: Callable, name: str) -> None:
    game, bot = Game(seed=9), load_bot(name)
    views = game.views(game.current_player)
    actions = [player.act(views, np.random.default_rng(9)) for player in (bot, copier(bot))]
    assert np.array_equal(*actions)


@copied
def test_a_copied_aec_environment_goes_on_where_it_was(copier: Callable) -> None:
    env = ono99_v0.env(num_players=4)
    env.reset(seed=8)
    for _ in range(10):
        env.step(random_action(env.last()[0]["action_mask"], random.Random(8)))
    other = copier(env)
    assert other.game_snapshot() == env.game_snapshot()
    while env.agents:
        assert other.agent_selection == env.agent_selection
        observation, reward, terminated, truncated, _ = env.last()
        assert other.last()[1:4] == (reward, terminated, truncated)
        assert np.array_equal(other.last()[0]["observation"], observation["observation"])
        is_dead = terminated or truncated
        action = None if is_dead else int(observation["action_mask"].argmax())
        env.step(action)
        other.step(action)
    assert other.agents == []


@copied
def test_a_copied_single_environment_goes_on_where_it_was(copier: Callable) -> None:
    env = Ono99Env(num_players=3, opponents=["random"])
    _, info = env.reset(seed=9)
    other = copier(env)
    for _ in range(60):
        action = int(info["action_mask"].argmax())
        mine, theirs = env.step(action), other.step(action)
        assert np.array_equal(mine[0], theirs[0])
        assert mine[1:4] == theirs[1:4]
        info = mine[4]
        if mine[2] or mine[3]:
            (_, info), _ = env.reset(), other.reset()
