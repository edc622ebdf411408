"""Episodes of one learner: the same games however they are stepped."""

import numpy as np
import pytest

from ono99_env import Bot, Rules, Views, load_bot
from ono99_env.tables import LEARNER, Episodes, Tables, win_shares

RULES = Rules.preset("2022", num_players=3)


class Asked(Bot):
    """Plays as `highest`, but is asked from Python."""

    name = "asked"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return load_bot("highest").act(views, rng)


def actions_of(episodes: Episodes, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(episodes.action_mask.shape) * episodes.action_mask).argmax(axis=1)


@pytest.mark.parametrize("compact", [False, True])
def test_dealing_anew_within_a_step_is_a_step_and_a_reset(compact: bool) -> None:
    one, other = (Episodes(RULES, 50, ["highest"], seed=4, compact=compact) for _ in range(2))
    rng = np.random.default_rng(1)
    for _ in range(40):
        actions = actions_of(one, rng)
        ended = one.step_and_reset(actions)
        done = other.step(actions)
        assert np.array_equal(ended.tables, done)
        assert np.array_equal(one.rewards, other.rewards)
        other.reset(done)
        assert np.array_equal(one.observation, other.observation)
        assert np.array_equal(one.action_mask, other.action_mask)


def test_a_bot_asked_from_python_plays_the_games_of_a_compiled_one() -> None:
    compiled, asked = (
        Episodes(RULES, 20, ["highest"], seed=2),
        Episodes(RULES, 20, [Asked()], seed=2),
    )
    rng = np.random.default_rng(3)
    for _ in range(25):
        assert np.array_equal(compiled.observation, asked.observation)
        actions = actions_of(compiled, rng)
        one, other = compiled.step_and_reset(actions), asked.step_and_reset(actions)
        assert np.array_equal(one.tables, other.tables)
        final = compiled.final_observation[one.rows], asked.final_observation[other.rows]
        assert np.array_equal(*final)


def test_one_table_alone_is_the_first_of_one() -> None:
    alone, many = Episodes(RULES, 1, ["lowest"], seed=5), Episodes(RULES, 1, ["lowest"], seed=5)
    rng = np.random.default_rng(6)
    for _ in range(60):
        actions = actions_of(alone, rng)
        has_ended = alone.step_alone(int(actions[0]))
        done = many.step(actions)
        assert has_ended == (len(done) > 0)
        assert np.array_equal(alone.rewards, many.rewards)
        alone.reset(done)
        many.reset(done)
        assert np.array_equal(alone.observation, many.observation)


def test_more_threads_step_the_same_episodes() -> None:
    one, two = (Episodes(RULES, 5000, ["random"], seed=8, num_threads=n) for n in (1, 2))
    rng = np.random.default_rng(9)
    for _ in range(3):
        actions = actions_of(one, rng)
        ended, other = one.step_and_reset(actions), two.step_and_reset(actions)
        assert np.array_equal(ended.tables, other.tables)
        final = one.final_observation[ended.rows], two.final_observation[other.rows]
        assert np.array_equal(*final)
        assert np.array_equal(one.observation, two.observation)


def test_tables_note_who_had_left_the_match() -> None:
    tables = Tables(RULES, [load_bot("random")], 30)
    everywhere, holders = np.arange(30), np.zeros((30, 8), np.int8)
    tables.deal(everywhere, np.full(30, 3), everywhere.astype(np.uint64), holders)
    assert (tables.holders[:, :3] != LEARNER).all()
    shares = win_shares(tables.games)
    assert shares.sum(axis=1) == pytest.approx(np.ones(30))
    losers = shares[:, :3] == 0
    assert (tables.survivors[:, :3][~losers] == 0).all()
    assert (tables.survivors[:, :3][losers] > 0).all()
