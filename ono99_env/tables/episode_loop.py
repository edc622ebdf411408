"""The compiled part of `Episodes`: one call deals, plays, and writes what the learner sees."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import generator, legal
from ono99_env.jit.compile import called_from_python, compiled, inlined
from ono99_env.jit.types import Episode, NewGames, Whole, Word
from ono99_env.observation.counts import UNSCALED
from ono99_env.observation.feature_vector import fetch
from ono99_env.observation.layout import MASK
from ono99_env.observation.look import (
    COMPACT,
    Look,
    new_writer,
    rows_of,
    write_look,
    write_observation,
)
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.tables.episode_outcome import write_outcome
from ono99_env.tables.opponents import ANY_SEAT
from ono99_env.tables.table_loop import (
    BOT_TO_ACT,
    DONE,
    LEARNER,
    LEARNER_TO_ACT,
    MOST_CALL_PLAYS,
    MOST_DEALS,
    NO_ACTION,
    REFUSED,
    Table,
    World,
    deal_table,
    run_table,
)

NEVER_LASTS = -1
"""In place of the number of waiting tables: `MOST_DEALS` games in a row ended before the learner's
first decision at a table, and the call stopped."""


class Learners(NamedTuple):
    """The learner's part at all tables, and where to write what it sees."""

    episodes: NDArray[np.void]
    """Records of `EPISODE`, shape (tables,)."""
    new_games: NDArray[np.void]
    """One record of `NEW_GAMES`."""
    look: Look
    """A row for each table, as a bare tuple."""


class Stepped(NamedTuple):
    """What `step_episodes` did. It returns a bare tuple: Numba takes a named one in Python."""

    num_ended: int
    """How many episodes ended."""
    num_waiting: int
    """How many tables must go on first, or `NEVER_LASTS`: a bot is to be asked from Python, or they
    are `UNFINISHED`, perhaps in a game that was dealt anew."""


@called_from_python
def step_episodes(
    world: World,
    learners: Learners,
    final_look: Look,
    deals_anew: bool,
    tables: NDArray[np.int64],
    actions: NDArray[np.int64],
    ended: NDArray[np.int64],
) -> tuple[int, int]:
    """Play at the given tables up to the learner's next decision, and write what it sees.

    Args:
        world: All tables, as a bare tuple.
        learners: The learner's part, as a bare tuple: reward and ends are written.
        final_look: Filled from the front, if dealt anew, with what the learner saw last where an
            episode ended, k rows.
        deals_anew: Whether to deal anew where an episode ends, and to look at the new game. If not,
            nothing is written of what the learner sees there.
        tables: Which tables go on, shape (k,).
        actions: A legal action of the learner, or `NO_ACTION`, for each of these, shape (k,).
        ended: Filled from the front with the tables whose episode ended, shape (k,).

    Returns:
        The fields of `Stepped`.
    """
    games, rules, scales, rosters, bots = world
    episodes, new_games, look = learners
    writer, returns = new_writer(rules, scales), np.empty(MAX_PLAYERS)
    rows, final_rows = rows_of(look, scales), rows_of(final_look, scales)
    vectors, redacted = rows.vectors, writer.redacted  # named once, see `World`
    num_ended, num_waiting, plays_left = 0, 0, MOST_CALL_PLAYS
    for index in range(len(tables)):
        row = np.uint64(tables[index])
        state, roster, episode = games[row], rosters[row], episodes[row]
        table = Table(state, rules[0], roster, bots[0], redacted[0])
        if len(vectors) and index + 1 < len(tables):
            fetch(vectors[np.uint64(tables[index + 1]), 0], state.num_players)
        plays_left = play_on(table, episode, actions[index], plays_left)
        if roster.status == DONE:
            write_outcome(state, roster, episode, returns)
            ended[num_ended] = row
            num_ended += 1
            if not deals_anew:
                continue
            write_look(writer, final_rows, num_ended - 1, state, np.int64(episode.learner_seat))
            plays_left = deal_to_learner(table, episode, new_games[0], plays_left)
            if roster.status == DONE:
                return num_ended, NEVER_LASTS
        if roster.status >= BOT_TO_ACT:
            num_waiting += 1
        else:
            write_look(writer, rows, row, state, np.int64(episode.learner_seat))
    return num_ended, num_waiting


