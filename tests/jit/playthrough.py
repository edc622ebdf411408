"""Plays games under many rules by a fixed policy; prints a digest, or returns it.

Run as a program it shows what this interpreter makes of the engine, for example uncompiled.
"""

import hashlib
import json
import random

import numpy as np

from ono99_env import Game, ono99_v0
from ono99_env.envs.vector import Ono99VectorEnv
from tests.random_games import new_game


def digest(seed: int, games: int) -> str:
    """A digest of every position, view, environment and bot of some random games."""
    rng, sink = random.Random(seed), hashlib.sha256()
    for _ in range(games):
        game = new_game(rng)
        for _ in range(40):
            sink.update(json.dumps(game.snapshot(), sort_keys=True).encode())
            sink.update(game.views(rng.randrange(game.num_players)).observation.tobytes())
            if game.is_over:
                break
            game.play(rng.choice(game.legal_actions()))
        sink.update(json.dumps(Game.from_snapshot(game.snapshot()).snapshot()).encode())
    play_aec(rng, sink)
    play_vector(seed, sink)
    return sink.hexdigest()


def play_aec(rng: random.Random, sink: "hashlib._Hash") -> None:
    """One game of the AEC environment with an offence at the end."""
    env = ono99_v0.env(num_players=3, illegal="lose")
    env.reset(seed=rng.getrandbits(32))
    for _ in range(12):
        observation = env.last()[0]
        sink.update(observation["observation"].tobytes())
        env.step(int(observation["action_mask"].argmax()))
    env.step(17)


def play_vector(seed: int, sink: "hashlib._Hash") -> None:
    """A few steps of the vector environment against both scripted bots."""
    envs = Ono99VectorEnv(3, num_players=[2, 3], opponents=["random", "highest"])
    observations, infos = envs.reset(seed=seed)
    for _ in range(8):
        sink.update(observations.tobytes())
        result = envs.step(np.argmax(infos["action_mask"], axis=1))
        observations, infos = result[0], result[4]


if __name__ == "__main__":
    print(digest(1, 12))
