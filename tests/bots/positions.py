"""Positions for bots to act in, under any rules."""

from collections.abc import Iterator

import numpy as np

from ono99_env import Rules, Views
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, TO_ACT, rules_array
from ono99_env.rules.cards import NUM_ACTIONS


def positions(rules: Rules, num_games: int, most_steps: int, seed: int) -> Iterator[Views]:
    """What the players to act may know, step by step of random games that are not over."""
    rng = np.random.default_rng(seed)
    array, games = rules_array(rules), np.zeros(num_games, STATE)
    seeds = rng.integers(2**64, size=num_games, dtype=np.uint64)
    batch.deal_games(games, array, np.full(num_games, rules.num_players), seeds)
    for _ in range(most_steps):
        games = games[games["phase"] == TO_ACT]
        if not len(games):
            break
        views = Views.of(rules, games, games["current_player"].astype(np.int64))
        yield views
        scores = np.where(views.action_mask, rng.random((len(games), NUM_ACTIONS)), -1.0)
        batch.step_games(games, array, scores.argmax(axis=1))
