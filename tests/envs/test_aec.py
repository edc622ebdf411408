"""The PettingZoo AEC environment: PettingZoo's own tests, and what they do not look at."""

import random
import warnings
from typing import Any, Literal

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils import wrappers

from ono99_env import Game, Rules, SnapshotError, ono99_v0
from tests.envs.random_play import TABLES, aec_steps, loaded_aec, random_action
from tests.random_games import new_game, play_randomly, positions

EXPECTED_WARNINGS = (
    "Observation is not a NumPy array",  # it is a dict with the mask, as in PettingZoo's classics
    "Observation space for each agent probably should be gymnasium.spaces.box",
    "Action mask numpy array is all zeros",  # of a dead agent
)


@pytest.mark.parametrize("illegal", ["raise", "lose"])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_pettingzoo_api(edition: str, players: int, illegal: Literal["raise", "lose"]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(ono99_v0.env(rules=edition, num_players=players, illegal=illegal), num_cycles=60)
    messages = {str(warning.message) for warning in caught}
    assert [text for text in messages if not text.startswith(EXPECTED_WARNINGS)] == []


@pytest.mark.parametrize("maker", [ono99_v0.env, ono99_v0.raw_env])
@pytest.mark.parametrize("game_format", ["single_round", "chips", "points_lowest"])
def test_pettingzoo_api_in_every_format(maker: Any, game_format: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(maker(rules="1980", format=game_format, target_points=60), num_cycles=150)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_pettingzoo_seed(edition: str, players: int) -> None:
    seed_test(lambda: ono99_v0.env(rules=edition, num_players=players), num_cycles=100)


@pytest.mark.parametrize("cycles", [1, 4])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_max_cycles_truncates_after_as_many_plays_by_every_seat(
    edition: str, players: int, cycles: int
) -> None:
    env = ono99_v0.env(rules=edition, num_players=players, max_cycles=cycles)
    env.reset(seed=5)
    plays = dict.fromkeys(env.agents, 0)
    for agent, (_, reward, terminated, truncated, _) in aec_steps(env, random.Random(5)):
        assert truncated == (sum(plays.values()) == cycles * players)
        assert (terminated, reward) == (False, 0.0)
        plays[agent] += not truncated
    assert sum(plays.values()) == cycles * players


def test_truncation_shares_the_win_among_those_still_in_the_game() -> None:
    shared = 0
    for seed in range(40):
        env = ono99_v0.env(rules="1980", num_players=8, format="single_round", max_cycles=5)
        env.reset(seed=seed)
        rewards, was_truncated = dict.fromkeys(env.agents, 0.0), set()
        for agent, (_, reward, _, truncated, _) in aec_steps(env, random.Random(seed)):
            rewards[agent] += reward
            was_truncated |= {agent} if truncated else set()
        losers = [agent for agent, reward in rewards.items() if reward < 0]
        assert sum(rewards.values()) == pytest.approx(0)
        assert all(rewards[agent] == pytest.approx(-1 / 7) for agent in losers)
        if was_truncated:
            assert was_truncated.isdisjoint(losers)
            assert {*was_truncated, *losers} == set(env.possible_agents)
            shared += bool(losers)
    assert shared > 0


def test_only_the_agent_to_act_has_a_mask_and_it_is_the_same_everywhere() -> None:
    for edition, players in TABLES:
        env, rng = ono99_v0.env(rules=edition, num_players=players), random.Random(6)
        env.reset(seed=6)
        for agent, (observation, _, _, _, info) in aec_steps(env, rng):
            masks = {other: env.observe(other)["action_mask"] for other in env.agents}
            assert all(np.array_equal(masks[a], env.infos[a]["action_mask"]) for a in env.agents)
            assert np.array_equal(observation["action_mask"], masks[agent])
            assert np.array_equal(info["action_mask"], masks[agent])
            to_act = env.game_snapshot()["current_player"]
            expected = [] if to_act is None else [f"player_{to_act}"]
            assert [other for other in env.agents if masks[other].any()] == expected


def test_every_agent_always_observes_within_its_space() -> None:
    for seed in range(8):
        env = ono99_v0.env(rules="1980", num_players=2 + seed % 7)
        env.reset(seed=seed)
        for _ in aec_steps(env, random.Random(seed)):
            for agent in env.possible_agents:
                assert env.observation_space(agent).contains(env.observe(agent))


@pytest.mark.parametrize("illegal", [False, True])
def test_pettingzoos_wrappers_work_around_it(illegal: bool) -> None:
    env = wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(ono99_v0.env(num_players=3), illegal_reward=-1)
        )
    )
    env.reset(seed=20)
    totals, rng = dict.fromkeys(env.agents, 0.0), random.Random(20)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] += reward
        mask = observation["action_mask"]
        choice = int(mask.argmin()) if illegal else random_action(mask, rng) if mask.any() else 0
        env.step(None if terminated or truncated else choice)
    assert min(totals.values()) == (-1 if illegal else -0.5)
    assert env.agents == []


