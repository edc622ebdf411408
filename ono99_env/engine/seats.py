"""Whose turn it is, and who is out (R6, R8, R13)."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal, words
from ono99_env.engine.records import CHIPS, NOBODY, SINGLE_ROUND
from ono99_env.jit.compile import inlined
from ono99_env.jit.types import RulesRecord, State, Whole
from ono99_env.rules.cards import MAX_PLAYERS


@inlined
def seat_bit(seat: Whole) -> Whole:
    """The set of seats that holds one seat."""
    return np.int64(1) << np.int64(seat)


def _tabulate_next_seats() -> NDArray[np.int8]:
    """The next seat for each direction (-1, 1), seat and set of seats; NOBODY for the empty set."""
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
    """The first seat of a set met from a seat onwards; the set must not be empty."""
    turns = (np.int64(direction) + 1) * (_ONE_WAY // 2)
    place = turns + np.int64(seat) * _BY_SEAT + np.int64(seats)
    return np.int64(_NEXT_SEAT[words.index(place)])


@inlined
def pass_turn(state: State, plays_owed: Whole) -> None:
    """R3, R7: the next player in turn order is up and owes one or two cards."""
    state.current_player = next_seat(state.in_round, state.current_player, state.direction)
    state.plays_owed = plays_owed
    state.second_play = 0
    state.ono99_played = 0


@inlined
def move_on(state: State) -> None:
    """R3, R7: who still owes a card stays to act; else the next player is up and owes what is due.

    Which it is cannot be predicted, so both are read first and one is selected without a branch.
    """
    owed, passed_on = np.int64(state.plays_owed), np.int64(state.plays_passed_on)
    seat, in_round = np.int64(state.current_player), np.int64(state.in_round)
    goes_on = owed > 0
    candidates = seat_bit(seat) if goes_on else in_round
    state.current_player = next_seat(candidates, seat, state.direction)
    state.plays_owed = owed if goes_on else passed_on
    state.ono99_played &= goes_on


@inlined
def put_out(state: State, rules: RulesRecord) -> None:
    """R6: the current player is out of the round; the hand stays where it is."""
    seat = np.int64(state.current_player)
    others = ~seat_bit(seat)
    state.in_round = np.int64(state.in_round) & others
    if rules.format == SINGLE_ROUND:
        state.in_match = np.int64(state.in_match) & others
    state.players_left -= 1
    if state.first_out == NOBODY:
        state.first_out = seat


@inlined
def round_is_over(state: State, rules: RulesRecord) -> bool:
    """Whether the round ends now that a player has gone out (R13, R16, R17)."""
    if rules.format == CHIPS:
        return True
    if rules.format == SINGLE_ROUND and is_stuck(state, rules):
        state.in_round = seat_bit(state.last_player)
        state.in_match = state.in_round
        state.players_left = 1
    return bool(state.players_left == 1)


@inlined
def is_stuck(state: State, rules: RulesRecord) -> bool:
    """R13: whether no player left can play, so that the last one who did wins the round."""
    if not rules.last_to_play_wins_stuck_round or state.last_player == NOBODY:
        return False
    seat = state.current_player
    for _ in range(state.players_left):
        seat = next_seat(state.in_round, seat, state.direction)
        if legal.could_start_turn(state, rules, seat):
            return False
    return True
