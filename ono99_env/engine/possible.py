"""Checks that a record from outside is a possible state of a game.

One list of conditions for snapshots, saved states and compact observations. The compiled engine
indexes tables with the fields of a record without checking them, so nothing that is refused here
may reach it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal, match, words
from ono99_env.engine.records import BUST_FLAG, CHIPS, NOBODY, STATE, TO_ACT
from ono99_env.engine.seats import count_seats, is_among, seat_bit
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import RulesArray, RulesRecord, State, States, Whole
from ono99_env.rules.cards import MAX_PLAYERS, NUM_CARDS, Action

_NUM_CARDS = int(NUM_CARDS)
_MOST_CODE = len(Action)
_MOST_TALLY = 2**30

NO_FLAW = 0
"""Returned for a record that meets all conditions."""

(
    _NUM_PLAYERS,
    _DIRECTION,
    _RECENT_PLAYS,
    _DECK,
    _HANDS,
    _HIDDEN_CARDS,
    _PHASE,
    _IN_ROUND,
    _IN_MATCH,
    _CURRENT_PLAYER,
    _OTHER_SEATS,
    _PLAYS_OWED,
    _TOTAL,
    _TALLIES,
    _SCORES,
    _BUSTED,
    _TOP_DISCARD,
    _LEGAL_PLAYS,
    _FACE_UP,
) = range(1, 20)

CONDITIONS = {
    _NUM_PLAYERS: "num_players: must be 2 to 8",
    _DIRECTION: "direction: must be 1 or -1",
    _RECENT_PLAYS: "recent_plays: holds a byte that stands for no action",
    _DECK: "hands, draw_pile and discard_pile: together they are not the deck",
    _HANDS: "hands: a hand holds more than hand_size cards, or there is no such seat",
    _HIDDEN_CARDS: (
        "hidden_cards: must be 0 in a game, and in a view no more than the draw pile holds"
    ),
    _PHASE: "phase: must be that of a decision due or of a game that is over",
    _IN_ROUND: "in_round and players_left (eliminated): a seat is in the round, two before its end",
    _IN_MATCH: "in_match (winners): must hold seats at the table, all of the round before its end",
    _CURRENT_PLAYER: "current_player: must be a seat in the round, or nobody when the game is over",
    _OTHER_SEATS: (
        "dealer, last_player, first_out and receiver: must be seats at the table, or nobody"
    ),
    _PLAYS_OWED: (
        "plays_owed, second_play, plays_passed_on and ono99_played: cannot be so in a turn"
    ),
    _TOTAL: "total: is beyond highest_total or lowest_total",
    _TALLIES: "plays, round and reshuffles: cannot be so many",
    _SCORES: "chips and points: cannot be so many",
    _BUSTED: "busted: must be seats at the table that are out of the round",
    _TOP_DISCARD: "top_discard: is not on the discard pile",
    _LEGAL_PLAYS: "legal_plays: the seat to act has others, or none, so it would be out",
    _FACE_UP: "eliminated_face_up: is not what the rules say (eliminated_hands)",
}
"""What is wrong with a record, by the number that `flaw_of` returns."""


@called_from_python
def find_flaws(games: States, rules: RulesArray, views: bool, flaws: NDArray[np.int64]) -> None:
    """Write for every record what is wrong with it, a key of `CONDITIONS` or `NO_FLAW`.

    Args:
        games: Records at a decision or after the end, shape (games,).
        rules: The rules of all the games.
        views: Whether they are redacted.
        flaws: Written, shape (games,).
    """
    copies = np.zeros(1, STATE)
    for index in range(len(games)):
        copies[0] = games[index]
        flaws[index] = flaw_of(copies[0], rules[0], views)


@compiled
def flaw_of(copy: State, rules: RulesRecord, is_view: bool) -> Whole:
    """Return the first condition that a copy of a record does not meet, or `NO_FLAW`."""
    flaw = unbounded_field(copy)
    if flaw == NO_FLAW:
        flaw = flaw_of_cards(copy, rules, is_view)
    if flaw == NO_FLAW:
        flaw = flaw_of_seats(copy)
    if flaw == NO_FLAW:
        flaw = flaw_of_turn(copy)
    if flaw == NO_FLAW:
        flaw = flaw_of_numbers(copy, rules)
    if flaw == NO_FLAW:
        flaw = flaw_of_actions(copy, rules, is_view)
    return flaw


@compiled
def unbounded_field(state: State) -> Whole:
    """Check the fields that views are indexed with; return the first flaw, or `NO_FLAW`."""
    if not 2 <= state.num_players <= MAX_PLAYERS or not 1 <= state.players_left <= MAX_PLAYERS:
        return _NUM_PLAYERS
    if state.direction != 1 and state.direction != -1:
        return _DIRECTION
    for seat in range(MAX_PLAYERS):
        codes = np.int64(state.recent_plays[seat])
        while codes != 0:
            code = codes & 0xFF
            if code & ~(2 * BUST_FLAG - 1) or code & (BUST_FLAG - 1) > _MOST_CODE:
                return _RECENT_PLAYS
            codes >>= 8
    return NO_FLAW


@compiled
def flaw_of_cards(state: State, rules: RulesRecord, is_view: bool) -> Whole:
    """R1, R2: check that every card of the deck is in one place."""
    for card in range(_NUM_CARDS):
        found = words.count_in_pile(state.draw_pile, card)
        found += words.count_in_pile(state.discard_pile, card)
        for seat in range(MAX_PLAYERS):
            found += words.count_in_hand(state.hands[seat], card)
        if found != words.count_in_pile(rules.deck, card):
            return _DECK
    hidden = np.int64(0)
    for seat in range(MAX_PLAYERS):
        size = np.int64(state.hidden_cards[seat])
        if size < 0 or (size > 0 and not is_view):
            return _HIDDEN_CARDS
        hidden += size
        for card in range(_NUM_CARDS):
            size += words.count_in_hand(state.hands[seat], card)
        if size > (rules.hand_size if seat < state.num_players else 0):
            return _HANDS
    return _HIDDEN_CARDS if hidden > words.pile_size(state.draw_pile) else NO_FLAW


@compiled
def flaw_of_seats(state: State) -> Whole:
    """R3, R6: check which seats are in the round and the match, and the seats that are named."""
    everybody = seat_bit(state.num_players) - 1
    in_round, in_match = np.int64(state.in_round), np.int64(state.in_match)
    is_due = state.phase == TO_ACT
    if not is_due and not match.is_over(state):
        return _PHASE
    if in_round & ~everybody or count_seats(in_round & everybody) != state.players_left:
        return _IN_ROUND
    if is_due and state.players_left < 2:
        return _IN_ROUND
    if in_match & ~everybody or in_match == 0 or (is_due and in_round & ~in_match):
        return _IN_MATCH
    for seat in (state.dealer, state.last_player, state.first_out, state.receiver):
        if not NOBODY <= seat < state.num_players:
            return _OTHER_SEATS
    return _OTHER_SEATS if state.dealer == NOBODY else NO_FLAW


@compiled
def flaw_of_turn(state: State) -> Whole:
    """R3, R7: check whose turn it is and what that player owes."""
    player, is_due = np.int64(state.current_player), state.phase == TO_ACT
    if not is_due and player != NOBODY:
        return _CURRENT_PLAYER
    if is_due and not 0 <= player < state.num_players:
        return _CURRENT_PLAYER
    if is_due and not is_among(player, state.in_round):
        return _CURRENT_PLAYER
    owed, second = np.int64(state.plays_owed), np.int64(state.second_play)
    least, most = (1, 2 - second) if is_due else (0, 0)
    if not (0 <= second <= is_due and least <= owed <= most):
        return _PLAYS_OWED
    if not (0 <= state.ono99_played <= second and 0 <= state.plays_passed_on <= 2):
        return _PLAYS_OWED
    return NO_FLAW


@compiled
def flaw_of_numbers(state: State, rules: RulesRecord) -> Whole:
    """R4, R9, R16, R18, R22: check totals, tallies and scores."""
    highest = _MOST_TALLY if rules.format > CHIPS and rules.bust_counts else rules.highest_total
    if not max(rules.lowest_total, -_MOST_TALLY) <= state.total <= highest:
        return _TOTAL
    most_plays = min(rules.max_plays - (state.phase == TO_ACT), _MOST_TALLY)
    if not 0 <= state.plays <= most_plays or not 1 <= state.round_number <= _MOST_TALLY:
        return _TALLIES
    if not 0 <= state.reshuffles <= _MOST_TALLY:
        return _TALLIES
    for seat in range(MAX_PLAYERS):
        if not 0 <= state.chips[seat] <= rules.chips or state.points[seat] < 0:
            return _SCORES
    busted = np.int64(state.busted)
    if busted & ~(seat_bit(state.num_players) - 1) or busted & np.int64(state.in_round):
        return _BUSTED
    top = np.int64(state.top_discard)
    if not NOBODY <= top < _NUM_CARDS:
        return _TOP_DISCARD
    if top != NOBODY and words.count_in_pile(state.discard_pile, top) == 0:
        return _TOP_DISCARD
    return NO_FLAW


@compiled
def flaw_of_actions(copy: State, rules: RulesRecord, is_view: bool) -> Whole:
    """R4, R6: check that the legal actions follow from the rest; other seats' views show none."""
    if copy.eliminated_face_up != rules.eliminated_face_up:
        return _FACE_UP
    plays, discard = copy.legal_plays, copy.may_discard_four
    is_empty = plays == np.uint64(0) and discard == 0
    if copy.phase != TO_ACT or (is_view and copy.hidden_cards[copy.current_player] > 0):
        return NO_FLAW if is_empty else _LEGAL_PLAYS
    legal.update_legal_actions(copy, rules)
    is_same = plays == copy.legal_plays and discard == copy.may_discard_four
    if is_view and is_empty:
        return NO_FLAW
    return NO_FLAW if is_same and legal.has_legal_action(copy) else _LEGAL_PLAYS


class Flaw(NamedTuple):
    """What is wrong with one of several records."""

    record: int
    """Index of the record."""
    condition: str
    """The condition that it does not meet, with the fields that are wrong."""


def describe_flaws(games: States, rules: RulesArray, views: bool = False) -> Flaw | None:
    """Return what is wrong with the first record that is no possible state, or None."""
    flaws = np.zeros(len(games), np.int64)
    find_flaws(games, rules, views, flaws)
    wrong = np.flatnonzero(flaws)
    return Flaw(int(wrong[0]), CONDITIONS[int(flaws[wrong[0]])]) if len(wrong) else None
