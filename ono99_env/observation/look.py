"""A look: the observation and the action mask of a seat, written to a row of the caller's arrays.

All interfaces write what a seat sees through `write_look`. It copies the game's record, redacts the
copy, and makes the vector and the mask from the copy alone.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import words
from ono99_env.engine.records import STATE
from ono99_env.jit.bare_tuples import bare
from ono99_env.jit.compile import called_from_python, compiled, inlined, shared
from ono99_env.jit.types import (
    Compact,
    Mask,
    RulesArray,
    RulesRecord,
    Scales,
    ScalesArray,
    State,
    States,
    Unscaled,
    Vector,
    Whole,
)
from ono99_env.observation.chosen_vector import observe_chosen, row_of
from ono99_env.observation.counts import UNSCALED
from ono99_env.observation.feature_vector import earlier_in, observe, whole_vectors
from ono99_env.observation.layout import MASK, OBSERVATION, OBSERVATION_SIZE
from ono99_env.observation.redaction import hide
from ono99_env.rules.cards import NUM_ACTIONS

COMPACT = np.dtype((np.record, np.dtype([("state", STATE), ("observer", "i8")], align=True)))
"""A compact observation: all that a seat may know, as the redacted record of the game; the seat.

``observations.view(COMPACT)`` shows compact observations, shape (..., ``COMPACT.itemsize``), as
records with names; `Views.of_compact` makes vectors of them.
"""

NO_VECTORS = np.zeros((0, OBSERVATION_SIZE), np.float32)
NO_RECORDS = np.zeros((0, COMPACT.itemsize), np.uint8)
"""In place of the observations, full or compact, that are not asked for."""


_FIRST = np.zeros(1, np.int64)


class Batch(NamedTuple):
    """Games and what they share, as arrays."""

    games: States
    """Shape (games,)."""
    rules: RulesArray
    scales: ScalesArray


class Look(NamedTuple):
    """Where looks are written: a row for each seat that looks. One kind of observation has rows."""

    observation: NDArray[np.float32]
    """Zeros or earlier observations, shape (rows, features), or (0, features)."""
    compact: NDArray[np.uint8]
    """The same as bytes of `COMPACT`, shape (rows, bytes), or (0, bytes)."""
    action_mask: NDArray[np.int8]
    """Shape (rows, 17)."""


def look_at(observation: NDArray[Any], action_mask: NDArray[np.int8]) -> Look:
    """Return the look that writes to these arrays, as the bare tuple that compiled code takes.

    Args:
        observation: Zeros or earlier observations: float32 vectors, shape (rows, features), or
            compact ones as uint8, shape (rows, bytes).
        action_mask: Shape (rows, 17).
    """
    if observation.dtype == np.uint8:
        return bare(Look(NO_VECTORS, observation, action_mask))
    return bare(Look(observation, NO_RECORDS, action_mask))


def look_alone(
    batch: Batch, observer: int, size: int
) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Return the observation, shape (size,), and the mask, shape (17,), of one seat.

    Args:
        batch: One game, as a bare tuple.
        observer: The seat that looks.
        size: Entries of the features that the scales of the batch say are chosen.
    """
    observation = np.zeros(size, np.float32)
    action_mask = np.zeros(NUM_ACTIONS, np.int8)
    look = look_at(observation.reshape(1, -1), action_mask.reshape(1, -1))
    look_at_games(batch, np.array([observer]), look, _FIRST, _FIRST)
    return observation, action_mask


class Rows(NamedTuple):
    """The arrays of a look with one record a row, shape (rows, 1) each."""

    vectors: NDArray[np.void]
    """No rows if only some features are chosen."""
    chosen: NDArray[np.float32]
    """The vectors as numbers, shape (rows, features)."""
    compact: NDArray[np.void]
    masks: NDArray[np.void]


class Writer(NamedTuple):
    """What writing a look takes besides the game."""

    rules: RulesArray
    scales: ScalesArray
    redacted: NDArray[np.void]
    """Scratch, a record of `COMPACT`: the copy that is redacted."""
    unscaled: NDArray[np.void]
    """Scratch, a record of `UNSCALED`."""


@inlined
def rows_of(look: Look, scales: ScalesArray) -> Rows:
    """Return the arrays of a look, given as a bare tuple, as records."""
    observation, compact, action_mask = look
    vectors = whole_vectors(observation, scales)
    return Rows(vectors, observation, compact.view(COMPACT), action_mask.view(MASK))


