"""A vector of chosen features: only these are computed and written.

The choice is data, not code: a record says where each feature goes, so one compiled function writes
every choice. Few numbers are written best directly, without the bytes in between of the whole
vector (see counts.py): the fields of a word become floats in registers. Only features by slot,
which are long, go through bytes.
"""

import numpy as np

from ono99_env.engine import words
from ono99_env.engine.records import CHIPS
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.instructions import BYTES, row_reader, scale_bytes
from ono99_env.jit.types import (
    Choice,
    RulesRecord,
    Scales,
    State,
    Unscaled,
    Vector,
    Whole,
    Word,
)
from ono99_env.observation.chosen_features import layout_of, vector_size
from ono99_env.observation.counts import count_slots, seat_of, seats_by_slot
from ono99_env.observation.feature_vector import (
    clipped_total,
    pile_shares,
    points_held,
    saturated_progress,
)
from ono99_env.observation.layout import (
    FEATURES,
    HEADROOM_SIZE,
    OBSERVATION_SIZE,
    POINTS,
    SLOT_SIZE,
)
from ono99_env.rules.cards import MAX_PLAYERS, NUM_CARDS

NOT_CHOSEN = -1
"""In place of the place of a feature that is not in the vector."""

_ZERO, _ONE = np.float32(0.0), np.float32(1.0)

_HAND, _LEGAL = FEATURES["hand"].start, FEATURES["legal"].start
_DISCARDED, _UNSEEN = FEATURES["discarded"].start, FEATURES["unseen"].start
_SEATS, _SEATS_SIZE = FEATURES["seats"].start, FEATURES["seats"].size
_FACE_UP, _FACE_UP_SIZE = FEATURES["face_up_hands"].start, FEATURES["face_up_hands"].size
_RECENT, _RECENT_SIZE = FEATURES["recent_plays"].start, FEATURES["recent_plays"].size

CHOICE = np.dtype(
    (
        np.record,
        [
            # Entries of the vector; 0 where all features are chosen: other code writes these.
            ("size", "i8"),
            # Place of each feature in the vector, or `NOT_CHOSEN`.
            *((name, "i8") for name in FEATURES),
        ],
    )
)
"""Which features are written, and where."""

CHOSEN = np.dtype((np.record, [("entries", "f4", (OBSERVATION_SIZE,))]))
"""A vector of chosen features as a record: it has fewer entries, those of the row that it is."""

row_of = row_reader(CHOSEN)
"""Show a row of vectors, shape (rows, chosen entries), as a record of `CHOSEN`."""


def describe_choice(features: tuple[str, ...], choice: Choice) -> None:
    """Write which features are chosen.

    Args:
        features: What `resolve_features` returns.
        choice: A record of `CHOICE`.
    """
    layout = layout_of(features)
    choice["size"] = 0 if len(layout) == len(FEATURES) else vector_size(features)
    for name in FEATURES:
        choice[name] = layout[name].start if name in layout else NOT_CHOSEN


@compiled
def observe_chosen(
    view: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    unscaled: Unscaled,
    vector: Vector,
) -> None:
    """Write the chosen features from a redacted record, whatever the vector held before.

    Args:
        view: What the observer may know.
        rules: The rules of the game.
        scales: The scales that belong to them, and the choice.
        observer: The observing seat.
        unscaled: Scratch, a record of `UNSCALED`: zeros at first, then as an earlier call left it.
        vector: Written, a record of `CHOSEN`.
    """
    choice = scales.choice
    write_cards(view, observer, scales, vector)
    write_turn(view, rules, scales, vector)
    write_table(view, rules, choice, vector)
    write_piles(view, rules, scales, vector)
    if choice.seats >= 0 or choice.face_up_hands >= 0 or choice.recent_plays >= 0:
        write_slots(view, rules, scales, observer, unscaled, vector)


@inlined
def write_cards(view: State, observer: Whole, scales: Scales, vector: Vector) -> None:
    """Write the features ``hand`` and ``legal``."""
    choice = scales.choice
    if choice.hand >= 0:
        low, high = words.bytes_of_hand(view.hands[np.uint64(observer)])
        write_counts(low, high, _HAND, choice.hand, scales, vector)
    if choice.legal >= 0:
        low, high = words.bytes_of_hand(view.legal_plays)
        write_counts(low, high, _LEGAL, choice.legal, scales, vector)
        last = np.uint64(choice.legal + NUM_CARDS)
        vector.entries[last] = np.float32(view.may_discard_four)


