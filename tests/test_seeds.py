"""Everything follows from the seed alone: not from global generators, which are left alone, too."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from ono99_env import Game, Rules, load_bot, ono99_v0
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.tables import LEARNER, Tables
from tests.envs.random_play import aec_steps, random_action, random_actions


def of_game(seed: int) -> Iterator[Any]:
    game, rng = Game(Rules(missed_draw_probability=0.2), seed=seed), random.Random(0)
    while not game.is_over:
        yield game.play(rng.choice(game.legal_actions()))
    yield game.snapshot()


def of_aec(seed: int) -> Iterator[Any]:
    env = ono99_v0.env(num_players=3)
    env.reset(seed=seed)
    for _ in range(2):
        for agent, last in aec_steps(env, random.Random(0)):
            yield agent, last[0]["observation"].tobytes(), last[1:4]
        env.reset()


def of_single(seed: int) -> Iterator[Any]:
    env, rng = Ono99Env(num_players=3, opponents=["random", "highest"]), random.Random(0)
    observation, info = env.reset(seed=seed)
    for _ in range(60):
        yield observation.tobytes(), info["action_mask"].tobytes()
        observation, _, terminated, _, info = env.step(random_action(info["action_mask"], rng))
        if terminated:
            observation, info = env.reset()


def of_vector(seed: int) -> Iterator[Any]:
    envs, rng = Ono99VectorEnv(5, num_players=[2, 4]), np.random.default_rng(0)
    observations, infos = envs.reset(seed=seed)
    for _ in range(40):
        yield observations.tobytes()
        observations, _, _, _, infos = envs.step(random_actions(infos["action_mask"], rng))


def of_sb3(seed: int) -> Iterator[Any]:
    envs = pytest.importorskip("ono99_env.envs.sb3").Ono99VecEnv(num_envs=5, seed=seed)
    rng, observations = np.random.default_rng(0), envs.reset()
    for _ in range(40):
        yield observations.tobytes()
        observations, _, _, _ = envs.step(random_actions(envs.action_masks(), rng))


def of_tables(seed: int) -> Iterator[Any]:
    tables = Tables(Rules(), [load_bot("random"), load_bot("highest")], 6, seed=seed)
    holders = np.arange(48, dtype=np.int8).reshape(6, 8) % 2
    tables.deal(np.arange(6), np.full(6, 4), np.arange(6, dtype=np.uint64), holders)
    yield tables.games["random_counter"].tolist(), tables.games["in_match"].tolist()


def of_bot(seed: int) -> Iterator[Any]:
    game, rng = Game(seed=seed), np.random.default_rng(seed)
    views = game.views(game.current_player)
    yield [int(load_bot("random").act(views, rng)[0]) for _ in range(30)]


SOURCES = [of_game, of_aec, of_single, of_vector, of_sb3, of_tables, of_bot]
every_source = pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
Source = Callable[[int], Iterator[Any]]


@every_source
def test_the_same_seed_gives_the_same_and_another_seed_something_else(source: Source) -> None:
    first = list(source(1))
    assert list(source(1)) == first
    assert list(source(2)) != first


@every_source
def test_global_generators_neither_matter_nor_change(source: Source) -> None:
    undisturbed = list(source(3))
    np.random.seed(99)
    random.seed(99)
    before = random.getstate(), [np.array(part) for part in np.random.get_state()]
    assert list(source(3)) == undisturbed
    assert random.getstate() == before[0]
    for part, was in zip(np.random.get_state(), before[1], strict=True):
        assert np.array_equal(part, was)


@every_source
def test_disturbing_the_global_generators_on_the_way_changes_nothing(source: Source) -> None:
    undisturbed, disturbed = list(source(4)), []
    for number, step in enumerate(source(4)):
        disturbed.append(step)
        np.random.seed(number)
        random.seed(number)
    assert disturbed == undisturbed


@pytest.mark.parametrize(
    "maker", [lambda: ono99_v0.env(), lambda: Ono99Env(), lambda: Ono99VectorEnv(1)]
)
def test_without_a_seed_every_environment_starts_differently(maker: Callable) -> None:
    starts = set()
    for _ in range(4):
        env = maker()
        result = env.reset()
        observation = env.last()[0]["observation"] if result is None else result[0]
        starts.add(observation.tobytes())
    assert len(starts) > 1


def test_games_of_an_environment_differ_from_each_other() -> None:
    env = ono99_v0.env()
    env.reset(seed=5)
    deals = {env.game_snapshot()["rng"]}
    for _ in range(20):
        env.reset()
        deals.add(env.game_snapshot()["rng"])
    assert len(deals) == 21


def test_the_same_seed_deals_the_same_hands_whatever_is_played() -> None:
    rules = Rules(num_players=3, dealer=0)
    first, second = Game(rules, seed=6), Game(rules, seed=6)
    assert first.initial_draws == second.initial_draws
    while not (first.is_over or second.is_over) and first.current_player == second.current_player:
        one = first.play(first.legal_actions()[0], missed_draw=False)
        other = second.play(second.legal_actions()[0], missed_draw=False)
        assert one == other


def test_seats_are_dealt_the_same_cards_at_duplicate_tables() -> None:
    tables = Tables(Rules(num_players=2), [load_bot("highest")], 2)
    holders = np.full((2, 8), LEARNER, np.int8)
    tables.deal(np.arange(2), np.array([2, 2]), np.array([7, 7], np.uint64), holders)
    assert tables.games[0].tobytes() == tables.games[1].tobytes()