def test_it_plays_the_same_game_as_the_game_object() -> None:
    rng = random.Random(7)
    for _ in range(60):
        game = play_randomly(new_game(rng), rng, rng.randrange(30))
        env = loaded_aec(game)
        for _ in range(60):
            if game.is_over:
                break
            seat = game.current_player
            assert env.agent_selection == f"player_{seat}"
            view = game.views(seat)
            assert env.last()[0]["observation"].tobytes() == view.observation[0].tobytes()
            action = random_action(view.action_mask[0], rng)
            game.play(action)
            env.step(action)
            assert env.game_snapshot() == game.snapshot()
            take_off_the_dead(env)
        take_off_the_dead(env)
        assert bool(env.agents) != game.is_over


def take_off_the_dead(env: Any) -> None:
    while env.agents and (
        env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
    ):
        env.step(None)


def test_loading_a_snapshot_continues_the_saved_game() -> None:
    env, other = (ono99_v0.env(num_players=3) for _ in range(2))
    env.reset(seed=8)
    for _ in range(6):
        env.step(random_action(env.last()[0]["action_mask"], random.Random(8)))
    other.load_snapshot(env.unwrapped.game_snapshot())
    for table in (env, other):
        for _ in aec_steps(table, random.Random(9)):
            pass
    assert env.game_snapshot() == other.game_snapshot()


@pytest.mark.parametrize("broken", [{"total": 99}, {"rng": 7}, {"hands": []}])
def test_a_refused_snapshot_changes_nothing(broken: dict) -> None:
    env = ono99_v0.env(num_players=3)
    env.reset(seed=10)
    before = (env.game_snapshot(), env.agent_selection, env.last()[0]["observation"].tobytes())
    with pytest.raises(SnapshotError, match=next(iter(broken))):
        env.load_snapshot({**before[0], **broken})
    with pytest.raises(ValueError, match="highest_total"):
        env.load_snapshot(Game(Rules(num_players=3, highest_total=99)).snapshot())
    after = (env.game_snapshot(), env.agent_selection, env.last()[0]["observation"].tobytes())
    assert after == before


def test_a_finished_game_can_be_loaded_and_has_nobody_to_act() -> None:
    for _, game in positions(11, 300):
        if game.is_over:
            env = loaded_aec(game)
            assert [a for a in env.agents if not (env.terminations[a] or env.truncations[a])] == []
            take_off_the_dead(env)
            assert env.agents == []


@pytest.mark.parametrize("call", ["step", "last", "agent_iter"])
def test_using_it_before_reset_says_so(call: str) -> None:
    env = ono99_v0.env()
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        list(env.agent_iter()) if call == "agent_iter" else getattr(env, call)(
            *[0][: call == "step"]
        )


def test_stepping_after_the_end_says_so() -> None:
    env = ono99_v0.env(num_players=2)
    env.reset(seed=1)
    for _ in aec_steps(env, random.Random(1)):
        pass
    with pytest.raises(gymnasium.error.ResetNeeded, match="over"):
        env.step(None)


def test_a_dead_agent_takes_nothing_but_none() -> None:
    env = ono99_v0.env(num_players=2)
    env.reset(seed=1)
    for agent, (_, _, terminated, _, _) in aec_steps(env, random.Random(1)):
        if terminated:
            with pytest.raises(ValueError, match=f"{agent} is out.*None"):
                env.step(0)
            assert env.agent_selection == agent


def test_what_was_observed_stays_as_it_was() -> None:
    env = ono99_v0.env(num_players=4)
    env.reset(seed=12)
    kept = []
    for _, (observation, _, _, _, info) in aec_steps(env, random.Random(12)):
        arrays = [*observation.values(), info["action_mask"]]
        kept.append((arrays, [array.copy() for array in arrays]))
    for arrays, copies in kept:
        assert all(np.array_equal(array, was) for array, was in zip(arrays, copies, strict=True))


def test_writing_to_an_observed_mask_makes_no_action_legal() -> None:
    env = ono99_v0.env(num_players=4)
    env.reset(seed=13)
    observation, _, _, _, info = env.last()
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    before = env.game_snapshot()
    for mask in (observation["action_mask"], info["action_mask"]):
        if mask.flags.writeable:
            mask[illegal] = 1
    with pytest.raises(ValueError, match="illegal"):
        env.step(illegal)
    assert env.game_snapshot() == before


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *(("render_mode", "hologram"), ("illegal", "skip"), ("num_players", 9), ("colour", "red")),
        *(("max_cycles", value) for value in (0, -1, 1.5, "4")),
    ],
)
def test_an_impossible_argument_is_refused_by_name(argument: str, value: Any) -> None:
    with pytest.raises(ValueError, match=argument):
        ono99_v0.env(**{argument: value})
