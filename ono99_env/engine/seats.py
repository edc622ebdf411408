"""Whose turn it is, and who is out (R6, R8, R13)."""

import numpy as np

from ono99_env.engine import legal
from ono99_env.engine.compile import compiled, inlined
from ono99_env.engine.state import CHIPS, NOBODY, SINGLE_ROUND
from ono99_env.engine.types import RulesRecord, State, Whole


@inlined
def seat_bit(seat: Whole) -> Whole:
    """The set of seats that holds one seat."""
    return np.int64(1) << np.int64(seat)


@inlined
def next_seat(seats: Whole, seat: Whole, direction: Whole, num_players: Whole) -> Whole:
    """The first seat of a set met from a seat onwards; the set must not be empty."""
    step = np.int64(direction)
    last = np.int64(num_players) - 1
    after = np.int64(seat)
    while True:
        after += step
        if after > last:
            after = np.int64(0)
        elif after < 0:
            after = last
        if (np.int64(seats) >> after) & 1:
            return after


@inlined
def pass_turn(state: State, plays_owed: Whole) -> None:
    """R3, R7: the next player in turn order is up and owes one or two cards."""
    state.current_player = next_seat(
        state.in_round, state.current_player, state.direction, state.num_players
    )
    state.plays_owed = plays_owed
    state.second_play = 0
    state.ono99_played = 0


@compiled
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


@compiled
def round_is_over(state: State, rules: RulesRecord) -> bool:
    """Whether the round ends now that a player has gone out (R13, R16, R17)."""
    if rules.format == CHIPS:
        return True
    if rules.format == SINGLE_ROUND and is_stuck(state, rules):
        state.in_round = seat_bit(state.last_player)
        state.in_match = state.in_round
        state.players_left = 1
    return bool(state.players_left == 1)


@compiled
def is_stuck(state: State, rules: RulesRecord) -> bool:
    """R13: whether no player left can play, so that the last one who did wins the round."""
    if not rules.last_to_play_wins_stuck_round or state.last_player == NOBODY:
        return False
    for seat in range(state.num_players):
        in_round = np.int64(state.in_round) & seat_bit(seat)
        if in_round and legal.could_start_turn(state, rules, seat):
            return False
    return True
