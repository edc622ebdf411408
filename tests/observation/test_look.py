"""Looks: what a seat sees, written to rows of the caller's arrays."""

import numpy as np
import pytest

from ono99_env import Rules
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.jit.bare_tuples import bare
from ono99_env.jit.types import States
from ono99_env.observation import COMPACT, OBSERVATION_SIZE, Views
from ono99_env.observation.look import Batch, look_alone, look_at, look_at_games
from ono99_env.observation.scales import scales_array
from ono99_env.rules.cards import NUM_ACTIONS

RULES = Rules.preset("1980", num_players=8)
TABLES = 40


def played_games(decisions: int, players: tuple[int, ...] = (2, 3, 5, 8)) -> States:
    """Games of several numbers of players after some random decisions."""
    games, array = np.zeros(TABLES, STATE), rules_array(RULES)
    counts = np.resize(np.array(players), TABLES)
    batch.deal_games(games, array, counts, np.arange(TABLES, dtype=np.uint64))
    rng = np.random.default_rng(decisions)
    for _ in range(decisions):
        masks = np.zeros((TABLES, NUM_ACTIONS), np.int8)
        batch.fill_action_masks(games, masks)
        going = np.flatnonzero(masks.any(axis=1))
        moving = games[going]
        actions = (rng.random((len(going), NUM_ACTIONS)) * masks[going]).argmax(axis=1)
        batch.step_games(moving, array, actions)
        games[going] = moving
    return games


def batch_of(games: States) -> Batch:
    return bare(Batch(games, rules_array(RULES), scales_array(RULES)))


def empty(rows: int, compact: bool) -> tuple[np.ndarray, np.ndarray]:
    size, kind = (COMPACT.itemsize, np.uint8) if compact else (OBSERVATION_SIZE, np.float32)
    return np.zeros((rows, size), kind), np.zeros((rows, NUM_ACTIONS), np.int8)


@pytest.mark.parametrize("compact", [False, True])
def test_a_look_shows_what_views_show_and_leaves_other_rows_alone(compact: bool) -> None:
    games = played_games(12)
    observers = np.arange(TABLES) % games["num_players"]
    tables, rows = np.array([3, 0, 17]), np.array([5, 2, 0])
    observation, masks = empty(6, compact)
    look = look_at(observation, masks)
    look_at_games(batch_of(games), observers, look, tables, rows)
    views = Views.of(RULES, games[tables], observers[tables])
    shown = Views.of_compact(RULES, observation[rows]) if compact else None
    vectors = observation[rows] if shown is None else shown.observation
    assert np.array_equal(vectors, views.observation)
    assert np.array_equal(masks[rows].astype(bool), views.action_mask)
    assert not observation[[1, 3, 4]].any()
    assert not masks[[1, 3, 4]].any()


def test_a_vector_over_an_earlier_one_is_as_good_as_over_zeros() -> None:
    """Smaller tables after larger ones, hidden hands after hands lying face up, and back."""
    observation, masks = empty(TABLES, compact=False)
    look, everywhere = look_at(observation, masks), np.arange(TABLES)
    for decisions, players in [(60, (8, 7)), (3, (2, 3)), (90, (3, 4)), (0, (4, 8)), (50, (2,))]:
        games = played_games(decisions, players)
        observers = np.arange(TABLES) % games["num_players"]
        look_at_games(batch_of(games), observers, look, everywhere, everywhere)
        assert np.array_equal(observation, Views.of(RULES, games, observers).observation)


def test_a_single_look_is_the_row_of_a_batch() -> None:
    games = played_games(9)[3:4].copy()
    observation, mask = look_alone(batch_of(games), 1, OBSERVATION_SIZE)
    views = Views.of(RULES, games, np.array([1]))
    assert np.array_equal(observation, views.observation[0])
    assert np.array_equal(mask.astype(bool), views.action_mask[0])
