"""Seats round the table: sets of seats as bits, and the order of play among them (R3, R8).

A set of seats is an integer with bit ``1 << seat``: 0b1011 holds the seats 0, 1 and 3.
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import words
from ono99_env.engine.records import NOBODY
from ono99_env.jit.compile import inlined
from ono99_env.jit.instructions import count_ones
from ono99_env.jit.types import Whole
from ono99_env.rules.cards import MAX_PLAYERS


@inlined
def seat_bit(seat: Whole) -> Whole:
    """Return the set of seats that holds one seat."""
    return np.int64(1) << np.int64(seat)


@inlined
def is_among(seat: Whole, seats: Whole) -> bool:
    """Return whether a set of seats holds a seat."""
    return bool((np.int64(seats) & seat_bit(seat)) != 0)


@inlined
def count_seats(seats: Whole) -> Whole:
    """Return how many seats a set holds."""
    return count_ones(words.index(seats))


def _tabulate_next_seats() -> NDArray[np.int8]:
    """Tabulate the next seat by direction (-1, 1), seat and set of seats; nobody for no seats."""
    table = np.full((2, MAX_PLAYERS, 1 << MAX_PLAYERS), NOBODY, np.int8)
    for turns, direction in enumerate((-1, 1)):
        for seat in range(MAX_PLAYERS):
            for seats in range(1, 1 << MAX_PLAYERS):
                after = (seat + direction) % MAX_PLAYERS
                while not seats >> after & 1:
                    after = (after + direction) % MAX_PLAYERS
                table[turns, seat, seats] = after
    return table


_NEXT_SEAT = _tabulate_next_seats()
_ONE_WAY = _NEXT_SEAT[0].size
_BY_SEAT = _NEXT_SEAT[0, 0].size
_NEXT_SEAT = _NEXT_SEAT.ravel()


@inlined
def next_seat(seats: Whole, seat: Whole, direction: Whole) -> Whole:
    """Return the first seat of a set met from a seat onwards; the set must not be empty."""
    turns = (np.int64(direction) + 1) * (_ONE_WAY // 2)
    place = turns + np.int64(seat) * _BY_SEAT + np.int64(seats)
    return np.int64(_NEXT_SEAT[words.index(place)])
