"""Tournament games per second, everything counted: four compiled bots, on one core and on two."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.timing import Figure, alternate
from ono99_env.arena.plan.line_ups import LineUps
from ono99_env.arena.plan.schedule import MOST_JOB_GAMES, Job
from ono99_env.arena.play.jobs import play_job
from ono99_env.arena.play.umpire import Umpire
from ono99_env.bots import load_bot
from ono99_env.rules.rules import Rules
from ono99_env.tables import Tables

_SEATS = 4
_DEALS = MOST_JOB_GAMES // _SEATS


def arena_figures(games: int, rounds: int) -> list[Figure]:
    """Measure four `highest` at a table, in two threads beside one."""
    one, two = alternate([lambda: games_rate(games, 1), lambda: games_rate(games, 2)], rounds)
    return [Figure("arena, four highest, 2 threads", two, "games/s", "1 thread", one)]


def games_rate(games: int, threads: int) -> float:
    """Return games per second that some threads play together."""
    jobs = [games // (threads * MOST_JOB_GAMES) or 1] * threads
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        played = sum(pool.map(_play, jobs))
        return played / (time.perf_counter() - start)


def _play(num_jobs: int) -> int:
    """Play some jobs; return the number of games."""
    umpire = Umpire()
    rules = Rules.preset("2022", num_players=_SEATS)
    tables = Tables(rules, [load_bot("highest")], MOST_JOB_GAMES, ask=umpire)
    line_ups = LineUps(1, _SEATS, key=1, table=np.zeros((_SEATS, _SEATS), np.int8))
    for number in range(num_jobs):
        play_job(tables, umpire, line_ups, Job(number, 0, number * _DEALS, _DEALS))
    return num_jobs * MOST_JOB_GAMES
