"""Rounds of a match: how they start, how they are scored, how the match ends (R14-R19)."""

import numpy as np

from ono99_env.engine import words
from ono99_env.engine.records import (
    CHIPS,
    DEALING,
    FINISHED,
    NOBODY,
    POINTS_LOWEST,
    SINGLE_ROUND,
)
from ono99_env.engine.seats import next_seat, seat_bit
from ono99_env.jit.compile import compiled
from ono99_env.jit.instructions import count_ones
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import MAX_PLAYERS, Card

_NO_CARDS = np.uint64(0)
_ONO99 = int(Card.ONO99)
_NUM_CARDS = len(Card)
_MISSING_CARD_POINTS = 15
_BUST_POINTS = 25


@compiled
def start_round(state: State, rules: RulesRecord) -> None:
    """R2, R15: collect all cards and leave the deal due, from the dealer's left."""
    state.round_number += 1
    state.draw_pile[0], state.draw_pile[1] = rules.deck[0], rules.deck[1]
    state.discard_pile[0], state.discard_pile[1] = _NO_CARDS, _NO_CARDS
    for seat in range(MAX_PLAYERS):
        state.hands[seat] = _NO_CARDS
        state.recent_plays[seat] = 0
    state.in_round = state.in_match
    state.players_left = count_seats(state.in_match)
    state.total = 0
    state.plays = 0
    state.reshuffles = 0
    state.direction = 1
    state.busted = 0
    state.last_player = NOBODY
    state.first_out = NOBODY
    state.top_discard = NOBODY
    state.phase = DEALING
    state.draws_due = np.int64(state.players_left) * np.int64(rules.hand_size)
    state.receiver = next_seat(state.in_match, state.dealer, 1)


@compiled
def end_round(state: State, rules: RulesRecord) -> None:
    """R14: score the round, then end the game or start the next round."""
    if rules.format == SINGLE_ROUND:
        finish(state, state.in_round)
        return
    if rules.format == CHIPS:
        pay_chip(state)
    else:
        score_round(state, rules)
    winners = match_winners(state, rules)
    if winners != 0:
        finish(state, winners)
    else:
        choose_dealer(state, rules)
        start_round(state, rules)


@compiled
def finish(state: State, winners: Whole) -> None:
    """End the game; the seats left in the match are the winners."""
    state.in_match = winners
    state.phase = FINISHED
    close(state)


@compiled
def close(state: State) -> None:
    """Nobody is to act any more."""
    state.current_player = NOBODY
    state.plays_owed = 0
    state.second_play = 0
    state.ono99_played = 0
    state.legal_plays = _NO_CARDS
    state.may_discard_four = 0


@compiled
def pay_chip(state: State) -> None:
    """R16: the loser of a round gives up a chip, or leaves the match without one."""
    loser = np.int64(state.first_out)
    if state.chips[loser] > 0:
        state.chips[loser] -= 1
    else:
        state.in_match = np.int64(state.in_match) & ~seat_bit(loser)


@compiled
def score_round(state: State, rules: RulesRecord) -> None:
    """R18: every player of the round scores."""
    for seat in range(state.num_players):
        if np.int64(state.in_match) & seat_bit(seat):
            busted = (np.int64(state.busted) >> seat) & 1
            points = hand_points(state.hands[seat], rules.hand_size) + busted * _BUST_POINTS
            state.points[seat] += points


@compiled
def hand_points(hand: Word, full_hand_size: Whole) -> Whole:
    """R18, R20: points for the cards left in a hand and for each card it is short."""
    points = (np.int64(full_hand_size) - words.hand_size(hand)) * _MISSING_CARD_POINTS
    for card in range(_NUM_CARDS):
        points += words.count_in_hand(hand, card) * card_points(card)
    return points


@compiled
def card_points(card: Whole) -> Whole:
    """R1, R18: what a card left in hand costs."""
    if card <= 10:
        return card
    return 20 if card == _ONO99 else 15


@compiled
def match_winners(state: State, rules: RulesRecord) -> Whole:
    """R16, R19: the set of seats that have won the match, empty while it goes on."""
    if rules.format == CHIPS:
        return np.int64(state.in_match) if count_seats(state.in_match) == 1 else np.int64(0)
    finished = seats_at_target(state, rules)
    if finished == 0:
        return np.int64(0)
    if rules.format == POINTS_LOWEST:
        return lowest_scorers(state, np.int64(state.in_match))
    left = np.int64(state.in_match) & ~finished
    if left == 0:
        return lowest_scorers(state, finished)
    state.in_match = left
    return left if count_seats(left) == 1 else np.int64(0)


@compiled
def seats_at_target(state: State, rules: RulesRecord) -> Whole:
    """R19: the set of seats in the match that have reached the target."""
    reached = np.int64(0)
    for seat in range(state.num_players):
        in_match = np.int64(state.in_match) & seat_bit(seat)
        if in_match and state.points[seat] >= rules.target_points:
            reached |= seat_bit(seat)
    return reached


@compiled
def lowest_scorers(state: State, seats: Whole) -> Whole:
    """R19: those of a set of seats that have the fewest points; equal scores share."""
    lowest = np.int64(0)
    fewest = np.int64(2**31)
    for seat in range(state.num_players):
        if seats & seat_bit(seat):
            points = np.int64(state.points[seat])
            if points < fewest:
                lowest, fewest = seat_bit(seat), points
            elif points == fewest:
                lowest |= seat_bit(seat)
    return lowest


@compiled
def choose_dealer(state: State, rules: RulesRecord) -> None:
    """R15: the deal rotates, or the first to go out in the last round starts this one."""
    if not rules.loser_starts:
        state.dealer = next_seat(state.in_match, state.dealer, 1)
        return
    starter = np.int64(state.first_out)
    if not np.int64(state.in_match) & seat_bit(starter):
        starter = next_seat(state.in_match, starter, 1)
    state.dealer = next_seat(state.in_match, starter, -1)


@compiled
def count_seats(seats: Whole) -> Whole:
    """How many seats a set holds."""
    return count_ones(words.index(seats))
