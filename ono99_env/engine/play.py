"""A decision and what follows from it without chance (R3, R7-R12, R17, R22)."""

import numpy as np

from ono99_env.engine import legal, match, seats, words
from ono99_env.engine.effects import OWED_STEP, PLAYER_STEP
from ono99_env.engine.records import (
    AS_PLAY,
    BUST_FLAG,
    TO_ACT,
    TRUNCATED,
)
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.instructions import mark_cold
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import Action, Card

_ONO99 = int(Card.ONO99)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_ONE_BYTE = np.uint32(8)
_TWO_BYTES = np.uint32(16)
_THREE_BYTES = np.uint32(24)
_LOW_BYTE = np.uint32(0xFF)
_GOES_ON = np.uint32(1 << 16)


@inlined
def play(state: State, rules: RulesRecord, action: Whole) -> Whole:
    """Apply a legal action of the current player.

    Returns:
        How many replacement cards are due to the player (R3).
    """
    state.plays += 1
    state.receiver = state.current_player
    if action == _DISCARD_FOUR:
        discard_four(state, rules)
        return 4
    play_card(state, rules, action)
    return 1


@inlined
def play_plainly(
    state: State, rules: RulesRecord, card: Whole, headroom: Whole, drawn: Whole
) -> None:
    """R3: the current player puts down a card that the total already counts, and takes one card.

    Args:
        state: The game.
        rules: Its rules.
        card: The card that is played.
        headroom: How far below the limit the total is.
        drawn: The card that is taken, already off the draw pile.
    """
    seat = words.index(state.current_player)
    state.plays += 1
    state.receiver = seat
    state.hands[seat] += words.one_card(drawn) - words.one_card(card)
    put_on_discard_pile(state, seat, card)
    remember(state, seat, card + 1)
    move_on_from(state, rules, seat, card, headroom)


@inlined
def move_on_from(
    state: State, rules: RulesRecord, seat: Word, card: Whole, headroom: Whole
) -> None:
    """R3, R7, R8, R11: do as `apply_effect` and `finish_action`, in one look-up."""
    place = effect_place(state, card)
    turn = rules.turn_after[place]
    direction = np.int64(state.direction) * rules.turning[place]
    next_seat = seats.next_seat(state.in_round, seat, direction)
    player = words.index(seat if turn & _GOES_ON else words.index(next_seat))
    state.current_player = player
    state.direction = direction
    state.plays_owed = turn & _LOW_BYTE
    state.plays_passed_on = (turn >> _ONE_BYTE) & _LOW_BYTE
    state.second_play = (turn >> _TWO_BYTES) & _LOW_BYTE
    state.ono99_played = (turn >> _THREE_BYTES) & _LOW_BYTE
    legal.set_legal_actions(state, rules, state.hands[player], legal.cards_within(rules, headroom))


@inlined
def put_on_discard_pile(state: State, seat: Whole, card: Whole) -> None:
    """R3: the card that a seat plays goes face up on the discard pile."""
    words.add_to_pile(state.discard_pile, card, 1)
    state.top_discard = card
    state.last_player = seat


@inlined
def play_card(state: State, rules: RulesRecord, card: Whole) -> None:
    """R3: the card goes from hand to discard pile, and has its effect unless it busts."""
    seat = np.int64(state.current_player)
    state.hands[words.index(seat)] -= words.one_card(card)
    put_on_discard_pile(state, seat, card)
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
    place = effect_place(state, card)
    turn = rules.turn_after[place]
    state.plays_owed = state.second_play = (turn >> _TWO_BYTES) & _LOW_BYTE
    state.plays_passed_on = (turn >> _ONE_BYTE) & _LOW_BYTE
    state.direction *= rules.turning[place]
    state.ono99_played |= np.int64(card == _ONO99)


@inlined
def effect_place(state: State, card: Whole) -> Word:
    """Where the tables of the rules have the effects of a card (see effects.py)."""
    owed, left = np.int64(state.plays_owed), np.int64(state.players_left)
    return words.index(card + OWED_STEP * owed + PLAYER_STEP * left)


@inlined
def answers_play_two(state: State, rules: RulesRecord, card: Whole) -> bool:
    """R7, R8: whether the card, as first of two owed, passes the obligation on."""
    return bool(
        state.plays_owed == 2 and not rules.turn_after[effect_place(state, card)] & _GOES_ON
    )


@compiled
def discard_four(state: State, rules: RulesRecord) -> None:
    """R12: four ONO 99 cards leave the hand, as a play or before one."""
    seat = np.int64(state.current_player)
    state.hands[seat] -= words.one_card(_ONO99) * np.uint64(4)
    words.add_to_pile(state.discard_pile, _ONO99, 4)
    state.top_discard = _ONO99
    remember(state, seat, _DISCARD_FOUR + 1)
    if rules.four_ono99_discard == AS_PLAY:
        state.last_player = seat
        state.second_play = state.plays_owed == 2
        state.plays_owed -= 1
        state.plays_passed_on = 1


@inlined
def remember(state: State, seat: Whole, code: Whole) -> None:
    """R21: keep the seat's latest actions."""
    place = words.index(seat)
    state.recent_plays[place] = (state.recent_plays[place] << _ONE_BYTE) | np.uint32(code)


@inlined
def finish_action(state: State, rules: RulesRecord) -> None:
    """Go on after the replacement draw: to the same player's next card, or to the next player."""
    state.phase = TO_ACT
    if np.int64(state.busted) & seats.seat_bit(state.current_player):
        take_players_out(state, rules)
    else:
        seats.move_on(state)
        find_player(state, rules)
    stop_in_time(state, rules)


@inlined
def stop_in_time(state: State, rules: RulesRecord) -> None:
    """R22: a round that still goes on after `max_plays` actions is cut short."""
    if state.plays >= rules.max_plays and state.phase == TO_ACT:
        truncate(state)


@inlined
def find_player(state: State, rules: RulesRecord) -> None:
    """R6: the player whose turn it is can act, or is out."""
    legal.update_legal_actions(state, rules)
    if not legal.has_legal_action(state):
        take_players_out(state, rules)


@compiled
def take_players_out(state: State, rules: RulesRecord) -> None:
    """R6: take out the current player, and then others until one can act or the round ends."""
    mark_cold()
    take_out(state, rules)
    while state.phase == TO_ACT:
        legal.update_legal_actions(state, rules)
        if legal.has_legal_action(state):
            return
        take_out(state, rules)


@inlined
def take_out(state: State, rules: RulesRecord) -> None:
    """R6, R7, R13: the current player is out; the round ends, or the next player owes one card."""
    seats.put_out(state, rules)
    if seats.round_is_over(state, rules):
        match.end_round(state, rules)
    else:
        seats.pass_turn(state, 1)


@compiled
def truncate(state: State) -> None:
    """R22: the round has no winner in time; those still in the match share the win."""
    state.phase = TRUNCATED
    match.close(state)
