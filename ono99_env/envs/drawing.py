"""The compiled part of the environments: what a new game starts from."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.cards import MAX_PLAYERS
from ono99_env.engine import generator
from ono99_env.engine.compile import entry_point
from ono99_env.table_steps import LEARNER

ANY_SEAT = -1
"""In place of the learner's seat: one is drawn for each game."""


@entry_point
def draw_games(
    counters: NDArray[np.uint64],
    tables: NDArray[np.int64],
    counts: NDArray[np.int64],
    seat: int,
    num_bots: int,
    learner_seats: NDArray[np.int64],
    num_players: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    holders: NDArray[np.int8],
) -> None:
    """Draw player count, seed and holders of a new game at each of the given tables.

    Every table has a generator of its own, so that its games do not depend on the other tables.

    Args:
        counters: Counter of each table's generator (`ono99_env.engine.generator`), shape (tables,).
        tables: At which tables, shape (k,).
        counts: Player counts to draw from, shape (any,).
        seat: The learner's seat, or `ANY_SEAT`.
        num_bots: How many bots may hold the other seats.
        learner_seats: Written at these tables: the learner's seat, shape (tables,).
        num_players: Written, shape (k,).
        seeds: Written, shape (k,).
        holders: Written, shape (k, 8).
    """
    for index in range(len(tables)):
        table = tables[index]
        counter = counters[table]
        counter = generator.advance(counter)
        seeds[index] = generator.scramble(counter)
        counter = generator.advance(counter)
        num_players[index] = counts[generator.below(generator.scramble(counter), len(counts))]
        counter = generator.advance(counter)
        learner_seats[table] = seat
        if seat == ANY_SEAT:
            drawn = generator.below(generator.scramble(counter), num_players[index])
            learner_seats[table] = drawn
        for other in range(MAX_PLAYERS):
            counter = generator.advance(counter)
            holders[index, other] = generator.below(generator.scramble(counter), num_bots)
        holders[index, learner_seats[table]] = LEARNER
        counters[table] = counter
