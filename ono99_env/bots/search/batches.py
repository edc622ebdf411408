"""Compiled decisions for whole batches of views, by a number of playouts."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.search import halving
from ono99_env.bots.search.halving import RACE, Race
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import RulesArray, RulesRecord, State, States, Whole, Word


@called_from_python
def decide_batch(
    views: States,
    rules: RulesArray,
    seeds: NDArray[np.uint64],
    simulations: int,
    actions: NDArray[np.int64],
) -> None:
    """Write an action for every view.

    Args:
        views: Redacted records, shape (batch,); in each its observer is to act.
        rules: The rules of all the games.
        seeds: Seed of each decision, shape (batch,).
        simulations: Playouts for each decision.
        actions: Written, shape (batch,).
    """
    race, games = np.zeros(1, RACE), np.zeros(2, STATE)
    for index in range(len(views)):
        actions[index] = decide(views[index], rules[0], seeds[index], simulations, race[0], games)


@compiled
def decide(
    view: State, rules: RulesRecord, seed: Word, simulations: Whole, race: Race, games: States
) -> Whole:
    """Choose the action of the seat to act; `race` and `games` (two records) are scratch space."""
    rounds = halving.start_race(view, rules, race)
    number = np.int64(0)
    for _ in range(rounds):
        last = number + halving.num_determinizations(simulations, rounds, race.alive)
        halving.play_race(view, rules, seed, number, last, race, games)
        halving.end_race_round(race)
        number = last
    return halving.best_action(race)