@inlined
def new_writer(rules: RulesArray, scales: ScalesArray) -> Writer:
    """Return a writer with scratch memory of its own."""
    return Writer(rules, scales, np.empty(1, COMPACT), np.zeros(1, UNSCALED))


@inlined
def write_look(writer: Writer, rows: Rows, row: Whole, state: State, observer: Whole) -> None:
    """Write what a seat sees of a game and may do to one row.

    Args:
        writer: The rules and scratch memory.
        rows: Where to write.
        row: Which row.
        state: The game's record, which is not changed.
        observer: The seat that looks.
    """
    if len(rows.compact):
        write_compactly(state, observer, rows.compact[row, 0], rows.masks[row, 0])
    elif writer.scales[0].choice.size:
        write_chosen(
            state,
            writer.rules[0],
            writer.scales[0],
            observer,
            writer.redacted[0],
            writer.unscaled[0],
            row_of(rows.chosen, row),
            rows.masks[row, 0],
        )
    else:
        write_fully(
            state,
            writer.rules[0],
            writer.scales[0],
            observer,
            writer.redacted[0],
            writer.unscaled[0],
            rows.vectors[row, 0],
            rows.masks[row, 0],
        )


@shared
def show_fully(
    state: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    view: Compact,
    unscaled: Unscaled,
    vector: Vector,
    mask: Mask,
) -> None:
    """Do as `write_fully`, for loops over one table: they compile faster for it.

    A loop over many tables has the function as a part, since it calls it for every table.
    """
    write_fully(state, rules, scales, observer, view, unscaled, vector, mask)


@compiled
def write_fully(
    state: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    view: Compact,
    unscaled: Unscaled,
    vector: Vector,
    mask: Mask,
) -> None:
    """Write the vector of what the observer may know of a game, and the mask."""
    view.state = state
    hide(view.state, observer)
    earlier = earlier_in(vector, state.num_players)
    observe(view.state, rules, scales, observer, unscaled, earlier, vector)
    write_mask(view.state, mask)


@compiled
def write_chosen(
    state: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    view: Compact,
    unscaled: Unscaled,
    vector: Vector,
    mask: Mask,
) -> None:
    """Write the chosen features of what the observer may know of a game, and the mask."""
    view.state = state
    hide(view.state, observer)
    observe_chosen(view.state, rules, scales, observer, unscaled, vector)
    write_mask(view.state, mask)


@inlined
def write_observation(
    state: State,
    rules: RulesRecord,
    scales: Scales,
    observer: Whole,
    view: Compact,
    unscaled: Unscaled,
    vectors: NDArray[np.float32],
    mask: Mask,
) -> None:
    """Write the only row of vectors, shape (1, features), whole or of chosen features, and mask."""
    if scales.choice.size:
        chosen = row_of(vectors, 0)
        write_chosen(state, rules, scales, observer, view, unscaled, chosen, mask)
    else:
        vector = vectors.view(OBSERVATION)[0, 0]
        show_fully(state, rules, scales, observer, view, unscaled, vector, mask)


@compiled
def write_compactly(state: State, observer: Whole, compact: Compact, mask: Mask) -> None:
    """Write the redacted record of a game and its observer, and the mask."""
    compact.state = state
    compact.observer = observer
    hide(compact.state, observer)
    write_mask(compact.state, mask)


@inlined
def write_mask(view: State, mask: Mask) -> None:
    """Write the legal actions of the observer; all zeros if it is not to act."""
    words.spread_hand(view.legal_plays, mask.cards)
    mask.discard_four = view.may_discard_four


@called_from_python
def look_at_games(
    batch: Batch,
    observers: NDArray[np.int64],
    look: Look,
    tables: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> None:
    """Write what one seat sees and may do at each of the given tables.

    Args:
        batch: All tables, as a bare tuple.
        observers: The observing seat at each table, shape (tables,).
        look: Where to write, as a bare tuple.
        tables: Which tables, shape (k,).
        rows: The row for each of these, shape (k,).
    """
    games, rules, scales = batch
    writer, written = new_writer(rules, scales), rows_of(look, scales)
    for index in range(len(tables)):
        table = tables[index]
        write_look(writer, written, rows[index], games[table], observers[table])
