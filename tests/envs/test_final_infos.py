"""The last info of an episode says who won, the learner's place, its length and its seat."""

import random
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from ono99_env import Game, Rules, ono99_v0
from ono99_env.arena.play.jobs import doubled_places
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.tables import Episodes
from ono99_env.tables.episode_outcome import OUTCOME_NAMES
from tests.envs.random_play import Asked, aec_steps, random_actions

RULES = [
    Rules.preset("2022", num_players=4),
    Rules.preset("2022", num_players=5, stuck_round_winner="last_remaining"),
    Rules.preset("2022", num_players=3, max_plays=20),
    Rules.preset("1980", num_players=4, chips=1),
    Rules.preset("1980", num_players=4, format="points_last_standing", target_points=60),
    Rules.preset("1980", num_players=4, format="points_lowest", target_points=60),
]
EVERY_RULES = pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.format}")


def outcome_of(info: dict[str, Any]) -> dict[str, int]:
    return {name: info[name] for name in OUTCOME_NAMES}


def test_the_names_are_the_documented_ones() -> None:
    assert OUTCOME_NAMES == ("winner", "place", "length", "seat")
    for page in (Ono99Env.__doc__, ono99_v0.__doc__):
        assert all(f"- `{name}`: " in page for name in OUTCOME_NAMES)


@EVERY_RULES
@pytest.mark.parametrize("keep_seats", [False, True])
def test_every_agent_is_told_its_place_when_it_leaves(rules: Rules, keep_seats: bool) -> None:
    env, rng = ono99_v0.env(rules=rules, keep_seats=keep_seats), random.Random(3)
    for seed in range(12):
        env.reset(seed=seed)
        lengths, told = dict.fromkeys(env.agents, 0), {}
        for agent, (_, _, terminated, truncated, info) in aec_steps(env, rng):
            if not (terminated or truncated):
                lengths[agent] += 1
                assert not set(OUTCOME_NAMES) & set(info)
                continue
            told[agent] = outcome_of(info)
        game = Game.from_snapshot(env.game_snapshot())
        assert len(told) == rules.num_players
        for seat, agent in enumerate(env.possible_agents):
            assert told[agent]["seat"] == seat
            assert told[agent]["length"] == lengths[agent]
            assert (told[agent]["place"] == 1) == (seat in game.winners)
            if told[agent]["winner"] != -1:
                assert [told[agent]["winner"]] == game.winners
            if seat in game.winners or keep_seats:
                assert (told[agent]["winner"] != -1) == (
                    len(game.winners) == 1 and not any(env.truncations.values())
                )


@EVERY_RULES
def test_places_are_those_of_the_arena(rules: Rules) -> None:
    """Played on to the end, the arena's places are the same, but for the mean of equal ones."""
    env, rng = ono99_v0.env(rules=rules, keep_seats=True), random.Random(4)
    for seed in range(12):
        env.reset(seed=seed)
        survivors, seen = np.zeros((1, rules.num_players), np.int8), (1 << rules.num_players) - 1
        places = {}
        for agent, (_, _, terminated, truncated, info) in aec_steps(env, rng):
            if terminated or truncated:
                places[agent] = info["place"]
            in_match = int(env._games[0].in_match)
            for seat in range(rules.num_players):
                if (seen & ~in_match) >> seat & 1:
                    survivors[0, seat] = in_match.bit_count()
            seen = in_match
        points = env._games["points"][:, : rules.num_players].astype(np.int64)
        twice = doubled_places(survivors, points)[0]
        for seat, agent in enumerate(env.possible_agents):
            equal = int((twice == twice[seat]).sum())
            assert places[agent] == (twice[seat] - (equal - 1)) // 2


@EVERY_RULES
def test_the_single_environment_tells_how_its_table_stands(rules: Rules) -> None:
    env, rng = Ono99Env(rules, opponents=["lowest"]), np.random.default_rng(1)
    for seed in range(12):
        _, info = env.reset(seed=seed)
        seat, steps, done = int(env._episodes.learner_seats[0]), 0, False
        while not done:
            assert not set(OUTCOME_NAMES) & set(info)
            mask = info["action_mask"]
            _, reward, terminated, truncated, info = env.step(random_actions(mask[None], rng)[0])
            steps, done = steps + 1, terminated or truncated
        assert (info["seat"], info["length"]) == (seat, steps)
        assert (info["place"] == 1) == (reward > 0 or truncated)
        assert all(type(info[name]) is int for name in OUTCOME_NAMES)
        games = env._episodes.tables.games
        is_over = int(games[0].current_player) == -1
        assert info["winner"] == -1 or is_over
        if is_over and not truncated and int(games[0].in_match).bit_count() == 1:
            assert info["winner"] == int(games[0].in_match).bit_length() - 1
        if not is_over:
            leaves_alone = not rules.format.startswith("points")
            still_in = int(games[0].in_match).bit_count()
            assert info["place"] == still_in + 1 or (not leaves_alone and info["place"] > still_in)


