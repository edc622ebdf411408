"""The compiled part of `Tables`: games that run on without returning to Python."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.compiled import choose, choose_by_turn, needs_view
from ono99_env.bots.turn import turn_of
from ono99_env.engine import chance, generator, matches, seats
from ono99_env.engine.compile import compiled, entry_point
from ono99_env.engine.state import TO_ACT
from ono99_env.engine.types import RulesArray, State, States, Whole
from ono99_env.views import hide

LEARNER = -1
"""Holder of a seat whose actions come from the caller."""

DONE = 0
"""Status: the game is over, or no learner is left in a game that had one."""
LEARNER_TO_ACT = 1
"""Status: the current player's seat is held by the learner."""
BOT_TO_ACT = 2
"""Status: the current player's seat is held by a bot that must be asked from Python."""

NOT_COMPILED = -1
"""In place of the kind of a compiled bot: a bot that must be asked from Python."""


@entry_point
def deal_tables(
    games: States,
    rules: RulesArray,
    holders: NDArray[np.int8],
    learners: NDArray[np.int16],
    tables: NDArray[np.int64],
    num_players: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    new_holders: NDArray[np.int8],
) -> None:
    """Seat the holders and deal a new game at each of the given tables."""
    for index in range(len(tables)):
        table = tables[index]
        holders[table] = new_holders[index]
        learners[table] = 0
        for seat in range(num_players[index]):
            if holders[table, seat] == LEARNER:
                learners[table] |= 1 << seat
        chance.new_game(games[table], rules[0], num_players[index], seeds[index])


@entry_point
def apply_actions(
    games: States, rules: RulesArray, tables: NDArray[np.int64], actions: NDArray[np.int64]
) -> None:
    """Apply a legal action at each of the given tables, with the chance that follows."""
    for index in range(len(tables)):
        chance.step(games[tables[index]], rules[0], actions[index])


@entry_point
def run_tables(
    games: States,
    rules: RulesArray,
    holders: NDArray[np.int8],
    learners: NDArray[np.int16],
    kinds: NDArray[np.int64],
    counters: NDArray[np.uint64],
    scratch: States,
    tables: NDArray[np.int64],
    status: NDArray[np.int8],
    in_match: NDArray[np.int16],
    survivors: NDArray[np.int8],
) -> Whole:
    """Let the compiled bots play at the given tables, as far as they can.

    Returns:
        At how many of the tables another bot is to act.
    """
    waiting = 0
    for table in tables:
        holding = holders[table]
        state = games[table]
        while True:
            status[table] = waits_for(state, holding, learners[table])
            if state.in_match != in_match[table]:
                note_leaving(state, in_match, survivors, table)
            if status[table] != BOT_TO_ACT:
                break
            kind = kinds[holding[state.current_player]]
            if kind == NOT_COMPILED:
                waiting += 1
                break
            counters[table] = generator.advance(counters[table])
            random = generator.scramble(counters[table])
            if needs_view(kind):
                scratch[0] = state
                hide(scratch[0], state.current_player)
                action = choose(kind, scratch[0], rules[0], random)
            else:
                action = choose_by_turn(kind, turn_of(state), rules[0], random)
            chance.step(state, rules[0], action)
    return waiting


@compiled
def note_leaving(
    state: State, in_match: NDArray[np.int16], survivors: NDArray[np.int8], table: Whole
) -> None:
    """Note for seats that have left the match how many are still in it."""
    left = np.int64(in_match[table]) & ~np.int64(state.in_match)
    for seat in range(state.num_players):
        if left & seats.seat_bit(seat):
            survivors[table, seat] = matches.count_seats(state.in_match)
    in_match[table] = state.in_match


@compiled
def waits_for(state: State, holders: NDArray[np.int8], learners: Whole) -> Whole:
    """The status of a table; `learners` is the set of seats held by the learner."""
    if state.phase != TO_ACT or (learners != 0 and (learners & np.int64(state.in_match)) == 0):
        return DONE
    return LEARNER_TO_ACT if holders[state.current_player] == LEARNER else BOT_TO_ACT
