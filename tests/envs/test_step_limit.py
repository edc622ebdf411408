"""`max_episode_steps` truncates episodes of the vector environment as `TimeLimit` does."""

from typing import Any

import gymnasium
import numpy as np
import pytest

from ono99_env.envs.vector import Ono99VectorEnv
from tests.envs.random_play import random_actions

ID = "ono99/Ono99-v0"


@pytest.mark.parametrize("arguments", [{}, {"copy": False}, {"compact": True}])
def test_make_vec_truncates_episodes_that_reach_the_limit(arguments: dict[str, Any]) -> None:
    envs = gymnasium.make_vec(ID, 16, num_players=2, max_episode_steps=14, **arguments)
    rng, lengths, shown = np.random.default_rng(1), np.zeros(16, int), {True: 0, False: 0}
    _, infos = envs.reset(seed=1)
    for _ in range(140):
        observations, rewards, terminated, truncated, infos = envs.step(
            random_actions(infos["action_mask"], rng)
        )
        lengths += 1
        done = terminated | truncated
        assert np.array_equal(truncated, (lengths == 14) & ~terminated)
        assert not rewards[truncated].any()
        assert infos["action_mask"].any(axis=1).all()
        if done.any():
            assert np.array_equal(infos["_final_obs"], done)
            for table in np.flatnonzero(done):
                shown[bool(truncated[table])] += 1
                assert not np.array_equal(infos["final_obs"][table], observations[table])
                assert infos["final_obs"][table].any()
        lengths[done] = 0
    assert min(shown.values()) > 5


def test_games_are_those_of_single_environments_up_to_the_limit() -> None:
    limited, free = (Ono99VectorEnv(8, num_players=4, max_episode_steps=n) for n in (2, None))
    rng, actions = np.random.default_rng(3), None
    _, infos = limited.reset(seed=5)
    free.reset(seed=5)
    for step in range(2):
        actions = random_actions(infos["action_mask"], rng)
        seen, _, ended, truncated, infos = limited.step(actions)
        expected, _, others_ended, _, _ = free.step(actions)
        assert np.array_equal(ended, others_ended)
        last = truncated if step else np.zeros(8, bool)
        kept = ~last
        assert np.array_equal(seen[kept], expected[kept])
        for table in np.flatnonzero(last):
            assert np.array_equal(infos["final_obs"][table], expected[table])
    assert last.any()


def test_a_reset_of_some_tables_begins_their_count_anew() -> None:
    envs, rng = Ono99VectorEnv(2, num_players=6, max_episode_steps=2), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    infos = envs.step(random_actions(infos["action_mask"], rng))[4]
    _, infos = envs.reset(options={"reset_mask": np.array([True, False])})
    truncated = envs.step(random_actions(infos["action_mask"], rng))[3]
    assert truncated.tolist() == [False, True]


@pytest.mark.parametrize("limit", [0, -1, 2.5, True, "5"])
def test_an_impossible_limit_is_refused(limit: Any) -> None:
    with pytest.raises(ValueError, match="max_episode_steps must be None or at least 1"):
        Ono99VectorEnv(1, max_episode_steps=limit)
