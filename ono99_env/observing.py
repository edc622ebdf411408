"""Writing the observation vector: one short function for each part of the layout in features.py."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.cards import Action, Card
from ono99_env.engine import words
from ono99_env.engine.compile import compiled, inlined
from ono99_env.engine.state import BUST_FLAG
from ono99_env.engine.types import Pile, RulesRecord, State, Whole, Word
from ono99_env.features import FEATURES, HEADROOM_SIZE, PLAY_SIZE, SHOWN_PLAYS, SLOT_SIZE

_NO_CARDS = np.uint64(0)
_NUM_CARDS = len(Card)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_FOUR_BITS = np.uint64(0xF)
_EIGHT_BITS = np.uint64(0xFF)
_ONE = np.float32(1.0)
_HALFWAY_ROUNDS = np.float32(50)
_HALFWAY_RESHUFFLES = np.float32(10)

_HAND = FEATURES["hand"].start
_LEGAL = FEATURES["legal"].start
_TOTAL = FEATURES["total"].start
_HEADROOM = FEATURES["headroom"].start
_TURN = FEATURES["turn"].start
_DIRECTION = FEATURES["direction"].start
_NUM_PLAYERS = FEATURES["num_players"].start
_PLAYERS_LEFT = FEATURES["players_left"].start
_FORMAT = FEATURES["format"].start
_PROGRESS = FEATURES["progress"].start
_PILE_SIZES = FEATURES["pile_sizes"].start
_DISCARDED = FEATURES["discarded"].start
_UNSEEN = FEATURES["unseen"].start
_SEATS = FEATURES["seats"].start
_FACE_UP = FEATURES["face_up_hands"].start
_RECENT = FEATURES["recent_plays"].start


def _tabulate_plays() -> NDArray[np.float32]:
    """The entries of ``recent_plays`` for each byte of the record: which it is nobody can predict.

    Returns:
        Shape (2 * `BUST_FLAG`, `PLAY_SIZE`); all zeros for no play.
    """
    table = np.zeros((2 * BUST_FLAG, PLAY_SIZE), np.float32)
    for action in Action:
        for bust in (False, True):
            play = table[(action + 1) | (BUST_FLAG * bust)]
            play[0] = 1.0
            if action < Action.ONO99:
                play[1] = action / 10.0
            else:
                play[2 + action - Action.ONO99] = 1.0
            play[8] = bust
    return table


_PLAYS = _tabulate_plays()


@compiled
def observe(view: State, rules: RulesRecord, observer: Whole, vector: NDArray[np.float32]) -> None:
    """Write the whole observation vector from a redacted record."""
    vector[:] = 0.0
    write_own_cards(view, rules, observer, vector)
    write_turn(view, rules, vector)
    write_table(view, rules, vector)
    write_piles(view, rules, vector)
    write_slots(view, rules, observer, vector)


@compiled
def write_own_cards(
    view: State, rules: RulesRecord, observer: Whole, vector: NDArray[np.float32]
) -> None:
    """Features ``hand`` and ``legal``."""
    write_hand(view.hands[observer], rules.per_hand_card, _HAND, vector)
    write_hand(view.legal_plays, np.float32(1.0), _LEGAL, vector)
    vector[_LEGAL + _DISCARD_FOUR] = view.may_discard_four


@compiled
def write_turn(view: State, rules: RulesRecord, vector: NDArray[np.float32]) -> None:
    """Features ``total``, ``headroom``, ``turn`` and ``direction``."""
    total = np.int64(view.total)
    headroom = np.int64(rules.highest_total) - total
    vector[_TOTAL] = max(-_ONE, min(_ONE, np.float32(total) * rules.per_total))
    if headroom >= 0:
        vector[_HEADROOM + min(headroom, np.int64(HEADROOM_SIZE - 1))] = 1.0
    vector[_TURN] = view.plays_owed == 2
    vector[_TURN + 1] = view.second_play
    vector[_TURN + 2] = view.ono99_played
    vector[_DIRECTION] = view.direction


@compiled
def write_table(view: State, rules: RulesRecord, vector: NDArray[np.float32]) -> None:
    """Features ``num_players``, ``players_left``, ``format`` and ``progress``."""
    vector[_NUM_PLAYERS + view.num_players - 2] = 1.0
    vector[_PLAYERS_LEFT + view.players_left - 1] = 1.0
    vector[_FORMAT + rules.format] = 1.0
    rounds, reshuffles = np.float32(view.round_number), np.float32(view.reshuffles)
    vector[_PROGRESS] = rounds / (rounds + _HALFWAY_ROUNDS)
    vector[_PROGRESS + 1] = reshuffles / (reshuffles + _HALFWAY_RESHUFFLES)
    vector[_PROGRESS + 2] = min(_ONE, np.float32(view.plays) * rules.per_play)


@compiled
def write_piles(view: State, rules: RulesRecord, vector: NDArray[np.float32]) -> None:
    """Features ``pile_sizes``, ``discarded`` and ``unseen``."""
    deck_size = np.float32(words.pile_size(rules.deck))
    hidden = np.int64(0)
    for seat in range(view.num_players):
        hidden += np.int64(view.hidden_cards[seat])
    vector[_PILE_SIZES] = (words.pile_size(view.draw_pile) - hidden) / deck_size
    vector[_PILE_SIZES + 1] = words.pile_size(view.discard_pile) / deck_size
    write_pile(view.discard_pile, rules.per_deck_card, _DISCARDED, vector)
    write_pile(view.draw_pile, rules.per_deck_card, _UNSEEN, vector)


@inlined
def write_hand(hand: Word, scale: Any, start: Whole, vector: NDArray[np.float32]) -> None:
    """Write 16 counts of a hand (or set) times a scale, from an entry on."""
    for card in range(_NUM_CARDS):
        count = (hand >> np.uint64(4 * card)) & _FOUR_BITS
        vector[start + card] = np.float32(count) * scale


@inlined
def write_pile(
    pile: Pile, scales: NDArray[np.float32], start: Whole, vector: NDArray[np.float32]
) -> None:
    """Write 16 counts of a pile, each times the scale of its card, from an entry on."""
    for half in range(2):
        counts = pile[half]
        for card in range(8):
            count = (counts >> np.uint64(8 * card)) & _EIGHT_BITS
            entry = 8 * half + card
            vector[start + entry] = np.float32(count) * scales[entry]


@compiled
def write_slots(
    view: State, rules: RulesRecord, observer: Whole, vector: NDArray[np.float32]
) -> None:
    """Features by slot: the observer, then seats in the round, then those out, in playing order."""
    write_slot(view, rules, observer, 0, vector)
    last: Whole = np.int64(view.num_players) - 1
    slot = 1
    for out in range(2):
        seat: Whole = np.int64(observer)
        for _ in range(last):
            seat += np.int64(view.direction)
            seat = 0 if seat > last else (last if seat < 0 else seat)
            if _has(view.in_round, seat) + out == 1:
                write_slot(view, rules, seat, slot, vector)
                slot += 1


@compiled
def write_slot(
    view: State, rules: RulesRecord, seat: Whole, slot: Whole, vector: NDArray[np.float32]
) -> None:
    """Features ``seats``, ``face_up_hands`` and ``recent_plays`` of one seat."""
    start = _SEATS + slot * SLOT_SIZE
    in_hand = words.hand_size(view.hands[seat]) + np.int64(view.hidden_cards[seat])
    vector[start] = 1.0
    vector[start + 1] = _has(view.in_round, seat)
    vector[start + 2] = _has(view.in_match, seat)
    vector[start + 3] = view.current_player == seat
    vector[start + 4] = view.dealer == seat
    vector[start + 5] = view.last_player == seat
    vector[start + 6] = _has(view.busted, seat)
    vector[start + 7] = view.first_out == seat
    vector[start + 8] = np.float32(in_hand) * rules.per_hand_card
    vector[start + 9] = np.float32(view.chips[seat]) * rules.per_chip
    vector[start + 10] = min(_ONE, np.float32(view.points[seat]) * rules.per_point)
    if slot > 0 and view.hands[seat] != _NO_CARDS:
        face_up = _FACE_UP + slot * _NUM_CARDS
        write_hand(view.hands[seat], rules.per_hand_card, face_up, vector)
    for age in range(SHOWN_PLAYS):
        code = (np.int64(view.recent_plays[seat]) >> (8 * age)) & 0xFF
        play = _RECENT + (slot * SHOWN_PLAYS + age) * PLAY_SIZE
        for entry in range(PLAY_SIZE):
            vector[play + entry] = _PLAYS[code, entry]


@compiled
def _has(seats_held: Whole, seat: Whole) -> Whole:
    return (np.int64(seats_held) >> np.int64(seat)) & 1
