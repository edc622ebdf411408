"""Information states: all that a seat has seen since the game began (perfect recall).

The tensor has one row for each event that the seat has seen, in order, and rows of zeros after the
last one. A row is: the kind of event, one-hot; the seat, one-hot; the action, one-hot; cards drawn
or shown, count by card id / hand_size; chips or points of each seat when a round begins.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ono99_env.openspiel.events import KINDS, Event, describe, seen_by
from ono99_env.openspiel.open_table import BoundedRules
from ono99_env.rules.cards import NUM_ACTIONS, NUM_CARDS


def information_string(events: Sequence[Event], seat: int) -> str:
    """Return the information state of a seat in words."""
    return f"{seat}: {describe(seen_by(events, seat))}"


def tensor_shape(setup: BoundedRules) -> tuple[int, int]:
    """Return rows of the longest possible game, and numbers in a row."""
    seats = setup.rules.num_players
    # A play makes two rows: itself, and the cards drawn or the missed draw.
    rows_of_round = 2 + 2 * setup.most_plays + seats
    return (
        setup.most_rounds * rows_of_round,
        len(KINDS) + seats + NUM_ACTIONS + NUM_CARDS + seats,
    )


def write_tensor(
    setup: BoundedRules, events: Sequence[Event], seat: int, tensor: NDArray[np.float32]
) -> None:
    """Write the information state of a seat.

    Args:
        setup: The rules.
        events: Everything that has happened.
        seat: The observer.
        tensor: Overwritten; shape as `tensor_shape` says.
    """
    tensor.fill(0)
    rules = setup.rules
    full_scale = rules.target_points if rules.has_points else max(rules.chips, 1)
    actions = len(KINDS) + rules.num_players
    cards, scores = actions + NUM_ACTIONS, actions + NUM_ACTIONS + NUM_CARDS
    for row, event in zip(tensor, seen_by(events, seat), strict=False):
        row[KINDS.index(event.kind)] = 1
        row[len(KINDS) + event.seat] = 1
        if event.kind in ("play", "bust"):
            row[actions + event.action] = 1
        elif event.kind == "round":
            row[scores : scores + len(event.numbers)] = np.array(event.numbers) / full_scale
        else:
            np.add.at(row[cards:scores], list(event.numbers), 1 / rules.hand_size)
