"""A turn: a card is played, takes effect, and somebody is up next (R3, R7-R9, R11, R12, R17).

Nothing here is chance: the cards that replace those played are dealt afterwards (step.py), and who
cannot act then is taken out (elimination.py).
"""

import numpy as np

from ono99_env.engine import legal, seats, words
from ono99_env.engine.effects import (
    ONO99_PLAYED_BYTE,
    OWED_STEP,
    PASSED_ON_BYTE,
    PLAYER_STEP,
    SECOND_PLAY_BYTE,
)
from ono99_env.engine.records import AS_PLAY, BUST_FLAG
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import Action, Card

_ADDS_NOTHING = int(Card.N0)
_ONO99 = int(Card.ONO99)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_LOW_BYTE = np.uint32(0xFF)
_ONE_BYTE = np.uint32(8)
_PASSED_ON = np.uint32(8 * PASSED_ON_BYTE)
_SECOND_PLAY = np.uint32(8 * SECOND_PLAY_BYTE)
_ONO99_PLAYED = np.uint32(8 * ONO99_PLAYED_BYTE)
_GOES_ON = np.uint32(1 << 8 * SECOND_PLAY_BYTE)
"""Set in an entry of `turn_after` if the player is up again, for the second of two owed cards."""


@inlined
def play(state: State, rules: RulesRecord, action: Whole) -> Whole:
    """Apply a legal action of the current player.

    Returns:
        How many replacement cards are due to the player (R3), who is the `receiver` now.
    """
    state.plays += 1
    state.receiver = state.current_player
    if action == _DISCARD_FOUR:
        discard_four(state, rules)
        return 4
    play_card(state, rules, action)
    return 1


@inlined
def play_card(state: State, rules: RulesRecord, card: Whole) -> None:
    """R3: move the card from hand to discard pile; it takes effect unless it busts."""
    seat = words.index(state.current_player)
    state.hands[seat] -= words.one_card(card)
    total = legal.total_after(rules, np.int64(state.total), card)
    if total <= rules.highest_total:
        put_down(state, rules, seat, card, total)
    else:
        bust(state, rules, seat, card, total)


@inlined
def put_down(state: State, rules: RulesRecord, seat: Word, card: Whole, total: Whole) -> Word:
    """R3: put a card within the limit, already out of the hand, on the discard pile.

    Args:
        state: The game.
        rules: Its rules.
        seat: Who plays the card.
        card: The card.
        total: The running total with it.

    Returns:
        The seat that is up then.
    """
    state.total = total
    put_on_discard_pile(state, seat, card)
    remember(state, seat, card + 1)
    return move_on(state, rules, seat, card)


@inlined
def move_on(state: State, rules: RulesRecord, seat: Word, card: Whole) -> Word:
    """R3, R7, R8, R11: let a card take effect on the turn; return the seat that is up then.

    Which seat that is cannot be predicted, so both are found and one is selected without a branch.
    """
    place = effect_place(state, card)
    turn = rules.turn_after[place]
    direction = np.int64(state.direction) * rules.turning[place]
    next_seat = seats.next_seat(state.in_round, seat, direction)
    player = words.index(seat if turn & _GOES_ON else words.index(next_seat))
    state.current_player = player
    state.direction = direction
    state.plays_owed = turn & _LOW_BYTE
    state.plays_passed_on = (turn >> _PASSED_ON) & _LOW_BYTE
    state.second_play = (turn >> _SECOND_PLAY) & _LOW_BYTE
    state.ono99_played = (turn >> _ONO99_PLAYED) & _LOW_BYTE
    return player


@inlined
def pass_turn(state: State) -> None:
    """R3, R7: let the next player in turn order be up, owing one card."""
    state.current_player = seats.next_seat(state.in_round, state.current_player, state.direction)
    state.plays_owed = 1
    state.second_play = 0
    state.ono99_played = 0


@inlined
def effect_place(state: State, card: Whole) -> Word:
    """Return where the tables of the rules have the effects of a card (see effects.py)."""
    owed, left = np.int64(state.plays_owed), np.int64(state.players_left)
    return words.index(card + OWED_STEP * owed + PLAYER_STEP * left)


@inlined
def answers_play_two(state: State, rules: RulesRecord, card: Whole) -> bool:
    """R7, R8: return whether the card, as first of two owed, passes the obligation on."""
    return bool(
        state.plays_owed == 2 and not rules.turn_after[effect_place(state, card)] & _GOES_ON
    )


@inlined
def bust(state: State, rules: RulesRecord, seat: Word, card: Whole, total: Whole) -> None:
    """R17: play a card over the limit: it has no effect, and counts only if the rules say so."""
    put_on_discard_pile(state, seat, card)
    remember(state, seat, (card + 1) | BUST_FLAG)
    state.busted = np.int64(state.busted) | seats.seat_bit(seat)
    if rules.bust_counts:
        state.total = total


@compiled
def discard_four(state: State, rules: RulesRecord) -> None:
    """R12: take four ONO 99 cards out of the hand, as a play that adds 0 or before a play."""
    seat = words.index(state.current_player)
    state.hands[seat] -= words.one_card(_ONO99) * np.uint64(4)
    words.add_to_pile(state.discard_pile, _ONO99, 4)
    state.top_discard = _ONO99
    remember(state, seat, _DISCARD_FOUR + 1)
    if rules.four_ono99_discard == AS_PLAY:
        state.last_player = seat
        move_on(state, rules, seat, _ADDS_NOTHING)


@inlined
def put_on_discard_pile(state: State, seat: Whole, card: Whole) -> None:
    """R3: put the card that a seat plays face up on the discard pile."""
    words.add_to_pile(state.discard_pile, card, 1)
    state.top_discard = card
    state.last_player = seat


@inlined
def remember(state: State, seat: Whole, code: Whole) -> None:
    """R21: keep the seat's four latest actions, a byte each, the newest lowest."""
    place = words.index(seat)
    state.recent_plays[place] = (state.recent_plays[place] << _ONE_BYTE) | np.uint32(code)
