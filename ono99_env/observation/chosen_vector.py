"""A vector of chosen features: only these are counted, scaled and written.

The choice is data, not code: a record says which parts to count and which runs of entries go where,
so one compiled function writes every choice.
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.records import CHIPS
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import Choice, RulesRecord, Scales, State, Unscaled, Whole, Word
from ono99_env.observation.chosen_features import layout_of
from ono99_env.observation.counts import (
    count_own_cards,
    count_piles,
    count_slots,
    count_table,
    count_turn,
    seat_of,
    seats_by_slot,
)
from ono99_env.observation.feature_vector import (
    clipped_total,
    pile_shares,
    points_held,
    saturated_progress,
)
from ono99_env.observation.layout import FEATURES, POINTS, SLOT_SIZE

NOT_CHOSEN = -1
"""In place of the place of a feature that is not in the vector."""

RUN = np.dtype((np.record, [("source", "i8"), ("target", "i8"), ("size", "i8")]))
"""Neighbouring entries: where they are in the whole vector, where they go, and how many."""

_PARTS = {
    "has_cards": ("hand", "legal"),
    "has_turn": ("headroom", "turn", "direction"),
    "has_table": ("num_players", "players_left", "format"),
    "has_piles": ("discarded", "unseen"),
    "has_slots": ("seats", "face_up_hands", "recent_plays"),
}
"""The features that each function of counts.py writes."""

_NUMBERS = ("total", "progress", "pile_sizes", "seats")
"""The features with numbers that do not fit into bytes."""

CHOICE = np.dtype(
    (
        np.record,
        [
            # 0 where all features are chosen: the whole vector is written by other code.
            ("num_runs", "i8"),
            ("runs", RUN, (len(FEATURES),)),
            # Place of each feature with numbers, or `NOT_CHOSEN`.
            *((name, "i8") for name in _NUMBERS),
            *((part, "i8") for part in _PARTS),
        ],
    )
)
"""Which features are written, and where."""


def describe_choice(features: tuple[str, ...], choice: Choice) -> None:
    """Write which features are chosen.

    Args:
        features: What `resolve_features` returns.
        choice: A record of `CHOICE`, all zeros.
    """
    layout = layout_of(features)
    for name in _NUMBERS:
        choice[name] = layout[name].start if name in layout else NOT_CHOSEN
    for part, names in _PARTS.items():
        choice[part] = any(name in layout for name in names)
    if len(features) == len(FEATURES):
        return
    for name, feature in layout.items():
        source, last = FEATURES[name].start, choice.runs[choice.num_runs - 1]
        if choice.num_runs and last.source + last.size == source:
            last.size += feature.size
            continue
        choice.runs[choice.num_runs] = (source, feature.start, feature.size)
        choice.num_runs += 1


@compiled
def observe_chosen(
    view: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    unscaled: Unscaled,
    vectors: NDArray[np.float32],
    row: Whole,
) -> None:
    """Write the chosen features from a redacted record, whatever the vector held before.

    Args:
        view: What the observer may know.
        rules: The rules of the game.
        scales: The scales that belong to them, and the choice.
        observer: The observing seat.
        unscaled: Scratch, a record of `UNSCALED`: zeros at first, then as an earlier call left it.
        vectors: Shape (rows, chosen entries).
        row: Which row to write.
    """
    choice = scales.choice
    slots = np.uint64(0)
    if choice.has_cards:
        count_own_cards(view, observer, unscaled)
    if choice.has_turn:
        count_turn(view, rules, unscaled)
    if choice.has_table:
        count_table(view, rules, unscaled)
    if choice.has_piles:
        count_piles(view, unscaled)
    if choice.has_slots:
        slots = seats_by_slot(view, observer)
        count_slots(view, slots, unscaled)
    for index in range(choice.num_runs):
        run = choice.runs[np.uint64(index)]
        source, target = np.uint64(run.source), np.uint64(run.target)
        for place in range(np.uint64(run.size)):
            entry = source + place
            vectors[row, target + place] = (
                np.float32(unscaled.entries[entry]) * scales.entries[entry]
            )
    write_chosen_numbers(view, rules, scales, slots, vectors, row)


@inlined
def write_chosen_numbers(
    view: State,
    rules: RulesRecord,
    scales: Scales,
    slots: Word,
    vectors: NDArray[np.float32],
    row: Whole,
) -> None:
    """Write the numbers that do not fit into bytes, of features that are chosen."""
    choice = scales.choice
    if choice.total >= 0:
        vectors[row, np.uint64(choice.total)] = clipped_total(view, scales)
    if choice.progress >= 0:
        progress = saturated_progress(view, scales)
        for place in range(3):
            vectors[row, np.uint64(choice.progress + place)] = progress[place]
    if choice.pile_sizes >= 0:
        draw_pile, discard_pile = pile_shares(view, rules)
        vectors[row, np.uint64(choice.pile_sizes)] = draw_pile
        vectors[row, np.uint64(choice.pile_sizes + 1)] = discard_pile
    if choice.seats >= 0 and rules.format > CHIPS:
        for slot in range(view.num_players):
            entry = np.uint64(choice.seats + slot * SLOT_SIZE + POINTS)
            vectors[row, entry] = points_held(view, scales, seat_of(slots, slot))
