"""One decision shared by several threads, by a number of playouts or by the clock.

The determinizations of a decision are numbered, and the number decides all chance in it, whichever
thread plays it. So a decision by a number of playouts is the same for any number of threads, and
the same as that of `decide_batch`.
"""

import time
from collections.abc import Iterator
from concurrent.futures import Executor
from itertools import count

import numpy as np

from ono99_env.bots.search import halving
from ono99_env.bots.search.halving import RACE, Races
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import called_from_python
from ono99_env.jit.types import RulesArray, States, Whole, Word

_BLOCK = 8
"""Determinizations that a thread takes at a time: some tens of microseconds."""


@called_from_python
def start_race(views: States, rules: RulesArray, races: Races) -> Whole:
    """Start the race of one view by `halving.start_race`; return how many rounds it has."""
    return halving.start_race(views[0], rules[0], races[0])


@called_from_python
def play_race(
    views: States, rules: RulesArray, seed: Word, first: int, last: int, races: Races
) -> None:
    """Play determinizations in the race of one view by `halving.play_race`."""
    games = np.zeros(2, STATE)
    halving.play_race(views[0], rules[0], np.uint64(seed), first, last, races[0], games)


@called_from_python
def num_determinizations(simulations: Whole, rounds: Whole, alive: Whole) -> Whole:
    """Return `halving.num_determinizations`, for callers in Python."""
    return halving.num_determinizations(simulations, rounds, alive)


@called_from_python
def end_race_round(races: Races) -> None:
    """Drop the worse half of the actions of one race, by `halving.end_race_round`."""
    halving.end_race_round(races[0])


@called_from_python
def best_action(races: Races) -> Whole:
    """Return the action that wins one race, by `halving.best_action`."""
    return halving.best_action(races[0])


class SharedDecision:
    """A decision in one view, taken by several threads.

    Args:
        view: The redacted record, shape (1,).
        rules: The rules of the game.
        seed: Seed of the decision.
        threads: How many threads work.
        executor: Runs them.
    """

    def __init__(
        self, view: States, rules: RulesArray, seed: Word, threads: int, executor: Executor
    ) -> None:
        self._view, self._rules, self._seed = view, rules, seed
        self._threads, self._executor = threads, executor
        self._is_stopped = False
        self._races = np.zeros(1, RACE)
        self._rounds = int(start_race(view, rules, self._races))

    def by_simulations(self, simulations: int) -> int:
        """Decide after a number of playouts."""
        number = 0
        for _ in range(self._rounds):
            alive = int(self._races[0].alive)
            last = number + int(num_determinizations(simulations, self._rounds, alive))
            self._play(iter(range(number, last, _BLOCK)), last, float("inf"))
            number = last
            end_race_round(self._races)
        return int(best_action(self._races))

    def by_time(self, seconds: float) -> int:
        """Decide after some seconds, shared out equally among the rounds of the race."""
        start, blocks = time.perf_counter(), iter(count(0, _BLOCK))
        for done in range(1, self._rounds + 1):
            self._play(blocks, 2**62, start + seconds * done / self._rounds)
            end_race_round(self._races)
        return int(best_action(self._races))

    def _play(self, blocks: Iterator[int], last: int, deadline: float) -> None:
        """Let all threads take blocks, at least one each, and add up what they found."""
        tasks = [
            self._executor.submit(self._take_blocks, blocks, last, deadline)
            for _ in range(self._threads)
        ]
        try:
            for task in tasks:
                found = task.result()
                for name in ("plays", "gains", "squares"):
                    self._races[name] += found[name]
        except BaseException:
            self._is_stopped = True  # Ctrl-C: the threads must not play on
            raise

    def _take_blocks(self, blocks: Iterator[int], last: int, deadline: float) -> Races:
        """Play blocks of determinizations until none is left or the time is over."""
        found = self._races.copy()
        for name in ("plays", "gains", "squares"):
            found[name] = 0
        for first in blocks:
            end = min(first + _BLOCK, last)
            play_race(self._view, self._rules, self._seed, first, end, found)
            if self._is_stopped or time.perf_counter() >= deadline:
                break
        return found
