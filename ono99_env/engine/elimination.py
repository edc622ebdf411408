"""Who is out, and whether that ends the round (R6, R13, R16, R17, R22)."""

import numpy as np

from ono99_env.engine import legal, match, seats, turn
from ono99_env.engine.records import CHIPS, NOBODY, SINGLE_ROUND, TO_ACT, TRUNCATED
from ono99_env.jit.compile import inlined, shared_and_rare
from ono99_env.jit.instructions import mark_cold
from ono99_env.jit.types import RulesRecord, State


@inlined
def is_out(state: State) -> bool:
    """R6, R17: return whether the player who is up has busted, or can do nothing."""
    return seats.is_among(state.current_player, state.busted) or not legal.has_legal_action(state)


@shared_and_rare
def find_player(state: State, rules: RulesRecord) -> None:
    """R6: take out the player who is up, and then others, until one can act or the round ends."""
    mark_cold()
    while state.phase == TO_ACT and is_out(state):
        take_out(state, rules)
    stop_in_time(state, rules)


@inlined
def take_out(state: State, rules: RulesRecord) -> None:
    """R6, R7, R13: take out the player who is up; the next one owes one card, or the round ends."""
    leave_round(state, rules)
    if rules.format == SINGLE_ROUND and is_stuck(state, rules):
        let_last_player_win(state)
    if rules.format == CHIPS or state.players_left == 1:
        match.end_round(state, rules)
    else:
        turn.pass_turn(state)
        legal.update_legal_actions(state, rules)


@inlined
def leave_round(state: State, rules: RulesRecord) -> None:
    """R6: take the current player out of the round; the hand stays where it is."""
    seat = np.int64(state.current_player)
    others = ~seats.seat_bit(seat)
    state.in_round = np.int64(state.in_round) & others
    if rules.format == SINGLE_ROUND:
        state.in_match = np.int64(state.in_match) & others
    state.players_left -= 1
    if state.first_out == NOBODY:
        state.first_out = seat


@inlined
def is_stuck(state: State, rules: RulesRecord) -> bool:
    """R13: return whether no player left can play, so that the last one who did wins the round."""
    if not rules.last_to_play_wins_stuck_round or state.last_player == NOBODY:
        return False
    seat = state.current_player
    for _ in range(state.players_left):
        seat = seats.next_seat(state.in_round, seat, state.direction)
        if legal.could_start_turn(state, rules, seat):
            return False
    return True


@inlined
def let_last_player_win(state: State) -> None:
    """R13: leave only the last player who played in the round, even one who just went out."""
    state.in_round = seats.seat_bit(state.last_player)
    state.in_match = state.in_round
    state.players_left = 1


@inlined
def stop_in_time(state: State, rules: RulesRecord) -> None:
    """R22: cut a round short that still goes on after `max_plays` actions."""
    if state.plays >= rules.max_plays and state.phase == TO_ACT:
        state.phase = TRUNCATED
        match.leave_nobody_to_act(state)