def test_one_native_table_tells_what_a_sync_vector_env_tells_of_one() -> None:
    arguments: dict[str, Any] = {"num_players": 3, "seat": 1}
    native = Ono99VectorEnv(1, max_episode_steps=9, **arguments)
    sync = SyncVectorEnv(
        [lambda: TimeLimit(Ono99Env(**arguments), 9)], autoreset_mode=AutoresetMode.SAME_STEP
    )
    rng, kinds = np.random.default_rng(2), set()
    _, infos = native.reset(seed=7)
    sync.reset(seed=7)
    for _ in range(200):
        actions = random_actions(infos["action_mask"], rng)
        infos, expected = native.step(actions)[4], sync.step(actions)[4]
        assert infos.keys() == expected.keys()
        if "final_info" not in infos:
            continue
        final, expected_final = infos["final_info"], expected["final_info"]
        assert final.keys() == expected_final.keys()
        kinds.add("winner" in final)
        for name, value in expected_final.items():
            if "action_mask" not in name:
                assert np.array_equal(final[name], value)
                assert final[name].dtype == value.dtype
    assert kinds == {True, False}


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("opponents", ["random", Asked()], ids=["compiled", "asked"])
def test_final_infos_fit_the_rewards(opponents: Any, copy: bool) -> None:
    envs = Ono99VectorEnv(64, num_players=[2, 3, 5], opponents=opponents, copy=copy)
    rng, ended, lengths = np.random.default_rng(2), 0, np.zeros(64, int)
    _, infos = envs.reset(seed=7)
    for _ in range(60):
        _, rewards, terminated, _, infos = envs.step(random_actions(infos["action_mask"], rng))
        lengths += 1
        if terminated.any():
            final = infos["final_info"]
            assert np.array_equal(final["_place"], terminated)
            assert np.array_equal(final["place"][terminated] == 1, rewards[terminated] > 0)
            assert np.array_equal(final["length"][terminated], lengths[terminated])
            won = final["place"] == 1
            assert np.array_equal(final["winner"][won], final["seat"][won])
            ended += terminated.sum()
        lengths[terminated] = 0
    assert ended > 100


def test_a_forfeit_is_the_last_place() -> None:
    env = Ono99Env(num_players=4, illegal="lose")
    _, info = env.reset(seed=1)
    while info["action_mask"].all():
        _, info = env.reset()
    info = env.step(int(info["action_mask"].argmin()))[4]
    assert outcome_of(info) == {"winner": -1, "place": 4, "length": 1, "seat": info["seat"]}


def test_sb3_gets_the_same_names_where_an_episode_is_done() -> None:
    sb3 = pytest.importorskip("ono99_env.envs.sb3", exc_type=ImportError)
    envs, rng, ended = (
        sb3.Ono99VecEnv("2022", 16, num_players=3, seed=2),
        np.random.default_rng(1),
        0,
    )
    envs.reset()
    for _ in range(60):
        _, rewards, dones, infos = envs.step(random_actions(envs.action_masks(), rng))
        for info, reward, done in zip(infos, rewards, dones, strict=True):
            assert (set(OUTCOME_NAMES) <= set(info)) == done
            if done:
                assert (info["place"] == 1) == (reward > 0)
                assert info["length"] == info["episode"]["l"]
                ended += 1
    assert ended > 20


def test_a_saved_state_goes_on_counting_and_an_impossible_outcome_is_refused() -> None:
    one, other = (Episodes(RULES[0], 4, seed=seed) for seed in (1, 2))
    rng = np.random.default_rng(1)
    for _ in range(30):
        one.step_and_reset(random_actions(one.action_mask, rng))
    state = one.state_dict()
    other.load_state_dict(state)
    for _ in range(30):
        actions = random_actions(one.action_mask, rng)
        ended = one.step_and_reset(actions).tables
        other.step_and_reset(actions)
        assert np.array_equal(one.outcome_numbers[ended], other.outcome_numbers[ended])
    for name, value in (("place", 9), ("winner", -2), ("seat", 8), ("length", -1)):
        broken = {**state, "episodes": state["episodes"].copy()}
        broken["episodes"]["outcome"][name][2] = value
        with pytest.raises(ValueError, match=r"episodes\[2\] does not fit"):
            other.load_state_dict(broken)
