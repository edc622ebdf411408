"""Saved tables: all of a state is checked before any of it reaches the tables."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine.possible import describe_flaws
from ono99_env.engine.records import NOBODY, STATE
from ono99_env.jit.types import Rosters, RulesArray, States
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Rules
from ono99_env.tables.episode_outcome import EPISODE
from ono99_env.tables.table_loop import DONE, LEARNER, LEARNER_TO_ACT, ROSTER, UNFINISHED


@lru_cache
def possible_player_counts(rules: Rules) -> list[int]:
    """Return the numbers of players that games of these rules may have."""
    counts = []
    for count in range(2, MAX_PLAYERS + 1):
        try:
            counts.append(rules.with_players(count).num_players)
        except ValueError:
            continue
    return counts


def saved_tables(
    state: Mapping[str, Any], rules: RulesArray, num_tables: int, num_bots: int, num_asked: int
) -> tuple[States, Rosters, list[np.random.Generator]]:
    """Return the parts of what `Tables.state_dict` gave: games, rosters, generators of bots.

    Raises:
        ValueError: If one is missing or impossible; the message names it.
    """
    missing = {"games", "rosters", "rngs"} - set(state)
    if missing:
        raise ValueError(f"state: {', '.join(sorted(missing))} is missing")
    games = saved_array("games", state["games"], STATE, num_tables)
    rosters = saved_array("rosters", state["rosters"], ROSTER, num_tables)
    _check_games(games, rules)
    _check_rosters(rosters, games, num_bots)
    rngs = state["rngs"]
    if not isinstance(rngs, list) or len(rngs) != num_asked:
        raise ValueError(
            f"state: rngs must be a list of {num_asked} states, one for each bot that is asked"
        )
    return games, rosters, [saved_generator(rng) for rng in rngs]


def saved_episodes(state: Mapping[str, Any], rosters: Rosters) -> NDArray[np.void]:
    """Return the learner's part of what `Episodes.state_dict` gave, if it fits its tables.

    Args:
        state: The state; its tables have been checked.
        rosters: Who plays at these tables, shape (tables,).

    Raises:
        ValueError: If it does not fit; the message says where.
    """
    episodes = saved_array("episodes", state["episodes"], EPISODE, len(rosters))
    seats = episodes["learner_seat"].astype(np.int64)
    is_seat = (seats >= 0) & (rosters["learners"] == 1 << np.clip(seats, 0, MAX_PLAYERS))
    is_due = np.isin(rosters["status"], (DONE, LEARNER_TO_ACT))
    is_sound = is_seat & is_due & (np.abs(episodes["reward"]) <= 1) & _are_possible(episodes)
    wrong = np.flatnonzero(~is_sound)
    if len(wrong):
        raise ValueError(
            f"state: episodes[{wrong[0]}] does not fit the game at its table: {episodes[wrong[0]]}"
        )
    return episodes


def _are_possible(episodes: NDArray[np.void]) -> NDArray[np.bool_]:
    """Return whether the lengths and the last outcome of each episode are possible, shape (k,)."""
    outcomes = episodes["outcome"]
    is_possible = (episodes["length"] >= 0) & (outcomes["length"] >= 0)
    last_seat = MAX_PLAYERS - 1
    limits = (("winner", NOBODY, last_seat), ("place", 0, MAX_PLAYERS), ("seat", 0, last_seat))
    for name, least, most in limits:
        is_possible &= (outcomes[name] >= least) & (outcomes[name] <= most)
    return np.asarray(is_possible)


def saved_array(name: str, array: Any, dtype: Any, *shape: int) -> NDArray[Any]:
    """Return an array of a state, if it has the dtype and the shape that it was saved with.

    Raises:
        ValueError: If it has not; the message says which it has.
    """
    array = np.asarray(array)
    if array.ndim == len(shape) and len(array) != shape[0]:
        raise ValueError(
            f"state: it was saved from {len(array)} tables and cannot be loaded into {shape[0]}"
        )
    if array.shape != shape or array.dtype != dtype:
        raise ValueError(
            f"state: {name} must have shape {shape} and type {np.dtype(dtype).name}, not shape "
            f"{array.shape} and type {array.dtype.name}"
        )
    # A file does not say that records are aligned, which Numba takes for another type.
    return np.ascontiguousarray(array).view(dtype)


def saved_generator(state: Any) -> np.random.Generator:
    """Return a random generator that continues from a state.

    Raises:
        ValueError: If it is not one of `numpy.random.PCG64`.
    """
    rng = np.random.default_rng(0)
    try:
        rng.bit_generator.state = state
    except (TypeError, KeyError, ValueError, OverflowError) as error:
        raise ValueError(f"state: rng is not the state of a generator ({error})") from error
    return rng


def _check_games(games: States, rules: RulesArray) -> None:
    is_dealt = games.view(np.uint8).reshape(len(games), -1).any(axis=1)
    dealt = np.flatnonzero(is_dealt)
    flaw = describe_flaws(games[dealt], rules)
    if flaw is not None:
        raise ValueError(
            f"state: games[{dealt[flaw[0]]}] is not a possible game of these rules: {flaw[1]}"
        )


def _check_rosters(rosters: Rosters, games: States, num_bots: int) -> None:
    seats = np.arange(MAX_PLAYERS)
    is_seat = seats < games["num_players"][:, None]
    holders, learners = rosters["holders"], rosters["learners"].astype(np.int64)
    seen = rosters["seen_in_match"]
    held = ((holders == LEARNER) & is_seat) << seats
    is_dealt = games["num_players"] > 0
    current = holders[np.arange(len(games)), games["current_player"]]
    problems = {
        "holders": ((holders < LEARNER) | (holders >= num_bots)).any(axis=1),
        "learners": is_dealt & (held.sum(axis=1) != learners),
        "survivors": ((rosters["survivors"] < 0) | (rosters["survivors"] > MAX_PLAYERS)).any(1),
        "seen_in_match": (seen < 0) | (seen >= 1 << MAX_PLAYERS),
        "status": (rosters["status"] < DONE) | (rosters["status"] > UNFINISHED),
        "status of a game that is over": (rosters["status"] != DONE)
        & (games["current_player"] == NOBODY),
        "status of a table without a game": (rosters["status"] != DONE) & ~is_dealt,
        "status of another holder": (rosters["status"] != DONE)
        & ((rosters["status"] == LEARNER_TO_ACT) != (current == LEARNER)),
        "forfeited": (rosters["forfeited"] < NOBODY)
        | (rosters["forfeited"] >= np.maximum(games["num_players"], 1)),
    }
    for name, is_wrong in problems.items():
        if is_wrong.any():
            index = int(np.argmax(is_wrong))
            raise ValueError(f"state: rosters[{index}]: {name} is impossible: {rosters[index]}")
