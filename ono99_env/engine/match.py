"""Rounds of a match: how they start, how they are scored, how the match ends (R14-R19)."""

import numpy as np

from ono99_env.engine import words
from ono99_env.engine.records import (
    CHIPS,
    DEALING,
    GAME_OVER,
    NOBODY,
    POINTS_LOWEST,
    SINGLE_ROUND,
    WON,
)
from ono99_env.engine.seats import count_seats, is_among, next_seat, seat_bit
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import MAX_PLAYERS, Card

_NO_CARDS = np.uint64(0)
_NO_SEATS = 0
_NUM_CARDS = len(Card)
_CARD_POINTS = np.array([card.points for card in Card])
_MISSING_CARD_POINTS = 15
_BUST_POINTS = 25
_MORE_THAN_ANY_SCORE = 2**31


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
        end_game(state, state.in_round)
        return
    if rules.format == CHIPS:
        pay_chip(state)
    else:
        score_round(state, rules)
    winning_seats = match_winners(state, rules)
    if winning_seats != _NO_SEATS:
        end_game(state, winning_seats)
    else:
        choose_dealer(state, rules)
        start_round(state, rules)


@compiled
def end_game(state: State, winning_seats: Whole) -> None:
    """End the game; only the winners stay in the match."""
    state.in_match = winning_seats
    state.phase = WON
    leave_nobody_to_act(state)


@inlined
def is_over(state: State) -> bool:
    """Return whether a game has ended, with a winner or cut short (R22)."""
    return state.phase in GAME_OVER


@inlined
def winners(state: State) -> Whole:
    """Return the set of seats that share the win of a game that is over."""
    return np.int64(state.in_match)


@compiled
def only_winner(state: State) -> Whole:
    """Return the seat that alone has won; nobody if the game goes on or the win is shared."""
    if state.phase != WON or count_seats(state.in_match) != 1:
        return np.int64(NOBODY)
    return next_seat(state.in_match, 0, 1)


@compiled
def leave_nobody_to_act(state: State) -> None:
    """Clear whose turn it is and what is legal, once the game is over."""
    state.current_player = NOBODY
    state.plays_owed = 0
    state.second_play = 0
    state.ono99_played = 0
    state.legal_plays = _NO_CARDS
    state.may_discard_four = 0


@compiled
def pay_chip(state: State) -> None:
    """R16: take a chip from the loser of a round, or take out of the match a loser without one."""
    loser = np.int64(state.first_out)
    if state.chips[loser] > 0:
        state.chips[loser] -= 1
    else:
        state.in_match = np.int64(state.in_match) & ~seat_bit(loser)


@compiled
def score_round(state: State, rules: RulesRecord) -> None:
    """R18: add to the points of every player of the round."""
    for seat in range(state.num_players):
        if is_among(seat, state.in_match):
            busted = np.int64(is_among(seat, state.busted))
            points = hand_points(state.hands[seat], rules.hand_size) + busted * _BUST_POINTS
            state.points[seat] += points


@compiled
def hand_points(hand: Word, full_hand_size: Whole) -> Whole:
    """R18, R20: return the points for the cards left in a hand and for each card it is short."""
    points = (np.int64(full_hand_size) - words.hand_size(hand)) * _MISSING_CARD_POINTS
    for card in range(_NUM_CARDS):
        points += words.count_in_hand(hand, card) * _CARD_POINTS[card]
    return points


@compiled
def match_winners(state: State, rules: RulesRecord) -> Whole:
    """R16, R19: return the seats that have won the match, none while it goes on.

    Seats that the last round takes out of the match leave it here.
    """
    if rules.format == CHIPS:
        return last_one(state.in_match)
    at_target = seats_at_target(state, rules)
    if at_target == _NO_SEATS:
        return np.int64(_NO_SEATS)
    if rules.format == POINTS_LOWEST:
        return lowest_scorers(state, np.int64(state.in_match))
    left = np.int64(state.in_match) & ~at_target
    if left == _NO_SEATS:
        return lowest_scorers(state, at_target)
    state.in_match = left
    return last_one(left)


@inlined
def last_one(seats: Whole) -> Whole:
    """Return a set of seats if it holds just one, or else no seats."""
    return np.int64(seats) if count_seats(seats) == 1 else np.int64(_NO_SEATS)


@compiled
def seats_at_target(state: State, rules: RulesRecord) -> Whole:
    """R19: return the seats in the match that have reached the target."""
    reached = np.int64(0)
    for seat in range(state.num_players):
        if is_among(seat, state.in_match) and state.points[seat] >= rules.target_points:
            reached |= seat_bit(seat)
    return reached


@compiled
def lowest_scorers(state: State, seats: Whole) -> Whole:
    """R19: return those of a set of seats that have the fewest points; equal scores share."""
    lowest = np.int64(0)
    fewest = np.int64(_MORE_THAN_ANY_SCORE)
    for seat in range(state.num_players):
        if is_among(seat, seats):
            points = np.int64(state.points[seat])
            if points < fewest:
                lowest, fewest = seat_bit(seat), points
            elif points == fewest:
                lowest |= seat_bit(seat)
    return lowest


@compiled
def choose_dealer(state: State, rules: RulesRecord) -> None:
    """R15: pass the deal on, or let the first to go out in the last round start this one."""
    if not rules.loser_starts:
        state.dealer = next_seat(state.in_match, state.dealer, 1)
        return
    starter = np.int64(state.first_out)
    if not is_among(starter, state.in_match):
        starter = next_seat(state.in_match, starter, 1)
    state.dealer = next_seat(state.in_match, starter, -1)