@inlined
def write_turn(view: State, rules: RulesRecord, scales: Scales, vector: Vector) -> None:
    """Write the features ``total``, ``headroom``, ``turn``, ``direction`` and ``progress``."""
    choice = scales.choice
    if choice.total >= 0:
        vector.entries[np.uint64(choice.total)] = clipped_total(view, scales)
    if choice.headroom >= 0:
        headroom = min(np.int64(rules.highest_total) - view.total, np.int64(HEADROOM_SIZE - 1))
        write_one_hot(headroom, HEADROOM_SIZE, np.uint64(choice.headroom), vector)
    if choice.turn >= 0:
        place = np.uint64(choice.turn)
        vector.entries[place] = np.float32(np.int64(view.plays_owed == 2))
        vector.entries[place + np.uint64(1)] = np.float32(view.second_play)
        vector.entries[place + np.uint64(2)] = np.float32(view.ono99_played)
    if choice.direction >= 0:
        vector.entries[np.uint64(choice.direction)] = np.float32(view.direction)
    if choice.progress >= 0:
        progress = saturated_progress(view, scales)
        for part in range(3):
            vector.entries[np.uint64(choice.progress + part)] = progress[part]


@inlined
def write_table(view: State, rules: RulesRecord, choice: Choice, vector: Vector) -> None:
    """Write the features ``num_players``, ``players_left`` and ``format``."""
    if choice.num_players >= 0:
        place = np.uint64(choice.num_players)
        write_one_hot(np.int64(view.num_players) - 2, MAX_PLAYERS - 1, place, vector)
    if choice.players_left >= 0:
        place = np.uint64(choice.players_left)
        write_one_hot(np.int64(view.players_left) - 1, MAX_PLAYERS, place, vector)
    if choice.format >= 0:
        write_one_hot(np.int64(rules.format), 4, np.uint64(choice.format), vector)


@inlined
def write_piles(view: State, rules: RulesRecord, scales: Scales, vector: Vector) -> None:
    """Write the features ``pile_sizes``, ``discarded`` and ``unseen``."""
    choice = scales.choice
    if choice.pile_sizes >= 0:
        draw_pile, discard_pile = pile_shares(view, rules)
        vector.entries[np.uint64(choice.pile_sizes)] = draw_pile
        vector.entries[np.uint64(choice.pile_sizes + 1)] = discard_pile
    if choice.discarded >= 0:
        low, high = view.discard_pile[0], view.discard_pile[1]
        write_counts(low, high, _DISCARDED, choice.discarded, scales, vector)
    if choice.unseen >= 0:
        low, high = view.draw_pile[0], view.draw_pile[1]
        write_counts(low, high, _UNSEEN, choice.unseen, scales, vector)


@inlined
def write_slots(
    view: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    unscaled: Unscaled,
    vector: Vector,
) -> None:
    """Write the features ``seats``, ``face_up_hands`` and ``recent_plays``."""
    choice, slots = scales.choice, seats_by_slot(view, observer)
    count_slots(view, slots, unscaled)
    if choice.seats >= 0:
        write_scaled(_SEATS, _SEATS_SIZE, np.uint64(choice.seats), unscaled, scales, vector)
        if rules.format > CHIPS:
            for slot in range(view.num_players):
                entry = np.uint64(choice.seats + slot * SLOT_SIZE + POINTS)
                vector.entries[entry] = points_held(view, scales, seat_of(slots, slot))
    if choice.face_up_hands >= 0:
        place = np.uint64(choice.face_up_hands)
        write_scaled(_FACE_UP, _FACE_UP_SIZE, place, unscaled, scales, vector)
    if choice.recent_plays >= 0:
        place = np.uint64(choice.recent_plays)
        write_scaled(_RECENT, _RECENT_SIZE, place, unscaled, scales, vector)


@inlined
def write_counts(
    low: Word, high: Word, source: int, place: Whole, scales: Scales, vector: Vector
) -> None:
    """Write the counts of sixteen cards, a byte each, times the scales from `source` on."""
    scale_bytes(low, scales, source, vector, place)
    scale_bytes(high, scales, source + BYTES, vector, place + BYTES)


@inlined
def write_one_hot(hot: Whole, size: int, place: Word, vector: Vector) -> None:
    """Write 1 at an entry of a feature and 0 at the others; all 0 if the entry is below 0."""
    for entry in range(size):
        vector.entries[place + np.uint64(entry)] = _ZERO
    if hot >= 0:
        vector.entries[place + np.uint64(hot)] = _ONE


@inlined
def write_scaled(
    source: int, size: int, place: Word, unscaled: Unscaled, scales: Scales, vector: Vector
) -> None:
    """Write entries that were counted as bytes, from `source` on in the whole vector."""
    for index in range(size):
        entry = np.uint64(source + index)
        number = np.float32(unscaled.entries[entry]) * scales.entries[entry]
        vector.entries[place + np.uint64(index)] = number
