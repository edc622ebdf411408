"""The compiled part of `Episodes` that deals: new games, up to the learner's first decision."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import generator
from ono99_env.jit.compile import called_from_python, compiled, inlined
from ono99_env.jit.types import (
    Bots,
    Compact,
    Episode,
    RulesArray,
    RulesRecord,
    Seating,
    Seatings,
    Setup,
    State,
    States,
    Whole,
    Word,
)
from ono99_env.observation.counts import COUNTS
from ono99_env.observation.layout import MASK, OBSERVATION
from ono99_env.observation.views import COMPACT, write_compactly
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.tables.episode_records import ANY_SEAT
from ono99_env.tables.looking import write_fully
from ono99_env.tables.table_loop import (
    BOT_TO_ACT,
    DONE,
    LEARNER,
    MOST_PLAYS,
    NO_ACTION,
    deal_table,
    run_table,
)

MOST_DEALS = 10_000
"""Games that may end before the learner's first decision, one after the other at one table."""

FAILED = -1
"""What `start_episodes` returns if all of them did."""


@called_from_python
def start_episodes(
    games: States,
    rules: RulesArray,
    seatings: Seatings,
    bots: NDArray[np.void],
    setup: NDArray[np.void],
    episodes: NDArray[np.void],
    observation: NDArray[np.float32],
    compact: NDArray[np.uint8],
    action_mask: NDArray[np.int8],
    is_dealt: bool,
    tables: NDArray[np.int64],
) -> int:
    """Deal new games at the given tables, play up to the learner's decision, and look at it.

    Args:
        games: All tables, shape (tables,).
        rules: The rules of all games.
        seatings: Who plays at each, shape (tables,).
        bots: What the bots are, one record of `BOTS`.
        setup: What new games are drawn from, one record of `SETUP`.
        episodes: The learner's part, shape (tables,).
        observation: Written as by `step_episodes`.
        compact: Likewise.
        action_mask: Likewise.
        is_dealt: Whether to go on with games that are dealt already: bots have been asked.
        tables: At which tables, shape (k,).

    Returns:
        How many tables must go on first, as a bot is to be asked from Python or they are
        `UNFINISHED`, or `FAILED`.
    """
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    records = compact.view(COMPACT)
    view, counts = np.empty(1, COMPACT), np.zeros(1, COUNTS)
    waiting, plays_left = 0, MOST_PLAYS
    for index in range(len(tables)):
        table = np.uint64(tables[index])
        state, seating, episode = games[table], seatings[table], episodes[table]
        if is_dealt:
            plays_left = run_table(
                state, rules[0], seating, bots[0], NO_ACTION, view[0], plays_left
            )
        else:
            seating.status = DONE
        if seating.status == DONE:
            plays_left = deal_to_learner(
                *(state, rules[0], seating, bots[0], setup[0], episode, view[0], plays_left)
            )
        if seating.status == DONE:
            return FAILED
        if seating.status >= BOT_TO_ACT:
            waiting += 1
            continue
        seat = np.int64(episode.learner_seat)
        if len(compact):
            write_compactly(state, seat, records[table, 0], masks[table, 0])
        else:
            vector, mask = vectors[table, 0], masks[table, 0]
            write_fully(state, rules[0], seat, view[0], counts[0], vector, mask)
    return waiting


@compiled
def deal_to_learner(
    state: State,
    rules: RulesRecord,
    seating: Seating,
    bots: Bots,
    setup: Setup,
    episode: Episode,
    view: Compact,
    plays_left: Whole,
) -> Whole:
    """Deal a new game and play up to the learner's decision, or a bot that must be asked.

    A game can end before the learner's first decision: there is nothing to learn from it, and
    another is dealt. If very many do, the table is left done.

    Returns:
        How many of the plays are left; see `run_table`.
    """
    for _ in range(MOST_DEALS):
        deal_episode(state, rules, seating, setup, episode)
        plays_left = run_table(state, rules, seating, bots, NO_ACTION, view, plays_left)
        if seating.status != DONE:
            return plays_left
    return plays_left


@compiled
def deal_episode(
    state: State, rules: RulesRecord, seating: Seating, setup: Setup, episode: Episode
) -> None:
    """Draw seed, player count, the learner's seat and the holders of the others; deal a game.

    Every table has a generator of its own, so that its games do not depend on the other tables.
    """
    seed = next_random(episode)
    num_players = setup.player_counts[generator.below(next_random(episode), setup.num_counts)]
    drawn = generator.below(next_random(episode), num_players)
    episode.learner_seat = drawn if setup.learner_seat == ANY_SEAT else setup.learner_seat
    for other in range(MAX_PLAYERS):
        seating.holders[other] = generator.below(next_random(episode), setup.num_bots)
    seating.holders[episode.learner_seat] = LEARNER
    deal_table(state, rules, seating, num_players, seed)


@inlined
def next_random(episode: Episode) -> Word:
    """Take one random word from the generator of a table's episodes."""
    episode.counter = generator.advance(episode.counter)
    return generator.scramble(episode.counter)
