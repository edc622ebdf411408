"""The compiled part of `Tables`: games that run on without returning to Python."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.scripted.compiled import choose, choose_by_turn, needs_view
from ono99_env.bots.scripted.situation import turn_of
from ono99_env.engine import generator, match, seats, step, words
from ono99_env.engine.records import NOBODY, TO_ACT
from ono99_env.jit.compile import called_from_python, compiled, inlined
from ono99_env.jit.types import (
    Bots,
    Compact,
    RulesArray,
    RulesRecord,
    Seating,
    Seatings,
    State,
    States,
    Whole,
    Word,
)
from ono99_env.observation.views import COMPACT, hide
from ono99_env.rules.cards import MAX_PLAYERS

LEARNER = -1
"""Holder of a seat whose actions come from the caller."""

NO_ACTION = -1
"""In place of an action: nothing is played, the table only goes on."""

DONE = 0
"""Status: the game is over, or no learner is left in a game that had one."""
LEARNER_TO_ACT = 1
"""Status: the current player's seat is held by the learner."""
BOT_TO_ACT = 2
"""Status: the current player's seat is held by a bot that must be asked from Python."""

UNFINISHED = 3
"""Status: compiled bots are to play on, but this call has made its `MOST_PLAYS`."""

MOST_PLAYS = 200_000
"""Plays of a compiled call after which it returns to Python, so that Ctrl-C is heard: some 20 ms.

Only tables whose games are long, or very many of them, come so far: then the call is made again.
"""

NOT_COMPILED = -1
"""In place of the kind of a compiled bot: a bot that must be asked from Python."""

SEATING = np.dtype(
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
                ("in_match", "i2"),
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

A record, since Numba counts the references to an array wherever it is handed on, with instructions
that cost as much as a decision.
"""


@called_from_python
def deal_tables(
    games: States,
    rules: RulesArray,
    seatings: Seatings,
    tables: NDArray[np.int64],
    num_players: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    holders: NDArray[np.int8],
) -> None:
    """Seat the holders and deal a new game at each of the given tables."""
    for index in range(len(tables)):
        seating = seatings[tables[index]]
        for seat in range(MAX_PLAYERS):
            seating.holders[seat] = holders[index, seat]
        deal_table(games[tables[index]], rules[0], seating, num_players[index], seeds[index])


@compiled
def deal_table(
    state: State, rules: RulesRecord, seating: Seating, num_players: Whole, seed: Word
) -> None:
    """Deal a new game to the holders of the seats at one table."""
    seating.learners = 0
    seating.forfeited = NOBODY
    seating.in_match = seats.seat_bit(num_players) - 1
    for seat in range(MAX_PLAYERS):
        seating.survivors[seat] = 0
    for seat in range(num_players):
        if seating.holders[seat] == LEARNER:
            seating.learners = np.int64(seating.learners) | seats.seat_bit(seat)
    step.new_game(state, rules, num_players, seed)


@called_from_python
def apply_actions(
    games: States, rules: RulesArray, tables: NDArray[np.int64], actions: NDArray[np.int64]
) -> None:
    """Apply a legal action at each of the given tables, with the chance that follows."""
    for index in range(len(tables)):
        step.step(games[tables[index]], rules[0], actions[index])


@called_from_python
def run_tables(
    games: States,
    rules: RulesArray,
    seatings: Seatings,
    bots: NDArray[np.void],
    tables: NDArray[np.int64],
    actions: NDArray[np.int64],
) -> Whole:
    """Apply actions at the given tables, and then let compiled bots play as far as they can.

    Args:
        games: All tables, shape (tables,).
        rules: The rules of all games.
        seatings: Who plays at each, shape (tables,).
        bots: What the bots are, one record of `BOTS`.
        tables: Which tables go on, shape (k,).
        actions: A legal action, or `NO_ACTION`, for each of these, shape (k,).

    Returns:
        How many of the tables must go on: a bot is to be asked from Python, or `UNFINISHED`.
    """
    view, plays_left = np.empty(1, COMPACT), MOST_PLAYS
    waiting = 0
    for index in range(len(tables)):
        table = np.uint64(tables[index])
        state, seating = games[table], seatings[table]
        plays_left = run_table(
            state, rules[0], seating, bots[0], actions[index], view[0], plays_left
        )
        waiting += seating.status >= BOT_TO_ACT
    return waiting


@inlined
def run_table(
    state: State,
    rules: RulesRecord,
    seating: Seating,
    bots: Bots,
    action: Whole,
    view: Compact,
    plays_left: Whole,
) -> Whole:
    """Apply an action, or `NO_ACTION`, at one table; let compiled bots play as far as they can.

    What a bot sees is written to `view`.

    Returns:
        How many of the plays are left. When none is, the table is left `UNFINISHED` after the
        action; it goes on with `NO_ACTION` as if it had never stopped.
    """
    while True:
        plays_left -= 1
        if action != NO_ACTION:
            step.step(state, rules, action)
        if state.in_match != seating.in_match:
            note_leaving(state, seating)
        if is_done(state, seating):
            seating.status = DONE
            return plays_left
        holder = seating.holders[words.index(state.current_player)]
        if holder == LEARNER:
            seating.status = LEARNER_TO_ACT
            return plays_left
        kind = bots.kinds[words.index(holder)]
        if kind == NOT_COMPILED:
            seating.status = BOT_TO_ACT
            return plays_left
        if plays_left < 0:
            seating.status = UNFINISHED
            return plays_left
        seating.counter = generator.advance(seating.counter)
        random = generator.scramble(seating.counter)
        if needs_view(kind):
            view.state = state
            hide(view.state, state.current_player)
            action = choose(kind, view.state, rules, random)
        else:
            action = choose_by_turn(kind, turn_of(state), rules, random)


@compiled
def note_leaving(state: State, seating: Seating) -> None:
    """Note for seats that have left the match how many are still in it."""
    left = np.int64(seating.in_match) & ~np.int64(state.in_match)
    for seat in range(state.num_players):
        if left & seats.seat_bit(seat):
            seating.survivors[seat] = match.count_seats(state.in_match)
    seating.in_match = state.in_match


@inlined
def is_done(state: State, seating: Seating) -> bool:
    """Whether the game is over, or no learner is left in a game that had one."""
    if state.phase != TO_ACT:
        return True
    learners = np.int64(seating.learners)
    return bool(learners != 0 and (learners & np.int64(state.in_match)) == 0)
