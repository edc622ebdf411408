"""Who sits where: the line-ups of a tournament and the arrangements in which each is played.

A line-up is who sits at a table, in no order. It is played in all its distinct orders where they
are few, else in some, drawn from the seed. A deal is played once in each rotation of an order, so
that every bot of the line-up has every seat with the same cards, and every order has deals of its
own: with the same cards in the same seat a bot does much the same whoever sits where, so to play
all orders on one deal would tell less than to play as many games on more deals.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations_with_replacement
from math import comb, factorial, lcm, prod

import numpy as np
from numpy.typing import NDArray

MOST_ORDERS = 24
"""Up to this many distinct orders of a line-up are all played: all orders of four players."""

LEAST_ROUNDS = 30
"""An interval is computed over rounds, and needs some."""


@dataclass(frozen=True)
class LineUp:
    """Who sits at a table, and in which orders."""

    bots: tuple[int, ...]
    """The distinct bots, as indices into those of the tournament."""
    arrangements: NDArray[np.int8]
    """The bot in each seat, indices into those of the tournament; shape (arrangements, seats)."""
    deals: NDArray[np.int64]
    """Which deal of a round each arrangement is played on, from 0; shape (arrangements,)."""
    key: int
    """Start of the line-up's randomness: follows from the names of its bots, the seats and the
    seed, so that its deals are the same whoever else takes part."""

    @property
    def copies(self) -> NDArray[np.int64]:
        """Seats that each of `bots` has in a game, shape (bots,)."""
        return np.array([(self.arrangements[0] == bot).sum() for bot in self.bots])


def mixed_line_ups(names: Sequence[str], num_players: int, games: int, seed: int) -> list[LineUp]:
    """Line-ups in which every bot meets every other, all having equally many seats.

    They are all line-ups with two different bots at least, in all arrangements or in rotations, or,
    where these are too many for the games to be played, a balanced sample of them: the bots,
    shuffled again and again, sit down table after table.

    Args:
        names: The bots.
        num_players: Seats at a table.
        games: How many games will be played, at least.
        seed: Start of the randomness.

    Raises:
        ValueError: If the games are too few.
    """
    affordable = games // LEAST_ROUNDS
    count = comb(len(names) + num_players - 1, num_players) - len(names)
    sweep = lcm(len(names), num_players)
    if affordable < min(sweep, count * num_players):
        raise ValueError(
            f"games: {games} are too few for {len(names)} bots at tables of {num_players}; at "
            f"least {LEAST_ROUNDS * min(sweep, count * num_players)} are needed for every bot to "
            f"have every seat in {LEAST_ROUNDS} deals"
        )
    if count <= affordable:
        everything = combinations_with_replacement(range(len(names)), num_players)
        several = [bots for bots in everything if len(set(bots)) > 1]
        for most_orders in (MOST_ORDERS, 1):
            line_ups = [_line_up(names, bots, seed, most_orders) for bots in several]
            if games_of_a_round(line_ups) <= affordable:
                return line_ups
    rng = np.random.default_rng([seed, len(names), num_players])
    tables = Counter(_tables(len(names), num_players, affordable // sweep, rng))
    return [_line_up(names, bots, seed, 1, times) for bots, times in sorted(tables.items())]


def one_vs_rest_line_ups(
    names: Sequence[str], num_players: int, games: int, seed: int
) -> list[LineUp]:
    """The first bot in each seat, against copies of each of the others in turn.

    Args:
        names: The bots.
        num_players: Seats at a table.
        games: How many games will be played against each, at least.
        seed: Start of the randomness.

    Raises:
        ValueError: If the games are too few.
    """
    if games < LEAST_ROUNDS * num_players:
        raise ValueError(
            f"games: {games} are too few; at least {LEAST_ROUNDS * num_players} are needed for the "
            f"first bot to have each of {num_players} seats in {LEAST_ROUNDS} deals"
        )
    rest = range(1, len(names))
    return [_line_up(names, (0, *[bot] * (num_players - 1)), seed, num_players) for bot in rest]


def games_of_a_round(line_ups: Sequence[LineUp]) -> int:
    """Games in which every line-up has been played once in every arrangement."""
    return sum(len(line_up.arrangements) for line_up in line_ups)


def _line_up(
    names: Sequence[str], bots: Sequence[int], seed: int, most_orders: int, times: int = 1
) -> LineUp:
    """Arrange a line-up: in all orders if they are at most so many, else in some rotations."""
    bots = sorted(bots, key=lambda bot: names[bot])
    text = "\0".join([str(seed), *(names[bot] for bot in bots)])
    key = int.from_bytes(sha256(text.encode()).digest()[:8], "little")
    distinct = tuple(dict.fromkeys(bots))
    orders = factorial(len(bots)) // prod(factorial(count) for count in Counter(bots).values())
    ranks = [distinct.index(bot) for bot in bots]
    if times == 1 and orders <= most_orders:
        deals = _all_orders(ranks)
    else:
        rng = np.random.default_rng(key)
        deals = [_rotations(rng.permutation(ranks).tolist()) for _ in range(times)]
    arranged = np.array([order for deal in deals for order in deal])
    numbers = np.repeat(np.arange(len(deals)), [len(deal) for deal in deals])
    return LineUp(distinct, np.array(distinct, np.int8)[arranged], numbers, key)


def _rotations(order: list[int]) -> list[list[int]]:
    """All rotations; an order that repeats itself gives each as often as the others."""
    return [order[start:] + order[:start] for start in range(len(order))]


def _all_orders(items: list[int]) -> list[list[list[int]]]:
    """All distinct orders of sorted items; those that are rotations of each other are together."""
    deals: dict[tuple[int, ...], list[list[int]]] = {}
    for order in _distinct_orders(items):
        deals.setdefault(tuple(min(_rotations(order))), []).append(order)
    return list(deals.values())


def _distinct_orders(items: list[int]) -> Iterator[list[int]]:
    """All distinct orders of sorted items."""
    if not items:
        yield []
    for item in dict.fromkeys(items):
        rest = items.copy()
        rest.remove(item)
        for order in _distinct_orders(rest):
            yield [item, *order]


def _tables(
    num_bots: int, num_players: int, sweeps: int, rng: np.random.Generator
) -> Iterator[tuple[int, ...]]:
    """Seat shuffled bots table after table; in a sweep each bot sits down equally often."""
    shuffles = lcm(num_bots, num_players) // num_bots
    done = 0
    while done < sweeps:
        queue = np.concatenate([rng.permutation(num_bots) for _ in range(shuffles)])
        tables = np.sort(queue.reshape(-1, num_players), axis=1)
        if (tables[:, 0] < tables[:, -1]).all():
            yield from map(tuple, tables.tolist())
            done += 1
