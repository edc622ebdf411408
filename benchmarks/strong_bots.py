"""Slow bots: games per second of four champions, and playouts per second of `search`."""

import time

import numpy as np
from numpy.typing import NDArray

from benchmarks.bots import games_rate
from benchmarks.timing import Figure, alternate
from ono99_env import Rules, Views, load_bot
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.tables import LEARNER, LEARNER_TO_ACT, Tables

_SEATS = 4
_CHAMPION = "2022"
_TURNS_BEFORE = 4
"""Turns of the seat that searches before the decision that is measured."""


def strong_bot_figures(games: int, rounds: int) -> list[Figure]:
    """Measure four champions beside four `highest`, and `search` with two threads beside one."""
    champions, highest = alternate(
        [lambda: games_rate(_CHAMPION, games), lambda: games_rate("highest", games)], rounds
    )
    views = positions(400)
    two, one = alternate(
        [lambda: playouts_rate(views, 1000, 2), lambda: playouts_rate(views, 1000, 1)], rounds
    )
    return [
        Figure(f"tables, four {_CHAMPION}.onnx", champions, "games/s", "four highest", highest),
        Figure("search, 1000 per decision, 2 threads", two, "playouts/s", "1 thread", one),
    ]


def positions(num_tables: int) -> Views:
    """Return views of one seat among `highest`, some turns into the game, where it has a choice."""
    rules = Rules.preset("2022", num_players=_SEATS)
    highest, rng = load_bot("highest"), np.random.default_rng(1)
    tables = Tables(rules, [highest], num_tables)
    holders = np.zeros((num_tables, MAX_PLAYERS), np.int8)
    holders[:, 0] = LEARNER
    every = np.arange(num_tables)
    tables.deal(every, np.full(num_tables, _SEATS), every.astype(np.uint64), holders)
    for _ in range(_TURNS_BEFORE):
        waiting = every[tables.status == LEARNER_TO_ACT]
        views = tables.views(waiting, _first_seats(waiting))
        tables.act(waiting, highest.act(views, rng))
    waiting = every[tables.status == LEARNER_TO_ACT]
    views = tables.views(waiting, _first_seats(waiting))
    has_choice = views.action_mask.sum(axis=1) > 1
    return Views(rules, views.states[has_choice], views.seats[has_choice])


def playouts_rate(views: Views, simulations: int, threads: int) -> float:
    """Measure the playouts per second of `search`, which decides in all views."""
    bot = load_bot(f"search:simulations={simulations},threads={threads}")
    start = time.perf_counter()
    bot.act(views, np.random.default_rng(1))
    return len(views) * simulations / (time.perf_counter() - start)


def _first_seats(tables: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.zeros(len(tables), np.int64)
