"""How the cost of a decision and the memory grow: with tables, with games, with players."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.timing import Figure, alternate
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Rules

TABLES = (1, 100, 10_000, 100_000)
PLAYERS = (2, 4, 6, 8)


def growth_figures(decisions: int, rounds: int) -> list[Figure]:
    """Measure nanoseconds of processor time per decision, each beside the smallest of its kind."""
    engine = [lambda n=n: engine_cost(n, decisions) for n in TABLES]
    envs = [lambda n=n: vector_cost(n, decisions // 10) for n in TABLES[1:]]
    games = [lambda part=part: games_cost(part, 1000) for part in ("first", "last")]
    seats = [lambda n=n: engine_cost(4, decisions, n, "1980") for n in PLAYERS]
    views = [lambda n=n: vector_cost(1024, decisions // 10, n, "1980") for n in PLAYERS]
    return [
        *_compared("engine, {:,} tables", TABLES, engine, rounds),
        *_compared("vector env, {:,} tables", TABLES[1:], envs, rounds),
        *_compared("one table, {} 100 of 1,000 games", ("first", "last"), games, rounds),
        *_compared("engine, 1980, {} players", PLAYERS, seats, rounds),
        *_compared("vector env, 1980, {} players, each step", PLAYERS, views, rounds),
    ]


def _compared(
    name: str, sizes: Sequence[object], costs: list[Callable[[], float]], rounds: int
) -> list[Figure]:
    first, *others = alternate(costs, rounds)
    reference = name.format(sizes[0])
    return [
        Figure(name.format(size), cost, "ns/decision", reference, first)
        for size, cost in zip(sizes[1:], others, strict=True)
    ]


def engine_cost(
    num_tables: int, decisions: int, num_players: int = 4, preset: str = "2022"
) -> float:
    """Return nanoseconds per decision of random play that goes round some tables."""
    rules = rules_array(Rules.preset(preset, num_players=num_players))
    games, wins = np.zeros(num_tables, STATE), np.zeros(MAX_PLAYERS, np.int64)
    # The first round also deals.
    batch.play_randomly(games, rules, num_tables, np.uint64(1), wins)
    made = max(1, decisions // num_tables) * num_tables
    start = time.process_time()
    batch.play_randomly(games, rules, made, np.uint64(2), wins)
    return (time.process_time() - start) / made * 1e9


def vector_cost(
    num_tables: int, decisions: int, num_players: int = 4, preset: str = "2022"
) -> float:
    """Return nanoseconds per learner's decision of the vector env, with the bots' decisions."""
    envs = Ono99VectorEnv(num_tables, rules=preset, num_players=num_players, copy=False)
    _, infos = envs.reset(seed=1)
    steps = max(3, decisions // num_tables)
    start = time.process_time()
    for _ in range(steps):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    return (time.process_time() - start) / (steps * num_tables) * 1e9


def games_cost(part: str, num_games: int) -> float:
    """Return nanoseconds per learner's decision in the first or last tenth of games at a table."""
    env = Ono99VectorEnv(1, num_players=4, copy=False)
    _, infos = env.reset(seed=1)
    played, made, spent = 0, 0, 0.0
    is_first = part == "first"
    while played < num_games:
        is_measured = (played < num_games // 10) if is_first else (played >= num_games * 9 // 10)
        start = time.process_time()
        _, _, ends, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        if is_measured:
            spent += time.process_time() - start
            made += 1
        elif is_first:
            break
        played += int(ends[0])
    return spent / made * 1e9
