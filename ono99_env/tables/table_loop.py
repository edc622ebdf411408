"""The compiled part of `Tables`: games that run on without returning to Python."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.scripted.compiled import choose, choose_by_turn, needs_view
from ono99_env.bots.scripted.situation import turn_of
from ono99_env.engine import generator, seats, step
from ono99_env.engine.records import NOBODY, TO_ACT
from ono99_env.jit.compile import called_from_python, compiled, inlined
from ono99_env.jit.types import (
    Bots,
    Compact,
    Roster,
    Rosters,
    RulesArray,
    RulesRecord,
    ScalesArray,
    State,
    States,
    Whole,
    Word,
)
from ono99_env.observation.look import COMPACT
from ono99_env.observation.redaction import hide
from ono99_env.rules.cards import MAX_PLAYERS

LEARNER = -1
"""Holder of a seat whose actions come from the caller."""

NO_ACTION = -1
"""In place of an action: nothing is played, the table only goes on."""

REFUSED = -2
"""What a compiled step returns when the action is not legal; nothing has changed then."""

DONE = 0
"""Status: the game is over, or no learner is left in a game that had one."""
LEARNER_TO_ACT = 1
"""Status: the current player's seat is held by the learner."""
BOT_TO_ACT = 2
"""Status: the current player's seat is held by a bot that must be asked from Python."""
UNFINISHED = 3
"""Status: compiled bots are to play on, but this call has made its `MOST_CALL_PLAYS`."""

MOST_CALL_PLAYS = 200_000
"""Plays of a compiled call after which it returns to Python, so that Ctrl-C is heard: some 20 ms.

Only long games or very many tables need more; Python then makes the call again.
"""

MOST_DEALS = 10_000
"""Games that may end before the learner's first decision, one after the other at one table."""

NOT_COMPILED = -1
"""In place of the kind of a compiled bot: a bot that must be asked from Python."""

ROSTER = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Counter of the random numbers that compiled bots use at this table.
                ("counter", "u8"),
                # Who holds each seat: `LEARNER` or an index into the list of bots.
                ("holders", "i1", (MAX_PLAYERS,)),
                # How many were in the match when a seat had left it, 0 for none.
                ("survivors", "i1", (MAX_PLAYERS,)),
                # Set of the seats that the learner holds.
                ("learners", "i2"),
                # Set of the seats in the match when this was looked at last.
                ("seen_in_match", "i2"),
                # `DONE`, `LEARNER_TO_ACT`, `BOT_TO_ACT` or `UNFINISHED`.
                ("status", "i2"),
                # Seat whose bot failed and so lost the game, or `NOBODY`.
                ("forfeited", "i2"),
            ],
            align=True,
        ),
    )
)
"""Who plays at a table, and what it waits for. There are no gaps: saved bytes are equal if the
fields are."""

MOST_BOTS = 128
"""Bots that `Tables` may have: a holder is a byte."""

BOTS = np.dtype((np.record, np.dtype([("kinds", "i8", (MOST_BOTS,))])))
"""What each bot is in compiled code, or `NOT_COMPILED`.

It is a record because a record is handed on as a bare pointer; see `World`.
"""


class World(NamedTuple):
    """All tables and what they share, as arrays: what compiled loops over tables take.

    The loops unpack it, so that each array is named once and not taken out of the record at every
    table: Numba counts the references to an array whenever it is handed on.
    """

    games: States
    """The games, shape (tables,)."""
    rules: RulesArray
    scales: ScalesArray
    rosters: Rosters
    """Who plays at each table, shape (tables,)."""
    bots: NDArray[np.void]
    """What the bots are, one record of `BOTS`."""


class Table(NamedTuple):
    """One table, as records.

    Records are pointers into arrays: a caller keeps these arrays until it has done with the table.
    """

    state: State
    rules: RulesRecord
    roster: Roster
    bots: Bots
    seen: Compact
    """Scratch, a record of `COMPACT`: what a bot sees."""


