"""Saved tables read back: nothing of a state reaches the tables before all of it is checked."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.possible import describe_flaws
from ono99_env.engine.records import NOBODY, STATE
from ono99_env.jit.types import RulesArray, Seatings, States
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Rules
from ono99_env.tables.table_loop import DONE, LEARNER, LEARNER_TO_ACT, SEATING, UNFINISHED


@lru_cache
def possible_player_counts(rules: Rules) -> list[int]:
    """The numbers of players that games of these rules may have."""
    counts = []
    for count in range(2, MAX_PLAYERS + 1):
        try:
            counts.append(rules.with_players(count).num_players)
        except ValueError:
            continue
    return counts


def saved_tables(
    state: Mapping[str, Any], rules: RulesArray, num_tables: int, num_bots: int, num_asked: int
) -> tuple[States, Seatings, list[np.random.Generator]]:
    """Return the parts of what `Tables.state_dict` gave: games, seatings, generators of bots.

    Raises:
        ValueError: If one is missing or not a possible one; the message names it.
    """
    missing = {"games", "seatings", "rngs"} - set(state)
    if missing:
        raise ValueError(f"state: {', '.join(sorted(missing))} is missing")
    games = saved_array("games", state["games"], STATE, num_tables)
    seatings = saved_array("seatings", state["seatings"], SEATING, num_tables)
    _check_games(games, rules)
    _check_seatings(seatings, games, num_bots)
    rngs = state["rngs"]
    if not isinstance(rngs, list) or len(rngs) != num_asked:
        raise ValueError(
            f"state: rngs must be a list of {num_asked} states, one for each bot that is asked"
        )
    return games, seatings, [saved_generator(rng) for rng in rngs]


def saved_array(name: str, array: Any, dtype: Any, *shape: int) -> NDArray[Any]:
    """An array of a state, if it has the dtype and the shape that it was saved with.

    Raises:
        ValueError: If it has not, with the number of tables that it is of.
    """
    array = np.asarray(array)
    if array.ndim == len(shape) and len(array) != shape[0]:
        raise ValueError(f"state: it is of {len(array)} tables and cannot go on at {shape[0]}")
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(
            f"state: {name} must have shape {shape} and type {np.dtype(dtype).name}, not shape "
            f"{array.shape} and type {array.dtype.name}"
        )
    # A file does not say that records are aligned, which Numba takes for another type.
    return np.ascontiguousarray(array).view(dtype)


def saved_generator(state: Any) -> np.random.Generator:
    """A random generator that goes on from a state.

    Raises:
        ValueError: If it is not one of `numpy.random.PCG64`.
    """
    rng = np.random.default_rng(0)
    try:
        rng.bit_generator.state = state
    except (TypeError, KeyError, ValueError, OverflowError) as error:
        raise ValueError(f"state: rng is no state of a generator ({error})") from error
    return rng


def _check_games(games: States, rules: RulesArray) -> None:
    is_dealt = games.view(np.uint8).reshape(len(games), -1).any(axis=1)
    dealt = np.flatnonzero(is_dealt)
    flaw = describe_flaws(games[dealt], rules)
    if flaw is not None:
        raise ValueError(
            f"state: games[{dealt[flaw[0]]}] is not a possible game of these rules: {flaw[1]}"
        )


def _check_seatings(seatings: Seatings, games: States, num_bots: int) -> None:
    seats = np.arange(MAX_PLAYERS)
    is_seat = seats < games["num_players"][:, None]
    holders, learners = seatings["holders"], seatings["learners"].astype(np.int64)
    held = ((holders == LEARNER) & is_seat) << seats
    is_dealt = games["num_players"] > 0
    current = holders[np.arange(len(games)), games["current_player"]]
    problems = {
        "holders": ((holders < LEARNER) | (holders >= num_bots)).any(axis=1),
        "learners": is_dealt & (held.sum(axis=1) != learners),
        "survivors": ((seatings["survivors"] < 0) | (seatings["survivors"] > MAX_PLAYERS)).any(1),
        "in_match": (seatings["in_match"] < 0) | (seatings["in_match"] >= 1 << MAX_PLAYERS),
        "status": (seatings["status"] < DONE) | (seatings["status"] > UNFINISHED),
        "status of a game that is over": (seatings["status"] != DONE)
        & (games["current_player"] == NOBODY),
        "status of a table without a game": (seatings["status"] != DONE) & ~is_dealt,
        "status of another holder": (seatings["status"] != DONE)
        & ((seatings["status"] == LEARNER_TO_ACT) != (current == LEARNER)),
        "forfeited": (seatings["forfeited"] < NOBODY)
        | (seatings["forfeited"] >= np.maximum(games["num_players"], 1)),
    }
    for name, is_wrong in problems.items():
        if is_wrong.any():
            index = int(np.argmax(is_wrong))
            raise ValueError(f"state: seatings[{index}]: {name} is impossible: {seatings[index]}")
