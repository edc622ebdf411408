"""The compiled part of `Episodes`: one call plays, settles and looks at every table."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.cards import MAX_PLAYERS, NUM_ACTIONS
from ono99_env.engine import batch, generator
from ono99_env.engine.compile import compiled, entry_point, inlined
from ono99_env.engine.state import TRUNCATED
from ono99_env.engine.types import (
    Bots,
    Compact,
    Counts,
    Episode,
    Mask,
    RulesArray,
    RulesRecord,
    Seating,
    Seatings,
    Setup,
    State,
    States,
    Vector,
    Whole,
    Word,
)
from ono99_env.features import MASK, OBSERVATION
from ono99_env.observing import COUNTS, fetch
from ono99_env.table_steps import (
    BOT_TO_ACT,
    DONE,
    LEARNER,
    NO_ACTION,
    deal_table,
    run_table,
)
from ono99_env.views import COMPACT, write_compactly, write_view

ANY_SEAT = -1
"""In place of the learner's seat: one is drawn for each game."""

MOST_COUNTS = 64
"""Player counts, repeated ones too, that games may be drawn from."""

MOST_DEALS = 10_000
"""Games that may end before the learner's first decision, one after the other at one table."""

FAILED = -1
"""What `start_episodes` returns if all of them did."""

EPISODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Counter of the random numbers that new games at this table are drawn with.
                ("counter", "u8"),
                # What the last step brought: 0 while the episode runs.
                ("reward", "f4"),
                ("learner_seat", "i2"),
                # The last step ended the episode: the learner is out, or the game is over.
                ("terminated", "?"),
                # The last step ended it: the game was cut short with the learner in it (R22).
                ("truncated", "?"),
            ],
            align=True,
        ),
    )
)
"""The learner's part in the game at a table. There are no gaps: saved bytes are equal if the fields
are."""

SETUP = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Player counts to draw from, the first `num_counts` of them.
                ("player_counts", "i8", (MOST_COUNTS,)),
                ("num_counts", "i8"),
                # The learner's seat, or `ANY_SEAT`.
                ("learner_seat", "i8"),
                # How many bots may hold the other seats.
                ("num_bots", "i8"),
            ],
            align=True,
        ),
    )
)
"""What new games are drawn from."""


@entry_point
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
        compact: The same as bytes of `ono99_env.views.COMPACT`, shape (tables, bytes), or
            (0, bytes).
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
        How many episodes ended, and at how many tables a bot must be asked from Python first, or
        `FAILED`.
    """
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    records = compact.view(COMPACT)
    view, counts, returns = np.empty(1, COMPACT), np.zeros(1, COUNTS), np.empty(MAX_PLAYERS)
    final_vectors, final_records = final_observation.view(OBSERVATION), final_compact.view(COMPACT)
    no_actions = np.zeros((1, NUM_ACTIONS), np.int8).view(MASK)
    ended, waiting = 0, 0
    for index in range(len(tables)):
        table, action = tables[index], actions[index]
        state, seating, episode = games[table], seatings[table], episodes[table]
        if len(observation) and index + 1 < len(tables):
            fetch(vectors[tables[index + 1], 0], state.num_players)
        if action != NO_ACTION:
            episode.reward, episode.terminated, episode.truncated = 0.0, False, False
        run_table(state, rules[0], seating, bots[0], action, view[0])
        if seating.status == BOT_TO_ACT:
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
            deal_to_learner(state, rules[0], seating, bots[0], setup[0], episode, view[0])
            if seating.status == DONE:
                return ended, FAILED
        seat = np.int64(episode.learner_seat)
        if len(compact):
            write_compactly(state, seat, records[table, 0], masks[table, 0])
        else:
            vector, mask = vectors[table, 0], masks[table, 0]
            write_fully(state, rules[0], seat, view[0], counts[0], vector, mask)
    return ended, waiting


@entry_point
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
        At how many tables a bot must be asked from Python first, or `FAILED`.
    """
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    records = compact.view(COMPACT)
    view, counts = np.empty(1, COMPACT), np.zeros(1, COUNTS)
    waiting = 0
    for index in range(len(tables)):
        table = tables[index]
        state, seating, episode = games[table], seatings[table], episodes[table]
        if is_dealt:
            run_table(state, rules[0], seating, bots[0], NO_ACTION, view[0])
        else:
            seating.status = DONE
        if seating.status == DONE:
            deal_to_learner(state, rules[0], seating, bots[0], setup[0], episode, view[0])
        if seating.status == DONE:
            return FAILED
        if seating.status == BOT_TO_ACT:
            waiting += 1
            continue
        seat = np.int64(episode.learner_seat)
        if len(compact):
            write_compactly(state, seat, records[table, 0], masks[table, 0])
        else:
            vector, mask = vectors[table, 0], masks[table, 0]
            write_fully(state, rules[0], seat, view[0], counts[0], vector, mask)
    return waiting


