"""The autoreset modes of the vector environment: Gymnasium's semantics, and the same games."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from gymnasium.wrappers import vector as wrappers

from ono99_env import IllegalActionError
from ono99_env.bots.base import Bot
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.observation import Views
from tests.envs.random_play import random_actions

ID = "ono99/Ono99-v0"
NEXT, SAME, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED


class FirstLegal(Bot):
    """Plays its first legal action, and must be asked from Python for it."""

    name = "first_legal"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """See `Bot.act`."""
        return views.action_mask.argmax(axis=1)


def next_step(num_envs: int = 16, **arguments: Any) -> Ono99VectorEnv:
    return Ono99VectorEnv(num_envs, **{"num_players": 2, "autoreset_mode": NEXT, **arguments})


@pytest.mark.parametrize("mode", [NEXT, SAME, DISABLED])
def test_a_mode_is_chosen_by_gymnasiums_name_or_value(mode: AutoresetMode) -> None:
    for spelling in (mode, mode.value, mode.name):
        envs = gymnasium.make_vec(ID, 2, num_players=2, autoreset_mode=spelling)
        assert envs.metadata["autoreset_mode"] is envs.unwrapped.autoreset_mode is mode
    assert Ono99VectorEnv.metadata["autoreset_mode"] is SAME


@pytest.mark.parametrize("mode", ["NextSteps", "", None, 1])
def test_an_unknown_mode_is_refused(mode: Any) -> None:
    with pytest.raises(ValueError, match="autoreset_mode must be one of 'NextStep'"):
        next_step(autoreset_mode=mode)


@pytest.mark.parametrize("limit", [None, 9])
def test_one_table_does_to_the_letter_what_a_sync_vector_env_of_one_does(limit: int | None) -> None:
    arguments: dict[str, Any] = {"num_players": 3, "seat": 1}
    native = next_step(1, max_episode_steps=limit, **arguments)
    sync = SyncVectorEnv([lambda: TimeLimit(Ono99Env(**arguments), limit or 10**6)])
    assert sync.metadata["autoreset_mode"] is NEXT
    rng, ends = np.random.default_rng(2), [0, 0]
    _, infos = native.reset(seed=7)
    sync.reset(seed=7)
    for _ in range(300):
        actions = random_actions(infos["action_mask"], rng)
        results, expected = native.step(actions), list(sync.step(actions))
        expected[3] = expected[3] & ~expected[2]  # `TimeLimit` truncates what has terminated, too
        for mine, theirs in zip(results[:4], expected[:4], strict=True):
            assert np.allclose(mine, theirs)
            assert mine.dtype == theirs.dtype
        infos = results[4]
        assert infos.keys() == expected[4].keys()
        assert all(np.array_equal(infos[name], value) for name, value in expected[4].items())
        ends[0] += results[2][0]
        ends[1] += results[3][0]
    assert ends[0] > 5
    assert bool(ends[1]) == (limit is not None)


@pytest.mark.parametrize("num_threads", [1, 3])
@pytest.mark.parametrize(
    "opponents", ["random", [FirstLegal(), "highest"]], ids=["compiled", "asked"]
)
@pytest.mark.parametrize("limit", [None, 7])
@pytest.mark.parametrize("mode", [NEXT, DISABLED])
def test_the_games_are_those_of_the_same_step_mode(
    mode: AutoresetMode,
    limit: int | None,
    opponents: Any,
    num_threads: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each table is given its actions by how many it has played, so that resting shifts nothing."""
    monkeypatch.setattr("ono99_env.jit.threads.LEAST_SHARE", 2)
    transcripts = []
    for each in (SAME, mode):
        envs = next_step(
            12,
            autoreset_mode=each,
            num_players=[2, 4],
            opponents=opponents,
            num_threads=num_threads,
            max_episode_steps=limit,
        )
        transcripts.append(transcript(envs, num_decisions=80))
    for table in range(12):
        assert len(transcripts[0][table]) == 80
        assert transcripts[0][table] == transcripts[1][table]


def transcript(envs: Ono99VectorEnv, num_decisions: int) -> list[list[bytes]]:
    """What each table showed at each decision, and what the action brought."""
    choices = np.random.default_rng(1).random((num_decisions * 3, envs.num_envs, 17))
    shown: list[list[bytes]] = [[] for _ in range(envs.num_envs)]
    resting, played = np.zeros(envs.num_envs, bool), np.zeros(envs.num_envs, int)
    observations, infos = envs.reset(seed=3)
    while min(map(len, shown)) < num_decisions:
        seen = [row.tobytes() for row in observations]
        weights = choices[played, np.arange(envs.num_envs)]
        actions = (weights * (infos["action_mask"] != 0)).argmax(axis=1)
        if envs.autoreset_mode is DISABLED and resting.any():
            observations, infos = envs.reset(options={"reset_mask": resting})
            resting[:] = False
            continue
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        for table in np.flatnonzero(~resting):
            ends = np.array([rewards[table], terminated[table], truncated[table]]).tobytes()
            shown[table].append(seen[table] + ends)
            played[table] += 1
        assert not rewards[resting].any()
        resting = (terminated | truncated) & (envs.autoreset_mode is not SAME)
    return [each[:num_decisions] for each in shown]


