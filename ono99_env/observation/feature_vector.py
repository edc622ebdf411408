"""Writing the observation, whose layout is in layout.py.

What counts.py has written as bytes is scaled by a loop that the compiler turns into vector
instructions. Slots without a seat are zeros already and left alone. What does not fit into a byte
is written last.
"""

import numpy as np

from ono99_env.engine import words
from ono99_env.engine.records import CHIPS
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.instructions import CACHE_LINE, prefetch
from ono99_env.jit.types import Counts, RulesRecord, State, Vector, Whole, Word
from ono99_env.observation.counts import count_all, has, seat_of, seats_by_slot
from ono99_env.observation.layout import (
    FEATURES,
    IN_ROUND,
    OBSERVATION_SIZE,
    PLAY_SIZE,
    POINTS,
    SHOWN_PLAYS,
    SLOT_SIZE,
)
from ono99_env.rules.cards import MAX_PLAYERS, NUM_CARDS

_ONE = np.float32(1.0)
_HALFWAY_ROUNDS = np.float32(50)
_HALFWAY_RESHUFFLES = np.float32(10)

_SEATS = FEATURES["seats"].start
_FACE_UP = FEATURES["face_up_hands"].start
_RECENT = FEATURES["recent_plays"].start

_BLOCK = 32
"""Entries are written in multiples of this: a loop of vector instructions leaves no rest."""


@compiled
def observe(
    view: State, rules: RulesRecord, observer: Whole, counts: Counts, vector: Vector
) -> None:
    """Write the whole observation from a redacted record.

    Args:
        view: What the observer may know.
        rules: The rules of the game.
        observer: The observing seat.
        counts: Scratch, a record of `COUNTS`: zeros at first, then as an earlier call left it.
        vector: Written, a record of `ono99_env.observation.layout.OBSERVATION`; it holds an earlier
            observation or zeros.
    """
    slots = seats_by_slot(view, observer)
    count_all(view, rules, observer, slots, counts)
    had_more = had_more_slots(view, vector)
    hands = had_more or shows_hands(view, slots, vector)
    if had_more or view.num_players > 4:
        scale_slots(MAX_PLAYERS, hands, counts, rules, vector)
    elif view.num_players > 2:
        scale_slots(4, hands, counts, rules, vector)
    else:
        scale_slots(2, hands, counts, rules, vector)
    write_numbers(view, rules, vector)
    if rules.format > CHIPS:
        write_points(view, rules, slots, vector)


@inlined
def fetch(vector: Vector, num_players: Whole) -> None:
    """Have the parts of a vector at hand that `observe` is going to write soon."""
    players = np.int64(num_players)
    first_end = 4 * (_SEATS + players * SLOT_SIZE)
    second, second_end = 4 * _RECENT, 4 * (_RECENT + players * SHOWN_PLAYS * PLAY_SIZE)
    for byte in range(0, first_end, CACHE_LINE):
        prefetch(vector, byte)
    for byte in range(second, second_end, CACHE_LINE):
        prefetch(vector, byte)


@inlined
def had_more_slots(view: State, vector: Vector) -> bool:
    """Whether the vector as it was has seats at slots that are empty now."""
    players = np.int64(view.num_players)
    return bool(players < MAX_PLAYERS and vector.seats[words.index(players), 0] != 0)


@inlined
def shows_hands(view: State, slots: Word, vector: Vector) -> bool:
    """Whether a hand but the observer's is to be shown, or was in a vector of as many slots.

    Only the hands of seats that are out are shown, and these have the last slots.
    """
    last = words.index(view.num_players - 1)
    was_in_round = vector.seats[last, IN_ROUND] != 0
    return bool(not was_in_round or has(view.in_round, seat_of(slots, last)) == 0)


@inlined
def scale_slots(
    slots: int, hands: bool, counts: Counts, rules: RulesRecord, vector: Vector
) -> None:
    """Write the entries of so many slots, with or without hands, and all those before the slots.

    The loops run faster with bounds that the compiler knows: hence a few constants for `slots`.
    """
    scale(0, _SEATS + slots * SLOT_SIZE, counts, rules, vector)
    if hands:
        scale(_FACE_UP, slots * NUM_CARDS, counts, rules, vector)
    scale(_RECENT, slots * SHOWN_PLAYS * PLAY_SIZE, counts, rules, vector)


@inlined
def scale(first: int, size: int, counts: Counts, rules: RulesRecord, vector: Vector) -> None:
    """Write at least `size` entries: whole blocks, of which the processor does several at once."""
    written = (size + _BLOCK - 1) // _BLOCK * _BLOCK
    for place in range(written):
        entry = words.index(min(first, OBSERVATION_SIZE - written) + place)
        vector.entries[entry] = np.float32(counts.entries[entry]) * rules.scales[entry]


@inlined
def write_numbers(view: State, rules: RulesRecord, vector: Vector) -> None:
    """Features ``total``, ``progress`` and ``pile_sizes``."""
    vector.total[0] = max(-_ONE, min(_ONE, np.float32(view.total) * rules.per_total))
    rounds, reshuffles = np.float32(view.round_number), np.float32(view.reshuffles)
    vector.progress[0] = rounds / (rounds + _HALFWAY_ROUNDS)
    vector.progress[1] = reshuffles / (reshuffles + _HALFWAY_RESHUFFLES)
    vector.progress[2] = min(_ONE, np.float32(view.plays) * rules.per_play)
    deck_size = np.float32(words.pile_size(rules.deck))
    vector.pile_sizes[0] = (words.pile_size(view.draw_pile) - num_hidden(view)) / deck_size
    vector.pile_sizes[1] = words.pile_size(view.discard_pile) / deck_size


@inlined
def num_hidden(view: State) -> Whole:
    """How many cards of the unseen ones are in hands."""
    hidden = np.int64(0)
    for seat in range(MAX_PLAYERS):
        hidden += np.int64(view.hidden_cards[seat])
    return hidden


@inlined
def write_points(view: State, rules: RulesRecord, slots: Word, vector: Vector) -> None:
    """The points in feature ``seats``: in the formats without points they stay 0."""
    for slot in range(view.num_players):
        points = np.float32(view.points[seat_of(slots, slot)])
        vector.seats[words.index(slot), POINTS] = min(_ONE, points * rules.per_point)
