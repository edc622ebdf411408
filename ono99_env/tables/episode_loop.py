"""The compiled part of `Episodes`: one call plays, settles and looks at every table."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import batch, legal
from ono99_env.engine.records import TRUNCATED
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import Episode, RulesArray, Seatings, State, States
from ono99_env.observation.counts import COUNTS
from ono99_env.observation.feature_vector import fetch
from ono99_env.observation.layout import MASK, OBSERVATION
from ono99_env.observation.views import COMPACT, write_compactly
from ono99_env.rules.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.tables.episode_dealing import FAILED, deal_to_learner
from ono99_env.tables.looking import write_fully
from ono99_env.tables.table_loop import (
    BOT_TO_ACT,
    DONE,
    LEARNER_TO_ACT,
    MOST_PLAYS,
    NO_ACTION,
    UNFINISHED,
    run_table,
)

ILLEGAL = -2
"""What `step_episode` returns when the action is not legal; nothing has changed then."""


@called_from_python
def step_episodes(
    games: States,
    rules: RulesArray,
    seatings: Seatings,
    bots: NDArray[np.void],
    setup: NDArray[np.void],
    episodes: NDArray[np.void],
    observation: NDArray[np.float32],
    compact: NDArray[np.uint8],
    action_mask: NDArray[np.int8],
    deals_anew: bool,
    tables: NDArray[np.int64],
    actions: NDArray[np.int64],
    done: NDArray[np.int64],
    final_observation: NDArray[np.float32],
    final_compact: NDArray[np.uint8],
) -> tuple[int, int]:
    """Play at the given tables up to the learner's next decision, and look at it.

    Args:
        games: All tables, shape (tables,).
        rules: The rules of all games.
        seatings: Who plays at each, shape (tables,).
        bots: What the bots are, one record of `BOTS`.
        setup: What new games are drawn from, one record of `SETUP`.
        episodes: The learner's part, shape (tables,): reward and ends are written.
        observation: Zeros or earlier observations, shape (tables, features), or (0, features).
        compact: The same as bytes of `ono99_env.observation.views.COMPACT`, shape (tables, bytes),
            or (0, bytes).
        action_mask: Shape (tables, 17).
        deals_anew: Whether to deal anew where an episode ends, and to look at the new game. If not,
            nothing is written of what the learner sees there.
        tables: Which tables go on, shape (k,).
        actions: A legal action of the learner, or `NO_ACTION`, for each of these, shape (k,).
        done: Filled from the front with the tables whose episode ended, shape (k,).
        final_observation: Filled, if dealt anew, with what the learner saw last there: like
            `observation`, shape (k, features) or (0, features).
        final_compact: Likewise, shape (k, bytes) or (0, bytes).

    Returns:
        How many episodes ended, and how many tables must go on first: a bot is to be asked from
        Python, or they are `UNFINISHED`, be it in the game that was dealt anew. Or `FAILED`.
    """
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    records = compact.view(COMPACT)
    view, counts, returns = np.empty(1, COMPACT), np.zeros(1, COUNTS), np.empty(MAX_PLAYERS)
    final_vectors, final_records = final_observation.view(OBSERVATION), final_compact.view(COMPACT)
    no_actions = np.zeros((1, NUM_ACTIONS), np.int8).view(MASK)
    ended, waiting, plays_left = 0, 0, MOST_PLAYS
    for index in range(len(tables)):
        table, action = np.uint64(tables[index]), actions[index]
        state, seating, episode = games[table], seatings[table], episodes[table]
        if len(observation) and index + 1 < len(tables):
            fetch(vectors[np.uint64(tables[index + 1]), 0], state.num_players)
        if action != NO_ACTION:
            episode.reward, episode.terminated, episode.truncated = 0.0, False, False
        plays_left = run_table(state, rules[0], seating, bots[0], action, view[0], plays_left)
        if seating.status >= BOT_TO_ACT:
            waiting += 1
            continue
        if seating.status == DONE:
            settle(state, episode, returns)
            done[ended] = table
            ended += 1
            if not deals_anew:
                continue
            seat = np.int64(episode.learner_seat)
            if len(compact):
                write_compactly(state, seat, final_records[ended - 1, 0], no_actions[0, 0])
            else:
                vector, mask = final_vectors[ended - 1, 0], no_actions[0, 0]
                write_fully(state, rules[0], seat, view[0], counts[0], vector, mask)
            plays_left = deal_to_learner(
                *(state, rules[0], seating, bots[0], setup[0], episode, view[0], plays_left)
            )
            if seating.status == DONE:
                return ended, FAILED
            if seating.status == UNFINISHED:
                waiting += 1
                continue
        seat = np.int64(episode.learner_seat)
        if len(compact):
            write_compactly(state, seat, records[table, 0], masks[table, 0])
        else:
            vector, mask = vectors[table, 0], masks[table, 0]
            write_fully(state, rules[0], seat, view[0], counts[0], vector, mask)
    return ended, waiting


@called_from_python
def step_episode(
    games: States,
    rules: RulesArray,
    seatings: Seatings,
    bots: NDArray[np.void],
    episodes: NDArray[np.void],
    observation: NDArray[np.float32],
    action_mask: NDArray[np.int8],
    action: int,
) -> int:
    """Do as `step_episodes` at a single table, and look at it in any case.

    It has a fraction of the arrays: with one table their number is what a call costs.

    Returns:
        What the table waits for, or `ILLEGAL`.
    """
    state, seating, episode = games[0], seatings[0], episodes[0]
    is_due = action != NO_ACTION and seating.status == LEARNER_TO_ACT
    if not is_due or not legal.is_legal(state, action):
        return ILLEGAL
    view, counts = np.empty(1, COMPACT), np.zeros(1, COUNTS)
    episode.reward, episode.terminated, episode.truncated = 0.0, False, False
    run_table(state, rules[0], seating, bots[0], action, view[0], MOST_PLAYS)
    if seating.status == DONE:
        settle(state, episode, np.empty(MAX_PLAYERS))
    vector, mask = observation.view(OBSERVATION)[0, 0], action_mask.view(MASK)[0, 0]
    seat = np.int64(episode.learner_seat)
    write_fully(state, rules[0], seat, view[0], counts[0], vector, mask)
    return int(seating.status)


@compiled
def settle(state: State, episode: Episode, returns: NDArray[np.float64]) -> None:
    """Note what an episode that has ended brought."""
    seat = np.int64(episode.learner_seat)
    batch.write_returns(state, returns)
    episode.reward = returns[seat]
    is_in = (np.int64(state.in_match) >> seat) & 1
    episode.truncated = state.phase == TRUNCATED and is_in != 0
    episode.terminated = not episode.truncated
