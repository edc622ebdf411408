"""Playing the environments at random, as a user would."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from ono99_env import Bot, Game, Views, ono99_v0
from ono99_env.envs.aec import Ono99AEC

EDITIONS = {"2022": 6, "1980": 8}
TABLES = [(edition, players) for edition in EDITIONS for players in range(2, EDITIONS[edition] + 1)]
"""Every edition with every number of players."""


def random_action(mask: np.ndarray, rng: random.Random) -> int:
    """One of the legal actions."""
    return rng.choice(np.flatnonzero(mask).tolist())


def random_actions(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One legal action for each row of masks."""
    return (rng.random(masks.shape) * (masks != 0)).argmax(axis=1)


class Asked(Bot):
    """Plays at random, and must be asked from Python for every action."""

    name = "asked"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """See `Bot.act`."""
        return random_actions(views.action_mask, rng)


def aec_steps(env: Ono99AEC, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Play to the end: the agent and its ``last()``, before each step is taken."""
    for agent in env.agent_iter():
        last = env.last()
        yield agent, last
        is_dead = last[2] or last[3]
        env.step(None if is_dead else random_action(last[0]["action_mask"], rng))


def loaded_aec(game: Game, **arguments: Any) -> Ono99AEC:
    """The AEC environment at the position of a game."""
    env = ono99_v0.env(rules=game.rules, **arguments)
    env.load_snapshot(game.snapshot())
    return env
