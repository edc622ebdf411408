"""Our paths as the peers' loops are written: uniformly random legal play, mostly at four seats."""

import random
from collections.abc import Callable
from functools import partial
from itertools import count

import numpy as np

from benchmarks.environments import choose_randomly
from benchmarks.peers.going import Go, aec_loop
from benchmarks.peers.performance import performance_go
from ono99_env import Game, Rules, ono99_v0
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.rules.cards import MAX_PLAYERS

NUM_TABLES = 4096
_SEATS = 4
_STEPS = 20
_ENGINE_DECISIONS = 1_000_000


def aec_env() -> Go:
    """Play one game in the loop of PettingZoo's documentation."""
    return aec_loop(ono99_v0.env(num_players=_SEATS))


def game_object() -> Go:
    """Play one `Game`, without observations."""
    rules, rng, seeds = Rules.preset("2022", num_players=_SEATS), random.Random(1), count()

    def play() -> int:
        game, made = Game(rules, seed=next(seeds)), 0
        while not game.is_over:
            game.play(rng.choice(game.legal_actions()))
            made += 1
        return made

    return play


def engine() -> Go:
    """Play many games in one call of compiled code."""
    rules = rules_array(Rules.preset("2022", num_players=_SEATS))
    games, wins = np.zeros(4, STATE), np.zeros(MAX_PLAYERS, np.int64)
    seeds = count(1)

    def play() -> int:
        batch.play_randomly(games, rules, _ENGINE_DECISIONS, np.uint64(next(seeds)), wins)
        return _ENGINE_DECISIONS

    return play


def vector_env(num_tables: int, compact: bool) -> Go:
    """Step the vector env, a random bot against each learner; count only learners' decisions."""
    envs = Ono99VectorEnv(num_tables, num_players=2, copy=False, compact=compact)
    _, infos = envs.reset(seed=1)
    actions, counter = np.zeros(num_tables, np.int64), np.uint64(1)

    def play() -> int:
        nonlocal infos, counter
        for _ in range(_STEPS):
            counter = np.uint64(choose_randomly(infos["action_mask"], counter, actions))
            *_, infos = envs.step(actions)
        return _STEPS * num_tables

    return play


def vector_name(num_tables: int, compact: bool = False) -> str:
    """Return how `PATHS` calls a vector env."""
    return f"vector env, {num_tables} tables, 2 players" + (", compact" if compact else "")


PATHS: dict[str, Callable[[], Go]] = {
    "AEC env()": aec_env,
    "AEC env(), performance_benchmark": lambda: performance_go(ono99_v0.env(num_players=_SEATS)),
    "Game": game_object,
    "engine": engine,
    **{
        vector_name(num_tables, compact): partial(vector_env, num_tables, compact)
        for num_tables in (1024, NUM_TABLES)
        for compact in (False, True)
    },
}
"""By name: what makes a go of it."""
