"""What one seat may know: the redacted record, the observation vector and the action mask.

`redact` returns a record of the same type as the game, in which the hands that a seat cannot see
are folded into the draw pile (their sizes kept in ``hidden_cards``), and the random generator is
removed. Everything else that a seat gets is computed from that record, so nothing can leak.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import seats, words
from ono99_env.engine.records import STATE
from ono99_env.engine.records import rules_array as make_rules_array
from ono99_env.jit.compile import as_argument, compiled, entry_point, inlined
from ono99_env.jit.types import (
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
from ono99_env.observation.counts import COUNTS
from ono99_env.observation.feature_vector import observe
from ono99_env.observation.layout import (
    FEATURES,
    MASK,
    OBSERVATION,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    Feature,
)
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.rules.rules import Rules

__all__ = [
    "COMPACT",
    "FEATURES",
    "OBSERVATION_SIZE",
    "OBSERVATION_VERSION",
    "Feature",
    "Views",
    "redact",
]

Scalar = TypeVar("Scalar", bound=np.generic)

_NO_CARDS = np.uint64(0)

COMPACT = np.dtype((np.record, np.dtype([("state", STATE), ("observer", "i8")], align=True)))
"""A compact observation: all that a seat may know, as the redacted record of the game; the seat.

``observations.view(COMPACT)`` shows compact observations, shape (..., ``COMPACT.itemsize``), as
records with names; `Views.of_compact` makes vectors of them.
"""


@dataclass(frozen=True)
class Views:
    """What a batch of seats may know, each of its own game: all that a bot gets.

    Build it with `Views.of`, which redacts. Its arrays are read-only copies: nothing that is done
    to them changes a game. Copy one to work on it (``views.action_mask.copy()``).
    """

    rules: Rules
    """The rules of all the games (`states` may say other numbers of players)."""
    states: States
    """Redacted records, shape (batch,), dtype `ono99_env.engine.records.STATE`."""
    seats: NDArray[np.int64]
    """The observing seat in each game, shape (batch,)."""

    @classmethod
    def of(cls, rules: Rules, games: States, observers: NDArray[np.int64]) -> "Views":
        """What each observer may know of its game.

        Args:
            rules: The rules of all the games.
            games: Full records, shape (batch,).
            observers: A seat in each game, shape (batch,).
        """
        observers = as_argument(observers, np.int64).copy()
        views = np.zeros(len(games), STATE)
        redact_games(as_argument(games, STATE), observers, views)
        return cls(rules, sealed(views), sealed(observers))

    @classmethod
    def of_compact(cls, rules: Rules, observations: NDArray[np.uint8]) -> "Views":
        """What compact observations show.

        ``Views.of_compact(rules, observations).observation`` are the vectors in full.

        Args:
            rules: The rules of all the games.
            observations: Shape (batch, ``COMPACT.itemsize``), as environments with ``compact=True``
                give them.
        """
        records = np.ascontiguousarray(observations).view(COMPACT)[:, 0]
        states, observers = records["state"].astype(STATE), records["observer"].astype(np.int64)
        return cls(rules, sealed(states), sealed(observers))

    def __len__(self) -> int:
        """How many views the batch holds."""
        return len(self.states)

    @cached_property
    def rules_array(self) -> RulesArray:
        """The rules as compiled functions take them: a copy, like the other arrays."""
        return make_rules_array(self.rules).copy()

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """Feature vectors, shape (batch, `OBSERVATION_SIZE`), in [-1, 1]."""
        vectors = np.zeros((len(self), OBSERVATION_SIZE), np.float32)
        states, observers = as_argument(self.states, STATE), as_argument(self.seats, np.int64)
        observe_views(states, self.rules_array, observers, vectors)
        return sealed(vectors)

    @cached_property
    def action_mask(self) -> NDArray[np.bool_]:
        """Legal actions, shape (batch, 17); all false for a seat that is not to act."""
        return sealed(legal_actions(self.states))


def legal_actions(states: States) -> NDArray[np.bool_]:
    """Return what is legal for whoever is to act in each record, shape (batch, 17).

    Args:
        states: Records of games, redacted for the seat to act or not, shape (batch,).
    """
    masks = np.empty((len(states), NUM_ACTIONS), np.int8)
    mask_views(as_argument(states, STATE), masks)
    return masks.astype(np.bool_)


def sealed(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the array itself, which owns its memory, read-only from now on."""
    array.flags.writeable = False
    return array


def redact(state: State, seat: int) -> State:
    """What one seat may know of one game, as a record.

    Args:
        state: The game's record (`Game.state`).
        seat: The observer.

    Returns:
        A new record of the same type: the hands that the seat cannot see are in the draw pile, and
        `hidden_cards` holds their sizes.
    """
    views = np.zeros(1, STATE)
    redact_games(np.array([state], STATE), np.array([seat]), views)
    return views[0]


@entry_point
def redact_games(games: States, observers: NDArray[np.int64], views: States) -> None:
    """Redact every game of a batch for its observer."""
    for index in range(len(games)):
        views[index] = games[index]
        hide(views[index], observers[index])


@entry_point
def observe_views(
    views: States, rules: RulesArray, observers: NDArray[np.int64], vectors: NDArray[np.float32]
) -> None:
    """Write the observation vector of every redacted record; shape (views, `OBSERVATION_SIZE`)."""
    records, counts = vectors.view(OBSERVATION), np.zeros(1, COUNTS)
    for index in range(len(views)):
        observe(views[index], rules[0], observers[index], counts[0], records[index, 0])


@entry_point
def mask_views(views: States, masks: NDArray[np.int8]) -> None:
    """Write the action mask of every redacted record; shape (views, 17)."""
    records = masks.view(MASK)
    for index in range(len(views)):
        write_mask(views[index], records[index, 0])


@compiled
def write_view(
    copy: State,
    rules: RulesRecord,
    observer: Whole,
    counts: Counts,
    vector: Vector,
    mask: Mask,
) -> None:
    """Redact a copy of a game's record for the observer; write the observation and the mask."""
    hide(copy, observer)
    observe(copy, rules, observer, counts, vector)
    write_mask(copy, mask)


@compiled
def write_compactly(state: State, observer: Whole, compact: Compact, mask: Mask) -> None:
    """Write what the observer may know of a game, and the mask."""
    compact.state = state
    compact.observer = observer
    hide(compact.state, observer)
    write_mask(compact.state, mask)


@compiled
def hide(view: State, observer: Whole) -> None:
    """R21: fold what the observer cannot see into the draw pile of a copied record."""
    view.random_counter = _NO_CARDS
    for seat in range(view.num_players):
        is_out = (np.int64(view.in_round) & seats.seat_bit(seat)) == 0
        if seat == observer or (is_out and view.eliminated_face_up):
            continue
        hand = view.hands[seat]
        words.add_hand_to_pile(view.draw_pile, hand)
        view.hidden_cards[seat] += words.hand_size(hand)
        view.hands[seat] = _NO_CARDS
    if view.current_player != observer:
        view.legal_plays = _NO_CARDS
        view.may_discard_four = 0


@inlined
def write_mask(view: State, mask: Mask) -> None:
    """Write the legal actions of the observer; all zeros if it is not to act."""
    words.spread_hand(view.legal_plays, mask.cards)
    mask.discard_four = view.may_discard_four