def test_the_action_of_a_table_that_is_dealt_anew_is_ignored_and_others_are_checked() -> None:
    envs, rng = next_step(64), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    terminated = np.zeros(64, bool)
    while not terminated.any():
        _, _, terminated, _, infos = envs.step(random_actions(infos["action_mask"], rng))
    assert not infos["action_mask"][terminated].any()
    wrong = np.full(64, 99)
    with pytest.raises(IllegalActionError, match=f"table {terminated.argmin()}: "):
        envs.step(wrong)
    wrong[~terminated] = random_actions(infos["action_mask"][~terminated], rng)
    _, rewards, ended, _, infos = envs.step(wrong)
    assert not rewards[terminated].any()
    assert not ended[terminated].any()
    assert infos["action_mask"].any(axis=1)[~ended].all()


def test_without_autoreset_a_step_asks_for_the_reset_that_is_due() -> None:
    envs, rng = next_step(16, autoreset_mode=DISABLED), np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    terminated = np.zeros(16, bool)
    while not terminated.any():
        _, _, terminated, _, infos = envs.step(random_actions(infos["action_mask"], rng))
    with pytest.raises(gymnasium.error.ResetNeeded, match=f"first {terminated.argmax()}; call"):
        envs.step(np.zeros(16, int))
    _, infos = envs.reset(options={"reset_mask": terminated})
    envs.step(random_actions(infos["action_mask"], rng))


def test_a_reset_of_all_or_some_tables_leaves_none_resting() -> None:
    envs, rng = next_step(16), np.random.default_rng(1)
    for options in (None, "mask"):
        _, infos = envs.reset(seed=1)
        terminated = np.zeros(16, bool)
        while not terminated.any():
            _, _, terminated, _, infos = envs.step(random_actions(infos["action_mask"], rng))
        _, infos = envs.reset(options={"reset_mask": terminated} if options else None)
        before = envs._episodes.episodes["length"].copy()
        envs.step(random_actions(infos["action_mask"], rng))
        is_over = envs._episodes.terminated
        assert (envs._episodes.episodes["length"] - before == 1)[~is_over].all()


WRAPPERS = {
    "RecordEpisodeStatistics": lambda envs: wrappers.RecordEpisodeStatistics(envs),
    "NormalizeObservation": lambda envs: wrappers.NormalizeObservation(envs),
    "NormalizeReward": lambda envs: wrappers.NormalizeReward(envs),
    "ClipReward": lambda envs: wrappers.ClipReward(envs, -0.5, 0.5),
    "TransformReward": lambda envs: wrappers.TransformReward(envs, lambda reward: reward * 2),
    "TransformObservation": lambda envs: wrappers.TransformObservation(
        envs, lambda observation: observation / 2, single_observation_space=None
    ),
    "VectorizeTransformObservation": lambda envs: wrappers.VectorizeTransformObservation(
        envs, gymnasium.wrappers.TransformObservation, func=lambda o: o / 2, observation_space=None
    ),
    "FlattenObservation": lambda envs: wrappers.FlattenObservation(envs),
    "RescaleObservation": lambda envs: wrappers.RescaleObservation(envs, -2.0, 2.0),
    "DtypeObservation": lambda envs: wrappers.DtypeObservation(envs, np.float64),
    "ReshapeObservation": lambda envs: wrappers.ReshapeObservation(envs, (2, 233)),
    "TransformAction": lambda envs: wrappers.TransformAction(envs, lambda action: action),
    "VectorizeTransformReward": lambda envs: wrappers.VectorizeTransformReward(
        envs, gymnasium.wrappers.TransformReward, func=lambda reward: reward * 2
    ),
    "NumpyToTorch": lambda envs: wrappers.NumpyToTorch(envs),
    "DictInfoToList": lambda envs: wrappers.DictInfoToList(envs),
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_gymnasiums_vector_wrappers_play_in_the_next_step_mode(name: str) -> None:
    if name == "NumpyToTorch":
        pytest.importorskip("torch")
    plain = next_step(8)
    envs, rng = WRAPPERS[name](plain), np.random.default_rng(4)
    assert envs.metadata["autoreset_mode"] is NEXT
    envs.reset(seed=4)
    ended = 0
    for _ in range(60):
        actions: Any = random_actions(plain.action_masks(), rng)
        if name == "NumpyToTorch":
            actions = __import__("torch").from_numpy(actions)
        observations, rewards, terminated, _, infos = envs.step(actions)
        assert len(observations) == len(rewards) == 8
        ended += int(terminated.sum())
        if name == "RecordEpisodeStatistics" and terminated.any():
            assert np.array_equal(infos["episode"]["l"][terminated], infos["length"][terminated])
            assert np.array_equal(infos["episode"]["r"][terminated], rewards[terminated])
    assert ended > 10


WRITES_IN_PLACE = {"VectorizeTransformObservation", "FlattenObservation"}
"""Wrappers that write into the observations they get, where these keep their space."""


@pytest.mark.parametrize("name", WRAPPERS)
def test_only_wrappers_that_write_into_the_observations_need_copies(name: str) -> None:
    if name == "NumpyToTorch":
        pytest.importorskip("torch")
        pytest.importorskip("array_api_compat")
    plain = next_step(4, copy=False)
    envs: Any = WRAPPERS[name](plain)
    if name in WRITES_IN_PLACE:
        with pytest.raises(ValueError, match="read-only"):
            envs.reset(seed=4)
        return
    envs.reset(seed=4)
    actions: Any = plain.action_masks().argmax(axis=1)
    if name == "NumpyToTorch":
        actions = __import__("torch").from_numpy(actions)
    observations, *_ = envs.step(actions)
    assert len(observations) == 4
