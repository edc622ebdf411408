"""Whether a record is a possible state of a game: what is asked of every record from outside.

One list of conditions for snapshots, saved states and compact observations. The compiled engine
indexes tables with the fields of a record and does not check them: nothing that this refuses may
reach it.
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import legal, words
from ono99_env.engine.match import count_seats
from ono99_env.engine.records import BUST_FLAG, CHIPS, FINISHED, NOBODY, STATE, TO_ACT, TRUNCATED
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import RulesArray, RulesRecord, State, States, Whole
from ono99_env.rules.cards import MAX_PLAYERS, NUM_CARDS, Action

_NUM_CARDS = int(NUM_CARDS)
_MOST_CODE = len(Action)
_MOST_TALLY = 2**30

CONDITIONS = (
    "",
    "num_players: must be 2 to 8",
    "direction: must be 1 or -1",
    "recent_plays: holds a byte that stands for no action",
    "hands, draw_pile and discard_pile: together they are not the deck",
    "hands: a hand holds more than hand_size cards, or there is no such seat",
    "hidden_cards: must be 0 in a game, and in a view no more than the draw pile holds",
    "phase: must be that of a decision due or of a game that is over",
    "in_round and players_left (eliminated): a seat is in the round, two before its end",
    "in_match (winners): must hold seats at the table, all of the round before its end",
    "current_player: must be a seat in the round, or nobody when the game is over",
    "dealer, last_player, first_out and receiver: must be seats at the table, or nobody",
    "plays_owed, second_play, plays_passed_on and ono99_played: cannot be so in a turn",
    "total: is beyond highest_total or lowest_total",
    "plays, round and reshuffles: cannot be so many",
    "chips and points: cannot be so many",
    "busted: must be seats at the table that are out of the round",
    "top_discard: is not on the discard pile",
    "legal_plays: the seat to act has others, or none, so it would be out",
    "eliminated_face_up: is not what the rules say (eliminated_hands)",
)
"""What is wrong with a record, by the number that `flaw_of` returns; empty for nothing."""


@called_from_python
def find_flaws(games: States, rules: RulesArray, views: bool, flaws: NDArray[np.int64]) -> None:
    """Write for every record what is wrong with it, an index into `CONDITIONS`; shape (games,).

    Args:
        games: Records at a decision or after the end, shape (games,).
        rules: The rules of all the games.
        views: Whether they are redacted.
        flaws: Written.
    """
    copies = np.zeros(1, STATE)
    for index in range(len(games)):
        copies[0] = games[index]
        flaws[index] = flaw_of(copies[0], rules[0], views)


@compiled
def flaw_of(copy: State, rules: RulesRecord, is_view: bool) -> Whole:
    """The first condition that a copy of a record does not meet, 0 if it meets all."""
    flaw = unbounded_field(copy)
    if flaw == 0:
        flaw = flaw_of_cards(copy, rules, is_view)
    if flaw == 0:
        flaw = flaw_of_turn(copy, rules)
    if flaw == 0:
        flaw = flaw_of_numbers(copy, rules)
    if flaw == 0:
        flaw = flaw_of_actions(copy, rules, is_view)
    return flaw


@compiled
def unbounded_field(state: State) -> Whole:
    """The first condition on what views are indexed with that a record does not meet, or 0."""
    if not 2 <= state.num_players <= MAX_PLAYERS or not 1 <= state.players_left <= MAX_PLAYERS:
        return 1
    if state.direction != 1 and state.direction != -1:
        return 2
    for seat in range(MAX_PLAYERS):
        codes = np.int64(state.recent_plays[seat])
        while codes != 0:
            code = codes & 0xFF
            if code & ~(2 * BUST_FLAG - 1) or code & (BUST_FLAG - 1) > _MOST_CODE:
                return 3
            codes >>= 8
    return 0


@compiled
def flaw_of_cards(state: State, rules: RulesRecord, is_view: bool) -> Whole:
    """R1, R2: every card of the deck is in one place."""
    for card in range(_NUM_CARDS):
        found = words.count_in_pile(state.draw_pile, card)
        found += words.count_in_pile(state.discard_pile, card)
        for seat in range(MAX_PLAYERS):
            found += words.count_in_hand(state.hands[seat], card)
        if found != words.count_in_pile(rules.deck, card):
            return 4
    hidden = np.int64(0)
    for seat in range(MAX_PLAYERS):
        size = np.int64(state.hidden_cards[seat])
        if size < 0 or (size > 0 and not is_view):
            return 6
        hidden += size
        for card in range(_NUM_CARDS):
            size += words.count_in_hand(state.hands[seat], card)
        if size > (rules.hand_size if seat < state.num_players else 0):
            return 5
    return 6 if hidden > words.pile_size(state.draw_pile) else 0


@compiled
def flaw_of_turn(state: State, rules: RulesRecord) -> Whole:
    """R3, R7: who is in, and whose turn it is."""
    players, everybody = np.int64(state.num_players), (1 << np.int64(state.num_players)) - 1
    in_round, in_match = np.int64(state.in_round), np.int64(state.in_match)
    is_due = state.phase == TO_ACT
    if not is_due and state.phase != FINISHED and state.phase != TRUNCATED:
        return 7
    if in_round & ~everybody or count_seats(in_round & everybody) != state.players_left:
        return 8
    if is_due and state.players_left < 2:
        return 8
    if in_match & ~everybody or in_match == 0 or (is_due and in_round & ~in_match):
        return 9
    player = np.int64(state.current_player)
    if not is_due and player != NOBODY:
        return 10
    if is_due and (not 0 <= player < players or not (in_round >> player) & 1):
        return 10
    for seat in (state.dealer, state.last_player, state.first_out, state.receiver):
        if not NOBODY <= seat < players:
            return 11
    if state.dealer == NOBODY:
        return 11
    owed, second = np.int64(state.plays_owed), np.int64(state.second_play)
    least, most = (1, 2 - second) if is_due else (0, 0)
    if not (0 <= second <= is_due and least <= owed <= most):
        return 12
    if not (0 <= state.ono99_played <= second and 0 <= state.plays_passed_on <= 2):
        return 12
    return 0


@compiled
def flaw_of_numbers(state: State, rules: RulesRecord) -> Whole:
    """R4, R9, R16, R18, R22: totals, tallies and scores."""
    highest = _MOST_TALLY if rules.format > CHIPS and rules.bust_counts else rules.highest_total
    if not max(rules.lowest_total, -_MOST_TALLY) <= state.total <= highest:
        return 13
    most_plays = min(rules.max_plays - (state.phase == TO_ACT), _MOST_TALLY)
    if not 0 <= state.plays <= most_plays or not 1 <= state.round_number <= _MOST_TALLY:
        return 14
    if not 0 <= state.reshuffles <= _MOST_TALLY:
        return 14
    for seat in range(MAX_PLAYERS):
        if not 0 <= state.chips[seat] <= rules.chips or state.points[seat] < 0:
            return 15
    busted = np.int64(state.busted)
    if busted & ~((1 << np.int64(state.num_players)) - 1) or busted & np.int64(state.in_round):
        return 16
    top = np.int64(state.top_discard)
    if not NOBODY <= top < _NUM_CARDS:
        return 17
    return 17 if top >= 0 and words.count_in_pile(state.discard_pile, top) == 0 else 0


@compiled
def flaw_of_actions(copy: State, rules: RulesRecord, is_view: bool) -> Whole:
    """R4, R6: the legal actions follow from the rest; a view of another seat shows none."""
    if copy.eliminated_face_up != rules.eliminated_face_up:
        return 19
    plays, discard = copy.legal_plays, copy.may_discard_four
    is_empty = plays == np.uint64(0) and discard == 0
    if copy.phase != TO_ACT or (is_view and copy.hidden_cards[copy.current_player] > 0):
        return 0 if is_empty else 18
    legal.update_legal_actions(copy, rules)
    is_same = plays == copy.legal_plays and discard == copy.may_discard_four
    if is_view and is_empty:
        return 0
    return 0 if is_same and legal.has_legal_action(copy) else 18


def describe_flaws(games: States, rules: RulesArray, views: bool = False) -> tuple[int, str] | None:
    """The first record that is not a possible state of these rules, and why; None if all are."""
    flaws = np.zeros(len(games), np.int64)
    find_flaws(games, rules, views, flaws)
    wrong = np.flatnonzero(flaws)
    return (int(wrong[0]), CONDITIONS[flaws[wrong[0]]]) if len(wrong) else None
