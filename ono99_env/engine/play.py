"""A decision and what follows from it without chance (R3, R7-R12, R17, R22)."""

import numpy as np

from ono99_env.cards import Action, Card
from ono99_env.engine import legal, matches, seats, words
from ono99_env.engine.compile import compiled, inlined
from ono99_env.engine.state import (
    AS_PLAY,
    BUST_FLAG,
    DRAWING,
    TO_ACT,
    TRUNCATED,
)
from ono99_env.engine.types import RulesRecord, State, Whole

_ONO99 = int(Card.ONO99)
_REVERSE = int(Card.REVERSE)
_PLAY_TWO = int(Card.PLAY_TWO)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_ONE_BYTE = np.uint32(8)


@inlined
def play(state: State, rules: RulesRecord, action: Whole) -> None:
    """Apply a legal action of the current player; the replacement cards are then due (R3)."""
    state.plays += 1
    state.phase = DRAWING
    state.receiver = state.current_player
    if action == _DISCARD_FOUR:
        discard_four(state, rules)
    else:
        play_card(state, rules, action)


@inlined
def play_card(state: State, rules: RulesRecord, card: Whole) -> None:
    """R3: the card goes from hand to discard pile, and has its effect unless it busts."""
    seat = np.int64(state.current_player)
    state.hands[seat] -= words.one_card(card)
    words.add_to_pile(state.discard_pile, card, 1)
    state.top_discard = card
    state.last_player = seat
    state.draws_due = 1
    total = legal.total_after(rules, np.int64(state.total), card)
    if total <= rules.highest_total:
        state.total = total
        remember(state, seat, card + 1)
        apply_effect(state, rules, card)
    else:
        remember(state, seat, (card + 1) | BUST_FLAG)
        bust(state, rules, seat, total)


@inlined
def bust(state: State, rules: RulesRecord, seat: Whole, total: Whole) -> None:
    """R17: a card over the limit has no effect, and does not count unless the rules say so."""
    state.busted = np.int64(state.busted) | seats.seat_bit(seat)
    if rules.bust_counts:
        state.total = total


@inlined
def apply_effect(state: State, rules: RulesRecord, card: Whole) -> None:
    """R7, R8, R11: what the card does to the obligation and to the direction."""
    if state.plays_owed == 2 and answers_play_two(state, rules, card):
        state.plays_owed = 0
        state.plays_passed_on = 2
    else:
        spend_play(state, 2 if card == _PLAY_TWO else 1)
    turns = np.int64(card == _REVERSE and state.players_left > 2)
    state.direction = np.int64(state.direction) * (1 - 2 * turns)
    if card == _ONO99:
        state.ono99_played = 1


@inlined
def answers_play_two(state: State, rules: RulesRecord, card: Whole) -> bool:
    """R7, R8: whether the card, as first of two owed, passes the obligation on."""
    if card == _REVERSE and state.players_left == 2:
        return bool(rules.reverse_deflects_heads_up != 0)
    return bool(words.count_in_hand(rules.play_two_answers, card) != 0)


@compiled
def discard_four(state: State, rules: RulesRecord) -> None:
    """R12: four ONO 99 cards leave the hand, as a play or before one."""
    seat = np.int64(state.current_player)
    state.hands[seat] -= words.one_card(_ONO99) * np.uint64(4)
    words.add_to_pile(state.discard_pile, _ONO99, 4)
    state.top_discard = _ONO99
    state.draws_due = 4
    remember(state, seat, _DISCARD_FOUR + 1)
    if rules.four_ono99_discard == AS_PLAY:
        state.last_player = seat
        spend_play(state, 1)


@inlined
def spend_play(state: State, plays_passed_on: Whole) -> None:
    """R7: one of the plays owed is done; the next player will owe what the last one says."""
    state.second_play = state.plays_owed == 2
    state.plays_owed -= 1
    state.plays_passed_on = plays_passed_on


@inlined
def remember(state: State, seat: Whole, code: Whole) -> None:
    """R21: keep the seat's latest actions."""
    state.recent_plays[seat] = (state.recent_plays[seat] << _ONE_BYTE) | np.uint32(code)


@inlined
def finish_action(state: State, rules: RulesRecord) -> None:
    """Go on after the replacement draw: to the same player's next card, or to the next player."""
    state.phase = TO_ACT
    if np.int64(state.busted) & seats.seat_bit(state.current_player):
        take_out(state, rules)
    elif state.plays_owed == 0:
        seats.pass_turn(state, state.plays_passed_on)
    if state.phase == TO_ACT:
        find_player(state, rules)
    if state.phase == TO_ACT and 0 < rules.max_plays <= state.plays:
        truncate(state)


@inlined
def find_player(state: State, rules: RulesRecord) -> None:
    """R6: take players out until one has a legal action or the round ends."""
    legal.update_legal_actions(state, rules)
    while state.phase == TO_ACT and not legal.has_legal_action(state):
        take_out(state, rules)
        if state.phase == TO_ACT:
            legal.update_legal_actions(state, rules)


@compiled
def take_out(state: State, rules: RulesRecord) -> None:
    """R6, R7, R13: the current player is out; the round ends, or the next player owes one card."""
    seats.put_out(state, rules)
    if seats.round_is_over(state, rules):
        matches.end_round(state, rules)
    else:
        seats.pass_turn(state, 1)


@compiled
def truncate(state: State) -> None:
    """R22: the round has no winner in time; those still in the match share the win."""
    state.phase = TRUNCATED
    matches.close(state)
