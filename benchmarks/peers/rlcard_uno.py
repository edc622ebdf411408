"""RLCard's UNO: stepped by hand, in its own `run`, and the bare game without observations."""

import random

import numpy as np
import rlcard
from rlcard.agents import RandomAgent
from rlcard.games.uno import Game

from benchmarks.peers.going import Go, Peer

_GAMES = 10


def peers() -> list[Peer]:
    """Return two paths with observations, one without."""
    return [
        Peer("RLCard UNO, env.step", stepped(), "AEC env()"),
        Peer("RLCard UNO, env.run", run(), "AEC env()"),
        Peer("RLCard UNO, bare game, 4 players", bare_game(), "Game"),
    ]


def stepped() -> Go:
    """Play games through ``env.step``, which gives the observation and the legal actions."""
    env, rng = rlcard.make("uno", config={"seed": 1}), random.Random(1)

    def play() -> int:
        made = 0
        for _ in range(_GAMES):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
                made += 1
        return made

    return play


def run() -> Go:
    """Play games of its own random agents in ``env.run``."""
    env = rlcard.make("uno", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions)] * env.num_players)

    def play() -> int:
        games = [env.run(is_training=False)[0] for _ in range(_GAMES)]
        return sum(len(steps) // 2 for game in games for steps in game)

    return play


def bare_game() -> Go:
    """Play games of the class behind the environment, which `Game` here corresponds to."""
    game, rng = Game(num_players=4), random.Random(1)
    game.np_random = np.random.RandomState(1)

    def play() -> int:
        made = 0
        for _ in range(_GAMES):
            state, _ = game.init_game()
            while not game.is_over():
                state, _ = game.step(rng.choice(state["legal_actions"]))
                made += 1
        return made

    return play
