"""Views: what a batch of seats may know, which is all that a bot gets."""

import reprlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.possible import describe_flaws, unbounded_field
from ono99_env.engine.records import STATE, rules_array
from ono99_env.jit.compile import as_argument, as_read_only, called_from_python
from ono99_env.jit.copies import copy_records
from ono99_env.jit.types import RulesArray, ScalesArray, States
from ono99_env.observation.chosen_features import vector_size
from ono99_env.observation.chosen_vector import observe_chosen, row_of
from ono99_env.observation.counts import UNSCALED
from ono99_env.observation.feature_vector import earlier_in, observe, whole_vectors
from ono99_env.observation.layout import FEATURES, MASK, OBSERVATION_SIZE
from ono99_env.observation.look import COMPACT, write_mask
from ono99_env.observation.redaction import checked_observers, redact_games
from ono99_env.observation.scales import scales_array
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.rules.rules import Rules

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Views:
    """What a batch of seats may know, each of its own game: all that a bot gets.

    Build it with `Views.of`, which redacts. Its arrays are read-only copies: nothing that is done
    to them changes a game. Copy one to work on it (``views.action_mask.copy()``). Select some views
    with `take`.

    Raises:
        ValueError: If an array has another shape or type, or a record is no view of a possible
            game of these rules; the message names the first.
    """

    rules: Rules
    """The rules of all the games (`states` may say other numbers of players)."""
    states: States
    """Redacted records, shape (batch,), dtype `ono99_env.engine.records.STATE`."""
    seats: NDArray[np.int64]
    """The observing seat in each game, shape (batch,)."""

    def __post_init__(self) -> None:
        """Check arrays that the package has not made; keep copies of them."""
        if not isinstance(self.rules, Rules):
            raise ValueError(f"rules must be Rules, not {reprlib.repr(self.rules)}")
        states = _records("states", self.states, STATE)
        _check_possible("states", states, self.rules)
        observers = checked_observers(self.seats, states, name="seats")
        object.__setattr__(self, "states", sealed(states.copy()))
        object.__setattr__(self, "seats", sealed(observers.copy()))

    @classmethod
    def _of_checked(cls, rules: Rules, states: States, seats: NDArray[np.int64]) -> "Views":
        """Return views of arrays that are known to be right, which it keeps and seals."""
        views = object.__new__(cls)
        vars(views).update(rules=rules, states=sealed(states), seats=sealed(seats))
        return views

    @classmethod
    def of(cls, rules: Rules, games: States, observers: NDArray[np.int64]) -> "Views":
        """Return what each observer may know of its game.

        Args:
            rules: The rules of all the games.
            games: Full records, shape (batch,).
            observers: A seat in each game, shape (batch,).

        Raises:
            ValueError: If an array has another shape or type, a record is not one of a game, or
                there is no such seat; the message names the first.
        """
        games = _records("games", games, STATE)
        observers = checked_observers(observers, games).copy()
        views = np.zeros(len(games), STATE)
        index = redact_games(games, observers, views)
        if index < len(games):
            raise ValueError(f"games[{index}]: is no record of a game")
        return cls._of_checked(rules, views, observers)

    @classmethod
    def of_compact(cls, rules: Rules, observations: NDArray[np.uint8]) -> "Views":
        """Return what compact observations show.

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
        _check_possible("observations", states, rules)
        observers = checked_observers(observers, states).copy()
        return cls._of_checked(rules, states.copy(), observers)

    def take(self, rows: slice | NDArray[np.int64]) -> "Views":
        """Return some of the views.

        Args:
            rows: A slice, or indices of views, shape (count,).
        """
        return self._of_checked(self.rules, self.states[rows], self.seats[rows])

    def __len__(self) -> int:
        """Return how many views the batch holds."""
        return len(self.states)

    @cached_property
    def rules_array(self) -> RulesArray:
        """The rules as compiled functions take them: a copy, like the other arrays."""
        return copy_records(rules_array(self.rules))

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """The feature vectors, shape (batch, `OBSERVATION_SIZE`), in [-1, 1]."""
        vectors = np.zeros((len(self), OBSERVATION_SIZE), np.float32)
        self._write(vectors, scales_array(self.rules))
        return sealed(vectors)

    def observation_of(self, features: tuple[str, ...]) -> NDArray[np.float32]:
        """Return vectors of some features only, shape (batch, their entries), in [-1, 1].

        Args:
            features: Their names, as `resolve_features` returns them.
        """
        if len(features) == len(FEATURES):
            return self.observation
        vectors = np.zeros((len(self), vector_size(features)), np.float32)
        self._write(vectors, scales_array(self.rules, features))
        return sealed(vectors)

    def _write(self, vectors: NDArray[np.float32], scales: ScalesArray) -> None:
        states, observers = as_read_only(self.states, STATE), as_read_only(self.seats, np.int64)
        index = observe_views(states, self.rules_array, scales, observers, vectors)
        if index < len(self):
            raise ValueError(f"states[{index}] or seats[{index}]: is no view of a game")

    @cached_property
    def action_mask(self) -> NDArray[np.bool_]:
        """The legal actions, shape (batch, 17); all false for a seat that is not to act."""
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


def _records(name: str, records: Any, dtype: Any) -> States:
    """Return records as compiled functions take them.

    Raises:
        ValueError: If they have another shape or type.
    """
    array = np.asarray(records)
    if array.ndim != 1 or array.dtype != dtype:
        raise ValueError(
            f"{name} must be records of a game, shape (batch,), not {array.shape} and {array.dtype}"
        )
    return as_argument(array, dtype)


def _check_possible(name: str, states: States, rules: Rules) -> None:
    """Refuse redacted records that show no possible game of some rules.

    Raises:
        ValueError: Naming the first, and the condition that it does not meet.
    """
    flaw = describe_flaws(states, rules_array(rules), views=True)
    if flaw is not None:
        raise ValueError(
            f"{name}[{flaw.record}] shows no possible game of these rules: {flaw.condition}"
        )


@called_from_python
def observe_views(
    views: States,
    rules: RulesArray,
    scales: ScalesArray,
    observers: NDArray[np.int64],
    vectors: NDArray[np.float32],
) -> int:
    """Write the observation vector of every redacted record; stop at one that is none.

    Args:
        views: The records, shape (views,).
        rules: The rules of all games.
        scales: The scales that belong to them.
        observers: The observing seat of each, shape (views,).
        vectors: Zeros, shape (views, entries of the features that the scales say are chosen).

    Returns:
        How many were written, up to a record that is none or an observer without a seat.
    """
    records, unscaled = whole_vectors(vectors, scales), np.zeros(1, UNSCALED)
    for index in range(min(len(views), len(observers))):
        view, observer = views[index], observers[index]
        if unbounded_field(view) != 0 or observer < 0 or observer >= view.num_players:
            return index
        if scales[0].choice.size:
            observe_chosen(view, rules[0], scales[0], observer, unscaled[0], row_of(vectors, index))
            continue
        vector = records[index, 0]
        earlier = earlier_in(vector, view.num_players)
        observe(view, rules[0], scales[0], observer, unscaled[0], earlier, vector)
    return min(len(views), len(observers))


@called_from_python
def mask_views(views: States, masks: NDArray[np.int8]) -> None:
    """Write the action mask of every redacted record; shape (views, 17)."""
    records = masks.view(MASK)
    for index in range(len(views)):
        write_mask(views[index], records[index, 0])
