"""The compiled part of `Episodes` that looks: what the learner sees at a table."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.counting import COUNTS
from ono99_env.engine.compile import entry_point, inlined
from ono99_env.engine.types import (
    Compact,
    Counts,
    Mask,
    RulesArray,
    RulesRecord,
    State,
    States,
    Vector,
    Whole,
)
from ono99_env.features import MASK, OBSERVATION
from ono99_env.views import COMPACT, write_compactly, write_view


@entry_point
def look_at_episodes(
    games: States,
    rules: RulesArray,
    episodes: NDArray[np.void],
    tables: NDArray[np.int64],
    rows: NDArray[np.int64],
    observation: NDArray[np.float32],
    compact: NDArray[np.uint8],
    action_mask: NDArray[np.int8],
) -> None:
    """Write what the learner sees at some tables; compare `step_episodes`.

    Args:
        games: All tables, shape (tables,).
        rules: The rules of all games.
        episodes: The learner's part, shape (tables,).
        tables: Which tables, shape (k,).
        rows: Where to write what, shape (k,).
        observation: Zeros or earlier observations, shape (rows, features), or (0, features).
        compact: The same as bytes of `ono99_env.views.COMPACT`, shape (rows, bytes) or (0, bytes).
        action_mask: Shape (rows, 17).
    """
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    records = compact.view(COMPACT)
    view, counts = np.empty(1, COMPACT), np.zeros(1, COUNTS)
    for index in range(len(tables)):
        table, row = tables[index], rows[index]
        seat = np.int64(episodes[table].learner_seat)
        if len(compact):
            write_compactly(games[table], seat, records[row, 0], masks[row, 0])
        else:
            vector, mask = vectors[row, 0], masks[row, 0]
            write_fully(games[table], rules[0], seat, view[0], counts[0], vector, mask)


@inlined
def write_fully(
    state: State,
    rules: RulesRecord,
    observer: Whole,
    view: Compact,
    counts: Counts,
    vector: Vector,
    mask: Mask,
) -> None:
    """Write the vector of what the observer may know of a game, and the mask."""
    view.state = state
    write_view(view.state, rules, observer, counts, vector, mask)