@entry_point
def look_at_episodes(
    games: States,
    rules: RulesArray,
    episodes: NDArray[np.void],
    tables: NDArray[np.int64],
    rows: NDArray[np.int64],
    observation: NDArray[np.float32],
    compact: NDArray[np.uint8],
    action_mask: NDArray[np.int8],
) -> None:
    """Write what the learner sees at some tables; compare `step_episodes`.

    Args:
        games: All tables, shape (tables,).
        rules: The rules of all games.
        episodes: The learner's part, shape (tables,).
        tables: Which tables, shape (k,).
        rows: Where to write what, shape (k,).
        observation: Zeros or earlier observations, shape (rows, features), or (0, features).
        compact: The same as bytes of `ono99_env.views.COMPACT`, shape (rows, bytes) or (0, bytes).
        action_mask: Shape (rows, 17).
    """
    vectors, masks = observation.view(OBSERVATION), action_mask.view(MASK)
    records = compact.view(COMPACT)
    view, counts = np.empty(1, COMPACT), np.zeros(1, COUNTS)
    for index in range(len(tables)):
        table, row = tables[index], rows[index]
        seat = np.int64(episodes[table].learner_seat)
        if len(compact):
            write_compactly(games[table], seat, records[row, 0], masks[row, 0])
        else:
            vector, mask = vectors[row, 0], masks[row, 0]
            write_fully(games[table], rules[0], seat, view[0], counts[0], vector, mask)


@inlined
def write_fully(
    state: State,
    rules: RulesRecord,
    observer: Whole,
    view: Compact,
    counts: Counts,
    vector: Vector,
    mask: Mask,
) -> None:
    """Write the vector of what the observer may know of a game, and the mask."""
    view.state = state
    write_view(view.state, rules, observer, counts, vector, mask)


@compiled
def deal_to_learner(
    state: State,
    rules: RulesRecord,
    seating: Seating,
    bots: Bots,
    setup: Setup,
    episode: Episode,
    view: Compact,
) -> None:
    """Deal a new game and play up to the learner's decision, or a bot that must be asked.

    A game can end before the learner's first decision: there is nothing to learn from it, and
    another is dealt. If very many do, the table is left done.
    """
    for _ in range(MOST_DEALS):
        deal_episode(state, rules, seating, setup, episode)
        run_table(state, rules, seating, bots, NO_ACTION, view)
        if seating.status != DONE:
            return


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


@compiled
def settle(state: State, episode: Episode, returns: NDArray[np.float64]) -> None:
    """Note what an episode that has ended brought."""
    seat = np.int64(episode.learner_seat)
    batch.write_returns(state, returns)
    episode.reward = returns[seat]
    is_in = (np.int64(state.in_match) >> seat) & 1
    episode.truncated = state.phase == TRUNCATED and is_in != 0
    episode.terminated = not episode.truncated


@entry_point
def find_offenders(
    action_mask: NDArray[np.int8], actions: NDArray[np.int64], offenders: NDArray[np.int64]
) -> int:
    """List the tables whose action is not legal.

    Args:
        action_mask: What is legal, shape (tables, 17).
        actions: What was chosen, shape (tables,); any integers.
        offenders: Filled from the front, shape (tables,).

    Returns:
        How many there are.
    """
    count = 0
    for table in range(len(actions)):
        action = actions[table]
        if action < 0 or action >= action_mask.shape[1] or action_mask[table, action] == 0:
            offenders[count] = table
            count += 1
    return count
