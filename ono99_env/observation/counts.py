"""The entries of an observation as bytes, before they are scaled: a function for each part.

Indices are unsigned, since Numba would compare a signed one with 0 first.

Most entries are flags, or counts times a scale (see scales.py). As bytes in the order of the vector
they are written eight at a time: a 64-bit word holds eight neighbouring entries, the first of them
in its lowest byte. The flags of a seat, for example, are one word:

    bits     0-7     8-15      16-23     24-31   32-39   40-47   48-55   56-63
    entry    seat    in round  in match  to act  dealer  played  busted  first
                                                         last            out
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import seats, words
from ono99_env.engine.records import BUST_FLAG
from ono99_env.jit.compile import inlined
from ono99_env.jit.types import RulesRecord, State, Unscaled, Whole, Word
from ono99_env.observation.layout import (
    FEATURES,
    HEADROOM_SIZE,
    NUMBER_ON_CARD,
    NUMBER_PARTS,
    SHOWN_PLAYS,
    packed_record,
)
from ono99_env.rules.cards import MAX_PLAYERS, Action

_NO_CARDS = np.uint64(0)
_FOUR_BITS = np.uint64(0xF)
_EIGHT_BITS = np.uint64(0xFF)

_CARDS = ("u8", (2,))
_SEAT = np.dtype((np.record, [("flags", "u8"), ("cards", "i1"), ("chips", "i1"), ("points", "i1")]))
_PLAY = np.dtype((np.record, [("flags", "u8"), ("bust", "i1")]))
_FLAGS = {
    name: ("i1", FEATURES[name].shape)
    for name in (
        *("total", "headroom", "turn", "direction", "num_players", "players_left", "format"),
        *("progress", "pile_sizes"),
    )
}

UNSCALED = packed_record(
    {
        "hand": _CARDS,
        "legal_cards": _CARDS,
        "legal_discard": ("i1", (1,)),
        **_FLAGS,
        "discarded": _CARDS,
        "unseen": _CARDS,
        "seats": (_SEAT, (MAX_PLAYERS,)),
        "face_up_hands": ("u8", (MAX_PLAYERS, 2)),
        "recent_plays": (_PLAY, (MAX_PLAYERS, SHOWN_PLAYS)),
    },
    "i1",
)
"""An observation as bytes, before it is scaled; the sixteen cards are two words."""


def _tabulate_plays() -> NDArray[np.uint64]:
    """Return the first eight entries of a play in ``recent_plays``, by action + 1; 0 for none."""
    table = np.zeros((len(Action) + 1, 8), np.uint8)
    for action in Action:
        table[action + 1, 0] = 1
        if action < Action.ONO99:
            table[action + 1, NUMBER_ON_CARD] = NUMBER_PARTS * action
        else:
            table[action + 1, 2 + action - Action.ONO99] = 1
    return table.view("<u8")[:, 0].astype(np.uint64)


_PLAYS = _tabulate_plays()


@inlined
def count_all(
    view: State, rules: RulesRecord, observer: Whole, slots: Word, unscaled: Unscaled
) -> None:
    """Write every entry that fits into a byte.

    Args:
        view: What the observer may know.
        rules: The rules of the game.
        observer: The observing seat.
        slots: The seats by slot, see `seats_by_slot`.
        unscaled: Zeros at first, then as an earlier call left it.
    """
    count_own_cards(view, observer, unscaled)
    count_turn(view, rules, unscaled)
    count_table(view, rules, unscaled)
    count_piles(view, unscaled)
    count_slots(view, slots, unscaled)


@inlined
def seats_by_slot(view: State, observer: Whole) -> Word:
    """Return the seat at each slot, four bits each, slot 0 lowest.

    The observer has slot 0. Then come the seats in the round, then those that are out, both in
    playing order. Seen from seat 2 of four, with seat 3 out, clockwise:

        bits    0-3   4-7   8-11   12-15
        seat    2     0     1      3
    """
    players = np.int64(view.num_players)
    others = (seats.seat_bit(players) - 1) & ~seats.seat_bit(observer)
    playing, out = others & np.int64(view.in_round), others & ~np.int64(view.in_round)
    slots = np.uint64(observer)
    for slot in range(1, players):
        seat = seats.next_seat(playing if playing != 0 else out, observer, view.direction)
        playing, out = playing & ~seats.seat_bit(seat), out & ~seats.seat_bit(seat)
        slots |= np.uint64(seat) << np.uint64(4 * slot)
    return slots


@inlined
def seat_of(slots: Word, slot: Whole) -> Word:
    """Return the seat at a slot."""
    return (slots >> np.uint64(4 * slot)) & _FOUR_BITS


@inlined
def count_own_cards(view: State, observer: Whole, unscaled: Unscaled) -> None:
    """Write the features ``hand`` and ``legal``."""
    words.spread_hand(view.hands[np.uint64(observer)], unscaled.hand)
    words.spread_hand(view.legal_plays, unscaled.legal_cards)
    unscaled.legal_discard[0] = view.may_discard_four


@inlined
def count_turn(view: State, rules: RulesRecord, unscaled: Unscaled) -> None:
    """Write the features ``headroom``, ``turn`` and ``direction``."""
    headroom = min(np.int64(rules.highest_total) - view.total, np.int64(HEADROOM_SIZE - 1))
    for room in range(HEADROOM_SIZE):
        unscaled.headroom[room] = 0
    if headroom >= 0:
        unscaled.headroom[np.uint64(headroom)] = 1
    unscaled.turn[0] = view.plays_owed == 2
    unscaled.turn[1] = view.second_play
    unscaled.turn[2] = view.ono99_played
    unscaled.direction[0] = view.direction


@inlined
def count_table(view: State, rules: RulesRecord, unscaled: Unscaled) -> None:
    """Write the features ``num_players``, ``players_left`` and ``format``."""
    for count in range(MAX_PLAYERS - 1):
        unscaled.num_players[count] = 0
    for count in range(MAX_PLAYERS):
        unscaled.players_left[count] = 0
    for kind in range(4):
        unscaled.format[kind] = 0
    unscaled.num_players[np.uint64(view.num_players - 2)] = 1
    unscaled.players_left[np.uint64(view.players_left - 1)] = 1
    unscaled.format[np.uint64(rules.format)] = 1


@inlined
def count_piles(view: State, unscaled: Unscaled) -> None:
    """Write the features ``discarded`` and ``unseen``."""
    for half in range(2):
        unscaled.discarded[half] = view.discard_pile[half]
        unscaled.unseen[half] = view.draw_pile[half]


@inlined
def count_slots(view: State, slots: Word, unscaled: Unscaled) -> None:
    """Write the features by slot; slots without a seat are all zeros."""
    for slot in range(view.num_players):
        count_slot(view, seat_of(slots, slot), np.uint64(slot), unscaled)
    empty: Whole = np.int64(view.num_players)
    while empty < MAX_PLAYERS and unscaled.seats[np.uint64(empty)].flags != _NO_CARDS:
        clear_slot(np.uint64(empty), unscaled)
        empty += 1


@inlined
def count_slot(view: State, seat: Word, slot: Word, unscaled: Unscaled) -> None:
    """Write the features ``seats``, ``face_up_hands`` and ``recent_plays`` of one seat."""
    flags = (
        np.int64(1)
        | (has(view.in_round, seat) << 8)
        | (has(view.in_match, seat) << 16)
        | (is_seat(view.current_player, seat) << 24)
        | (is_seat(view.dealer, seat) << 32)
        | (is_seat(view.last_player, seat) << 40)
        | (has(view.busted, seat) << 48)
        | (is_seat(view.first_out, seat) << 56)
    )
    unscaled.seats[slot].flags = np.uint64(flags)
    unscaled.seats[slot].cards = words.hand_size(view.hands[seat]) + view.hidden_cards[seat]
    unscaled.seats[slot].chips = view.chips[seat]
    unscaled.seats[slot].points = 0
    # A redacted record shows no hands but the observer's and those that lie face up.
    face_up = view.hands[seat] if slot > 0 else _NO_CARDS
    words.spread_hand(face_up, unscaled.face_up_hands[slot])
    latest = np.uint64(view.recent_plays[seat])
    for age in range(SHOWN_PLAYS):
        code = (latest >> np.uint64(8 * age)) & _EIGHT_BITS
        unscaled.recent_plays[slot, age].flags = _PLAYS[code & np.uint64(BUST_FLAG - 1)]
        unscaled.recent_plays[slot, age].bust = np.int64(code >= np.uint64(BUST_FLAG))


@inlined
def clear_slot(slot: Word, unscaled: Unscaled) -> None:
    """Write zeros for a slot without a seat."""
    unscaled.seats[slot].flags = _NO_CARDS
    unscaled.seats[slot].cards = 0
    unscaled.seats[slot].chips = 0
    unscaled.seats[slot].points = 0
    for half in range(2):
        unscaled.face_up_hands[slot, half] = _NO_CARDS
    for age in range(SHOWN_PLAYS):
        unscaled.recent_plays[slot, age].flags = _NO_CARDS
        unscaled.recent_plays[slot, age].bust = 0


@inlined
def has(seats_held: Whole, seat: Word) -> Whole:
    """Return 1 if a set of seats holds a seat, else 0."""
    return (np.int64(seats_held) >> np.int64(seat)) & 1


@inlined
def is_seat(holder: Whole, seat: Word) -> Whole:
    """Return 1 if `holder` (a seat or `NOBODY`) is this seat, else 0."""
    return np.int64(np.int64(holder) == np.int64(seat))