@called_from_python
def deal_tables(
    world: World,
    tables: NDArray[np.int64],
    num_players: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    holders: NDArray[np.int8],
) -> None:
    """Seat the holders and deal a new game at each of the given tables."""
    games, rules, _, rosters, _ = world
    for index in range(len(tables)):
        state, roster = games[tables[index]], rosters[tables[index]]
        for seat in range(MAX_PLAYERS):
            roster.holders[seat] = holders[index, seat]
        deal_table(state, rules[0], roster, num_players[index], seeds[index])


@compiled
def deal_table(
    state: State, rules: RulesRecord, roster: Roster, num_players: Whole, seed: Word
) -> None:
    """Deal a new game to the holders of the seats at one table."""
    roster.learners = 0
    roster.forfeited = NOBODY
    roster.seen_in_match = seats.seat_bit(num_players) - 1
    for seat in range(MAX_PLAYERS):
        roster.survivors[seat] = 0
    for seat in range(num_players):
        if roster.holders[seat] == LEARNER:
            roster.learners = np.int64(roster.learners) | seats.seat_bit(seat)
    step.new_game(state, rules, num_players, seed)


@called_from_python
def apply_actions(world: World, tables: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
    """Apply a legal action at each of the given tables, with the chance that follows."""
    games, rules, _, _, _ = world
    for index in range(len(tables)):
        step.step(games[tables[index]], rules[0], actions[index])


@called_from_python
def run_tables(world: World, tables: NDArray[np.int64], actions: NDArray[np.int64]) -> Whole:
    """Apply actions at the given tables, and then let compiled bots play as far as they can.

    Args:
        world: All tables, as a bare tuple.
        tables: Which tables go on, shape (k,).
        actions: A legal action, or `NO_ACTION`, for each of these, shape (k,).

    Returns:
        How many of them must go on: a bot is to be asked from Python, or they are `UNFINISHED`.
    """
    games, rules, _, rosters, bots = world
    seen, plays_left = np.empty(1, COMPACT), MOST_CALL_PLAYS
    waiting = 0
    for index in range(len(tables)):
        row = np.uint64(tables[index])
        table = Table(games[row], rules[0], rosters[row], bots[0], seen[0])
        plays_left = run_table(table, actions[index], plays_left)
        waiting += table.roster.status >= BOT_TO_ACT
    return waiting


@inlined
def run_table(table: Table, action: Whole, plays_left: Whole) -> Whole:
    """Apply an action, or `NO_ACTION`, at one table; let compiled bots play as far as they can.

    Returns:
        How many of the plays are left. When none is, the table is left `UNFINISHED` after the
        action; it goes on with `NO_ACTION` as if it had never stopped.
    """
    state, rules, roster, bots, seen = table
    while True:
        plays_left -= 1
        if action != NO_ACTION:
            step.step(state, rules, action)
        if state.in_match != roster.seen_in_match:
            note_leaving(state, roster)
        if is_done(state, roster):
            roster.status = DONE
            return plays_left
        holder = roster.holders[np.uint64(state.current_player)]
        if holder == LEARNER:
            roster.status = LEARNER_TO_ACT
            return plays_left
        kind = bots.kinds[np.uint64(holder)]
        if kind == NOT_COMPILED:
            roster.status = BOT_TO_ACT
            return plays_left
        if plays_left < 0:
            roster.status = UNFINISHED
            return plays_left
        roster.counter = generator.advance(roster.counter)
        random = generator.scramble(roster.counter)
        if needs_view(kind):
            seen.state = state
            hide(seen.state, state.current_player)
            action = choose(kind, seen.state, rules, random)
        else:
            action = choose_by_turn(kind, turn_of(state), rules, random)


@compiled
def note_leaving(state: State, roster: Roster) -> None:
    """Note for seats that have left the match how many are still in it."""
    left = np.int64(roster.seen_in_match) & ~np.int64(state.in_match)
    for seat in range(state.num_players):
        if left & seats.seat_bit(seat):
            roster.survivors[seat] = seats.count_seats(state.in_match)
    roster.seen_in_match = state.in_match


@inlined
def is_done(state: State, roster: Roster) -> bool:
    """Return whether the game is over, or no learner is left in a game that had one."""
    if state.phase != TO_ACT:
        return True
    learners = np.int64(roster.learners)
    return bool(learners != 0 and (learners & np.int64(state.in_match)) == 0)
