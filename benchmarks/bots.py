"""Bots: games per second of compiled ones, and decisions per second of a bot file."""

import time
from pathlib import Path

import numpy as np

from benchmarks.timing import Figure, alternate
from ono99_env import Bot, Rules, Views, load_bot
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.tables import Tables

_SEATS = 4
_TABLES = 1024
_BATCH = 4096
_CHAMPION = Path(__file__).parent.parent / "models" / "2022.onnx"


def bot_figures(games: int, rounds: int) -> list[Figure]:
    """Measure compiled bots beside `random`, and a bot file in batches beside single views."""
    names = ("random", "highest", "counter")
    random, *others = alternate(
        [lambda name=name: games_rate(name, games) for name in names], rounds
    )
    figures = [
        Figure(f"tables, four {name}", rate, "games/s", "four random", random)
        for name, rate in zip(names[1:], others, strict=True)
    ]
    if not _CHAMPION.exists():
        return figures
    bot = load_bot(_CHAMPION)
    candidates = [lambda: inference_rate(bot, _BATCH, 5), lambda: inference_rate(bot, 1, 500)]
    many, one = alternate(candidates, rounds)
    name = f"{_CHAMPION.name}, batches of {_BATCH}, 1 thread"
    return [*figures, Figure(name, many, "decisions/s", "one by one", one)]


def games_rate(name: str, games: int) -> float:
    """Return games per second of four bots of one name, on one core."""
    tables = Tables(Rules.preset("2022", num_players=_SEATS), [load_bot(name)], _TABLES)
    every = np.arange(_TABLES)
    players, holders = np.full(_TABLES, _SEATS), np.zeros((_TABLES, MAX_PLAYERS), np.int8)
    deals = max(1, games // _TABLES)
    start = time.perf_counter()
    for deal in range(deals):
        tables.deal(every, players, (every + deal * _TABLES).astype(np.uint64), holders)
    return deals * _TABLES / (time.perf_counter() - start)


def inference_rate(bot: Bot, size: int, calls: int) -> float:
    """Return decisions per second of a bot that is asked in batches; features are counted."""
    rules, rng = Rules.preset("2022", num_players=_SEATS), np.random.default_rng(1)
    games = np.zeros(size, STATE)
    seeds = np.arange(size, dtype=np.uint64)
    batch.deal_games(games, rules_array(rules), np.full(size, _SEATS), seeds)
    seats = games["current_player"].astype(np.int64)
    start = time.perf_counter()
    for _ in range(calls):
        bot.act(Views.of(rules, games, seats), rng)
    return size * calls / (time.perf_counter() - start)
