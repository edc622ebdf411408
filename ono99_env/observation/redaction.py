"""Redaction: a record of the game without what one seat may not know (R21).

The hands that a seat cannot see are folded into the draw pile. Their sizes stay in
``hidden_cards``. The random generator is removed. Everything else that a seat gets is computed from
that record, so nothing can leak.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import seats, words
from ono99_env.engine.possible import unbounded_field
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import State, States, Whole

_NO_CARDS = np.uint64(0)


def redact(state: State, seat: int) -> State:
    """Return what one seat may know of one game, as a record.

    Args:
        state: The game's record (`Game.state`).
        seat: The observer.

    Returns:
        A new record of the same type: the hands that the seat cannot see are in the draw pile, and
        `hidden_cards` holds their sizes.

    Raises:
        ValueError: If the record is not one of a game, or there is no such seat.
    """
    games = np.array([state], STATE)
    views = np.zeros(1, STATE)
    if redact_games(games, checked_observers([seat], games), views) == 0:
        raise ValueError("state: is no record of a game")
    return views[0]


def checked_observers(observers: Any, games: States, name: str = "observers") -> NDArray[np.int64]:
    """Return a copy of one seat of each game, as compiled functions take them.

    Args:
        observers: The seats, shape (games,).
        games: The records, shape (games,).
        name: What messages call the seats.

    Raises:
        ValueError: If there are more or fewer, or one is not at its table.
    """
    seats_given = one_seat_each(observers, games, name)
    index = find_wrong_observer(games, seats_given)
    if index < len(games):
        raise ValueError(
            f"{name}[{index}]: must be a seat from 0 to {games['num_players'][index] - 1}, not "
            f"{seats_given[index]}"
        )
    return seats_given


def one_seat_each(observers: Any, games: States, name: str = "observers") -> NDArray[np.int64]:
    """Return a copy of one whole number for each game, which may not be a seat of it.

    Args:
        observers: The numbers, shape (games,).
        games: The records, shape (games,).
        name: What messages call the numbers.

    Raises:
        ValueError: If there are more or fewer, or they are not whole numbers.
    """
    given = np.asarray(observers)
    if given.shape != games.shape or (given.dtype.kind not in "iu" and given.size > 0):
        raise ValueError(
            f"{name} must be one seat for each of {len(games)} games, not an array of shape "
            f"{given.shape} and type {given.dtype}"
        )
    return given.astype(np.int64)


@called_from_python
def find_wrong_observer(games: States, observers: NDArray[np.int64]) -> int:
    """Return the first index of an observer without a seat at its game, or how many there are."""
    for index in range(len(games)):
        if observers[index] < 0 or observers[index] >= games[index].num_players:
            return index
    return len(games)


@called_from_python
def redact_games(games: States, observers: NDArray[np.int64], views: States) -> int:
    """Redact every game of a batch for its observer.

    Args:
        games: The records, shape (games,).
        observers: One for each game, shape (games,).
        views: Written, shape (games,).

    Returns:
        How many were redacted, up to a record that is not of a game or an observer without a seat.
    """
    for index in range(len(games)):
        observer = observers[index]
        if unbounded_field(games[index]) != 0 or not 0 <= observer < games[index].num_players:
            return index
        views[index] = games[index]
        hide(views[index], observer)
    return len(games)


@compiled
def hide(view: State, observer: Whole) -> None:
    """Fold what the observer cannot see into the draw pile of a copied record (R21)."""
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