@called_from_python
def start_episodes(
    world: World, learners: Learners, is_dealt: bool, tables: NDArray[np.int64]
) -> int:
    """Deal new games at the given tables, play up to the learner's decision, and look at it.

    Args:
        world: All tables, as a bare tuple.
        learners: The learner's part, as a bare tuple.
        is_dealt: Whether to go on with games that are dealt already: bots have been asked.
        tables: At which tables, shape (k,).

    Returns:
        How many tables must go on first, or `NEVER_LASTS`; see `Stepped`.
    """
    games, rules, scales, rosters, bots = world
    episodes, new_games, look = learners
    writer, rows = new_writer(rules, scales), rows_of(look, scales)
    num_waiting, plays_left = 0, MOST_CALL_PLAYS
    for index in range(len(tables)):
        row = np.uint64(tables[index])
        state, roster, episode = games[row], rosters[row], episodes[row]
        table = Table(state, rules[0], roster, bots[0], writer.redacted[0])
        if is_dealt:
            plays_left = run_table(table, NO_ACTION, plays_left)
        else:
            roster.status = DONE
        if roster.status == DONE:
            plays_left = deal_to_learner(table, episode, new_games[0], plays_left)
        if roster.status == DONE:
            return NEVER_LASTS
        if roster.status >= BOT_TO_ACT:
            num_waiting += 1
        else:
            write_look(writer, rows, row, state, np.int64(episode.learner_seat))
    return num_waiting


@called_from_python
def step_episode(
    world: World,
    episodes: NDArray[np.void],
    observation: NDArray[np.float32],
    action_mask: NDArray[np.int8],
    action: int,
) -> int:
    """Do as `step_episodes` at a single table, and write what the learner sees in any case.

    It takes fewer arrays: with one table their number is what a call costs.

    Returns:
        What the table waits for, or `REFUSED`.
    """
    games, rules, scales, rosters, bots = world
    redacted, unscaled = np.empty(1, COMPACT), np.zeros(1, UNSCALED)
    state, roster, episode = games[0], rosters[0], episodes[0]
    is_due = action != NO_ACTION and roster.status == LEARNER_TO_ACT
    if not is_due or not legal.is_legal(state, action):
        return REFUSED
    play_on(Table(state, rules[0], roster, bots[0], redacted[0]), episode, action, MOST_CALL_PLAYS)
    if roster.status == DONE:
        write_outcome(state, roster, episode, np.empty(MAX_PLAYERS))
    write_observation(
        state,
        rules[0],
        scales[0],
        np.int64(episode.learner_seat),
        redacted[0],
        unscaled[0],
        observation,
        action_mask.view(MASK)[0, 0],
    )
    return int(roster.status)


@inlined
def play_on(table: Table, episode: Episode, action: Whole, plays_left: Whole) -> Whole:
    """Start the record of a step if there is an action, and run the table; see `run_table`."""
    if action != NO_ACTION:
        episode.reward, episode.terminated, episode.truncated = 0.0, False, False
        episode.length += 1
    return run_table(table, action, plays_left)


@compiled
def deal_to_learner(
    table: Table, episode: Episode, new_games: NewGames, plays_left: Whole
) -> Whole:
    """Deal a new game and play up to the learner's decision, or a bot that must be asked.

    A game can end before the learner's first decision: there is nothing to learn from it, and
    another is dealt. If `MOST_DEALS` games do, the table is left `DONE`.

    Returns:
        How many of the plays are left; see `run_table`.
    """
    for _ in range(MOST_DEALS):
        deal_episode(table, episode, new_games)
        plays_left = run_table(table, NO_ACTION, plays_left)
        if table.roster.status != DONE:
            return plays_left
    return plays_left


@compiled
def deal_episode(table: Table, episode: Episode, new_games: NewGames) -> None:
    """Draw seed, player count, the learner's seat and the holders of the others; deal a game.

    Every table has a generator of its own, so that its games do not depend on the other tables.
    """
    roster = table.roster
    seed = next_episode_random(episode)
    count = generator.below(next_episode_random(episode), new_games.num_counts)
    num_players = new_games.player_counts[count]
    drawn = generator.below(next_episode_random(episode), num_players)
    episode.length = 0
    is_drawn = new_games.learner_seat == ANY_SEAT
    episode.learner_seat = drawn if is_drawn else new_games.learner_seat
    for other in range(MAX_PLAYERS):
        roster.holders[other] = generator.below(next_episode_random(episode), new_games.num_bots)
    roster.holders[episode.learner_seat] = LEARNER
    deal_table(table.state, table.rules, roster, num_players, seed)


@inlined
def next_episode_random(episode: Episode) -> Word:
    """Take one random word from the generator of a table's episodes."""
    episode.counter = generator.advance(episode.counter)
    return generator.scramble(episode.counter)
