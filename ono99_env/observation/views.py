"""What one seat may know: the redacted record, the observation vector and the action mask.

`redact` returns a record of the same type as the game, in which the hands that a seat cannot see
are folded into the draw pile (their sizes kept in ``hidden_cards``), and the random generator is
removed. Everything else that a seat gets is computed from that record, so nothing can leak.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import seats, words
from ono99_env.engine.possible import describe_flaws, unbounded_field
from ono99_env.engine.records import STATE
from ono99_env.engine.records import rules_array as make_rules_array
from ono99_env.jit.compile import as_argument, as_read_only, called_from_python, compiled, inlined
from ono99_env.jit.copies import copy_records
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

        Raises:
            ValueError: If an array has another shape or type, a record is not one of a game, or
                there is no such seat; the message names the first.
        """
        games = _records("games", games, STATE)
        observers = _seats(observers, games).copy()
        views = np.zeros(len(games), STATE)
        index = redact_games(games, observers, views)
        if index < len(games):
            raise ValueError(f"games[{index}]: is no record of a game")
        return cls(rules, sealed(views), sealed(observers))

    @classmethod
    def of_compact(cls, rules: Rules, observations: NDArray[np.uint8]) -> "Views":
        """What compact observations show.

        ``Views.of_compact(rules, observations).observation`` are the vectors in full.

        Args:
            rules: The rules of all the games.
            observations: Shape (batch, ``COMPACT.itemsize``), as environments with ``compact=True``
                give them.

        Raises:
            ValueError: If they have another shape or type, or one shows no possible game of these
                rules; the message names the first.
        """
        observations = np.asarray(observations)
        if observations.dtype != np.uint8 or observations.shape[1:] != (COMPACT.itemsize,):
            raise ValueError(
                f"observations must have shape (batch, {COMPACT.itemsize}) and type uint8, not "
                f"{observations.shape} and {observations.dtype}"
            )
        records = np.ascontiguousarray(observations).view(COMPACT)[:, 0]
        states: States = as_argument(records["state"], STATE)
        observers = as_argument(records["observer"], np.int64)
        flaw = describe_flaws(states, make_rules_array(rules), views=True)
        if flaw is not None:
            raise ValueError(
                f"observations[{flaw[0]}] shows no possible game of these rules: {flaw[1]}"
            )
        observers = _seats(observers, states).copy()
        return cls(rules, sealed(states.copy()), sealed(observers))

    def __len__(self) -> int:
        """How many views the batch holds."""
        return len(self.states)

    @cached_property
    def rules_array(self) -> RulesArray:
        """The rules as compiled functions take them: a copy, like the other arrays."""
        return copy_records(make_rules_array(self.rules))

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """Feature vectors, shape (batch, `OBSERVATION_SIZE`), in [-1, 1]."""
        vectors = np.zeros((len(self), OBSERVATION_SIZE), np.float32)
        states, observers = as_read_only(self.states, STATE), as_read_only(self.seats, np.int64)
        index = observe_views(states, self.rules_array, observers, vectors)
        if index < len(self):
            raise ValueError(f"states[{index}] or seats[{index}]: is no view of a game")
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
    masks = np.empty((len(states), NUM_ACTIONS), np.bool_)
    mask_views(as_read_only(states, STATE), masks.view(np.int8))  # writes zeros and ones
    return masks


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
    games = np.array([state], STATE)
    views = np.zeros(1, STATE)
    if redact_games(games, _seats([seat], games), views) == 0:
        raise ValueError("state: is no record of a game")
    return views[0]


def _records(name: str, records: Any, dtype: Any) -> States:
    """Records as compiled functions take them.

    Raises:
        ValueError: If they have another shape or type.
    """
    array = np.asarray(records)
    if array.ndim != 1 or array.dtype != dtype:
        raise ValueError(
            f"{name} must be records of a game, shape (batch,), not {array.shape} and {array.dtype}"
        )
    return as_argument(array, dtype)


def _seats(seats: Any, games: States) -> NDArray[np.int64]:
    """One seat of each game, as compiled functions take them.

    Raises:
        ValueError: If there are more or fewer, or one is not at its table.
    """
    observers = np.asarray(seats)
    is_whole = observers.dtype.kind in "iu" or observers.size == 0
    if not is_whole or observers.shape != games.shape:
        raise ValueError(
            f"observers must be one seat for each of {len(games)} games, not an array of shape "
            f"{observers.shape} and type {observers.dtype}"
        )
    observers = as_argument(observers, np.int64)
    index = find_wrong_seat(games, observers)
    if index < len(games):
        raise ValueError(
            f"observers[{index}]: must be a seat from 0 to {games['num_players'][index] - 1}, not "
            f"{observers[index]}"
        )
    return observers


@called_from_python
def find_wrong_seat(games: States, observers: NDArray[np.int64]) -> int:
    """The first index of an observer that has no seat at its game, or how many there are."""
    for index in range(len(games)):
        if observers[index] < 0 or observers[index] >= games[index].num_players:
            return index
    return len(games)


@called_from_python
def redact_games(games: States, observers: NDArray[np.int64], views: States) -> int:
    """Redact every game of a batch for its observer; stops at a record that is not of a game.

    Returns:
        How many were redacted.
    """
    for index in range(len(games)):
        if unbounded_field(games[index]) != 0:
            return index
        views[index] = games[index]
        hide(views[index], observers[index])
    return len(games)


@called_from_python
def observe_views(
    views: States, rules: RulesArray, observers: NDArray[np.int64], vectors: NDArray[np.float32]
) -> int:
    """Write the observation vector of every redacted record; shape (views, `OBSERVATION_SIZE`).

    Returns:
        How many were written: it stops at a record that is none, or an observer without a seat.
    """
    records, counts = vectors.view(OBSERVATION), np.zeros(1, COUNTS)
    for index in range(min(len(views), len(observers))):
        view, observer = views[index], observers[index]
        if unbounded_field(view) != 0 or observer < 0 or observer >= view.num_players:
            return index
        observe(view, rules[0], observer, counts[0], records[index, 0])
    return min(len(views), len(observers))


@called_from_python
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
