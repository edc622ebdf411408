"""The native vector environment, checked against Gymnasium's own vector of single environments."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, MultiDiscrete
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from ono99_env import ono99_v0
from ono99_env.engine.records import counts_from_hand, counts_from_pile
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.spaces import batched_box, compact_observation_space, observation_space
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.jit import threads
from ono99_env.observation import COMPACT, FEATURES, OBSERVATION_SIZE, Views
from ono99_env.rules.rules import Rules
from tests.envs.random_play import Asked, random_actions

COUNT = 8


def native(num_envs: int = COUNT, **arguments: Any) -> Ono99VectorEnv:
    return Ono99VectorEnv(num_envs, **{"num_players": 2, **arguments})


def of_singles(**arguments: Any) -> SyncVectorEnv:
    makers = [lambda: Ono99Env(**{"num_players": 2, **arguments})] * COUNT
    return SyncVectorEnv(makers, autoreset_mode=AutoresetMode.SAME_STEP)


def steps(envs: Any, count: int, seed: int = 0) -> list[tuple]:
    """Results of random legal steps, the reset's first."""
    rng = np.random.default_rng(seed)
    observations, infos = envs.reset(seed=seed)
    zeros, falses = np.zeros(envs.num_envs), np.zeros(envs.num_envs, bool)
    results = [(observations, zeros, falses, falses, infos)]
    for _ in range(count):
        results.append(envs.step(random_actions(results[-1][4]["action_mask"], rng)))
    return results


def shape_of(thing: Any) -> Any:
    """Types, dtypes and keys, without values."""
    if isinstance(thing, dict):
        return {key: shape_of(value) for key, value in thing.items()}
    return (thing.dtype, thing.shape) if isinstance(thing, np.ndarray) else type(thing)


@pytest.mark.parametrize(
    "part", range(5), ids=["observations", "rewards", "terminated", "truncated", "infos"]
)
def test_a_step_returns_types_and_keys_of_a_sync_vector_env(part: int) -> None:
    expected: dict[bool, Any] = {}
    for result in steps(of_singles(), 150)[1:]:
        expected.setdefault((result[2] | result[3]).any(), shape_of(result[part]))
    assert len(expected) == 2
    for result in steps(native(), 150)[1:]:
        assert shape_of(result[part]) == expected[(result[2] | result[3]).any()]


def test_a_reset_returns_types_and_keys_of_a_sync_vector_env() -> None:
    assert shape_of(native().reset()[0]) == shape_of(of_singles().reset()[0])
    assert shape_of(native().reset()[1]) == shape_of(of_singles().reset()[1])


def test_the_attributes_are_those_of_a_sync_vector_env() -> None:
    mine, theirs = native(), of_singles()
    assert mine.single_observation_space == theirs.single_observation_space
    assert mine.single_action_space == theirs.single_action_space
    assert mine.observation_space == theirs.observation_space
    assert mine.action_space == theirs.action_space == MultiDiscrete([17] * COUNT)
    assert mine.num_envs == theirs.num_envs == COUNT
    assert mine.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


def test_outputs_lie_within_the_spaces() -> None:
    envs = native(rules="1980", num_players=[2, 5, 8])
    for observations, rewards, terminated, truncated, infos in steps(envs, 200):
        assert envs.observation_space.contains(observations)
        assert np.abs(rewards).max() <= 1
        assert (terminated.dtype, truncated.dtype) == (np.bool_, np.bool_)
        assert infos["action_mask"].any(axis=1).all()


def test_an_episode_that_ends_is_dealt_anew_in_the_same_step() -> None:
    envs = native(64)
    ended = 0
    for observations, rewards, terminated, truncated, infos in steps(envs, 100)[1:]:
        done = terminated | truncated
        assert np.array_equal(rewards != 0, done)
        assert np.array_equal(infos.get("_final_obs", np.zeros(64, bool)), done)
        for index in np.flatnonzero(done):
            final = infos["final_obs"][index]
            assert envs.single_observation_space.contains(final)
            assert not final[FEATURES["legal"].slice].any()
            assert not infos["final_info"]["action_mask"][index].any()
            assert not np.array_equal(final, observations[index])
            ended += 1
    assert ended > 100


def test_the_masks_are_in_info_in_the_method_and_in_the_observation() -> None:
    envs = native(32, rules="1980", num_players=4)
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    for _ in range(50):
        observations, _, _, _, infos = envs.step(random_actions(infos["action_mask"], rng))
        assert np.array_equal(infos["action_mask"], envs.action_masks())
        assert np.array_equal(observations[:, FEATURES["legal"].slice], envs.action_masks())
        assert envs.action_masks().dtype == np.int8


def test_one_table_plays_the_same_episodes_as_the_single_environment() -> None:
    envs, env, rng = native(1, seat=1), Ono99Env(num_players=2, seat=1), np.random.default_rng(2)
    observation, _ = env.reset(seed=7)
    observations, infos = envs.reset(seed=7)
    for _ in range(300):
        assert np.array_equal(observations[0], observation)
        action = random_actions(infos["action_mask"], rng)
        observation, reward, terminated, truncated, _ = env.step(int(action[0]))
        observations, rewards, terminateds, truncateds, infos = envs.step(action)
        assert rewards[0] == pytest.approx(reward)
        assert (terminateds[0], truncateds[0]) == (terminated, truncated)
        if terminated:
            assert np.array_equal(infos["final_obs"][0], observation)
            observation, _ = env.reset()


def test_a_reset_mask_resets_those_tables_only() -> None:
    envs = native(num_players=3)
    before = steps(envs, 5)[-1][0]
    mask = np.arange(COUNT) % 3 == 0
    after, infos = envs.reset(options={"reset_mask": mask})
    plays = after[:, FEATURES["progress"].start + 2]
    assert np.array_equal(after[~mask], before[~mask])
    assert not (after[mask] == before[mask]).all(axis=1).any()
    assert (plays[mask] < plays[~mask].max()).all()
    assert infos["action_mask"].any(axis=1).all()


@pytest.mark.parametrize(
    "mask",
    [np.ones(COUNT + 1, bool), np.ones(COUNT - 1, bool), np.ones((2, COUNT), bool)],
    ids=["too long", "too short", "two-dimensional"],
)
def test_an_impossible_reset_mask_is_refused(mask: np.ndarray) -> None:
    envs = native()
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


def test_arrays_returned_earlier_never_change() -> None:
    envs, rng = native(), np.random.default_rng(3)
    _, infos = envs.reset(seed=3)
    kept = []
    for _ in range(40):
        result = envs.step(random_actions(infos["action_mask"], rng))
        infos = result[4]
        arrays = [*result[:4], infos["action_mask"], envs.action_masks()]
        kept.append((arrays, [array.copy() for array in arrays]))
    assert all(
        np.array_equal(a, b) for arrays, copies in kept for a, b in zip(arrays, copies, strict=True)
    )


def test_several_player_counts_are_mixed() -> None:
    envs = native(200, rules="1980", num_players=[2, 3, 8])
    observations, _ = envs.reset(seed=4)
    players = observations[:, FEATURES["num_players"].slice].argmax(axis=1) + 2
    assert set(players.tolist()) == {2, 3, 8}


@pytest.mark.skipif(
    gymnasium.__version__.startswith("1.2."),
    reason="Gymnasium 1.2's DictInfoToList cannot read what its RecordEpisodeStatistics writes",
)
def test_gymnasiums_vector_wrappers_work() -> None:
    envs = DictInfoToList(RecordEpisodeStatistics(native(32)))
    rng = np.random.default_rng(5)
    _, infos = envs.reset(seed=5)
    episodes = []
    for _ in range(60):
        masks = np.array([info["action_mask"] for info in infos])
        _, rewards, terminated, _, infos = envs.step(random_actions(masks, rng))
        for index in np.flatnonzero(terminated):
            assert infos[index]["episode"]["r"] == pytest.approx(rewards[index])
            assert "final_obs" in infos[index]
            episodes.append(index)
        assert not any("final_obs" in infos[index] for index in np.flatnonzero(~terminated))
    assert len(episodes) > 20


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        *(("num_players", value) for value in ([2, 9], [], 2.5, "four")),
        *(("num_envs", 0), ("seat", 2), ("opponents", []), ("colour", "red")),
    ],
)
def test_an_impossible_argument_is_refused_by_name(argument: str, value: Any) -> None:
    with pytest.raises(ValueError, match=argument):
        native(**{argument: value})


def test_a_list_of_seeds_is_refused() -> None:
    with pytest.raises(ValueError, match="seed"):
        native().reset(seed=list(range(COUNT)))


def test_batches_in_threads_play_as_they_do_one_after_the_other() -> None:
    def play(seed: int) -> list[bytes]:
        return [result[0].tobytes() for result in steps(native(64, num_players=4), 40, seed)]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(8))) == [play(seed) for seed in range(8)]


def test_rules_that_do_not_fit_one_of_the_player_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="dealer"):
        native(num_players=[2, 4], dealer=3)


def test_the_pages_say_the_size_of_the_observation() -> None:
    for page in (Ono99VectorEnv.reset.__doc__, Ono99Env.__doc__, ono99_v0.__doc__):
        assert f"{OBSERVATION_SIZE}" in page


def test_without_copies_the_same_games_are_written_into_the_same_arrays() -> None:
    copied, own = native(), native(copy=False)
    _, infos = copied.reset(seed=5)
    first, first_infos = own.reset(seed=5)
    for _ in range(40):
        actions = infos["action_mask"].argmax(axis=1)
        *arrays, infos = copied.step(actions)
        *own_arrays, own_infos = own.step(actions)
        for array, own_array in zip(arrays, own_arrays, strict=True):
            assert np.array_equal(array, own_array)
        assert np.array_equal(infos["action_mask"], own_infos["action_mask"])
    assert np.shares_memory(own_arrays[0], first)
    assert np.shares_memory(own_infos["action_mask"], first_infos["action_mask"])
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 1.0


def arrays_in(thing: Any) -> list[np.ndarray]:
    """All arrays in a tuple or dictionary, and those in arrays of objects."""
    if isinstance(thing, tuple | list):
        return [array for each in thing for array in arrays_in(each)]
    if isinstance(thing, dict):
        return arrays_in(list(thing.values()))
    if not isinstance(thing, np.ndarray):
        return []
    return [thing, *(arrays_in(thing.tolist()) if thing.dtype == object else [])]


@pytest.mark.parametrize("opponents", ["random", Asked()], ids=["compiled", "asked"])
def test_without_copies_what_an_environment_goes_on_from_cannot_be_written(opponents: Any) -> None:
    for observations, _, *others in steps(native(copy=False, opponents=opponents), 40):
        assert not any(array.flags.writeable for array in arrays_in([observations, others[2]]))


@pytest.mark.parametrize("edition", ["2022", "1980"])
@pytest.mark.parametrize(
    "opponents", ["random", "counter", [Asked(), "random"]], ids=["random", "counter", "asked"]
)
def test_the_number_of_threads_changes_nothing(
    edition: str, opponents: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "LEAST_SHARE", 5)

    def transcript(num_threads: int) -> list[bytes]:
        envs = native(
            37, rules=edition, num_players=4, opponents=opponents, num_threads=num_threads
        )
        return [
            array.tobytes()
            for result in steps(envs, 40)[1:]
            for array in (*result[:4], result[4]["action_mask"])
        ]

    assert transcript(1) == transcript(2) == transcript(5)


@pytest.mark.parametrize("num_threads", [0, -1, 1.5, "2", True])
def test_an_impossible_number_of_threads_is_refused(num_threads: int) -> None:
    with pytest.raises(ValueError, match="num_threads"):
        native(num_threads=num_threads)


@pytest.mark.parametrize("counts", [np.int64(3), np.array([2, 3]), range(2, 4), (2, 3)])
def test_player_counts_may_be_numpys_or_a_range(counts: Any) -> None:
    observations, _ = native(40, num_players=counts).reset(seed=1)
    players = observations[:, FEATURES["num_players"].slice].argmax(axis=1) + 2
    assert set(players.tolist()) == set(np.atleast_1d(np.array(counts)).tolist())


def test_too_many_player_counts_are_refused_in_a_short_message() -> None:
    with pytest.raises(ValueError, match="num_players must be a player count or a list") as refusal:
        native(num_players=[2, 3] * 1000)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(
    "rules",
    [
        Rules.preset("2022", num_players=4),
        Rules.preset("1980", num_players=3, format="chips"),
        Rules.preset("1980", num_players=5, format="points_lowest", bust_counts=True),
    ],
    ids=lambda rules: rules.format,
)
def test_compact_observations_show_what_the_vectors_show(rules: Rules) -> None:
    full, compact = native(64, rules=rules), native(64, rules=rules, compact=True)
    rng = np.random.default_rng(8)
    observations, infos = full.reset(seed=8)
    records, _ = compact.reset(seed=8)
    finals = 0
    for _ in range(120):
        assert records.dtype == np.uint8
        assert compact.observation_space.contains(records)
        views = Views.of_compact(rules, records)
        assert np.array_equal(views.observation, observations)
        assert np.array_equal(views.action_mask, infos["action_mask"])
        actions = random_actions(infos["action_mask"], rng)
        observations, _, _, _, infos = full.step(actions)
        records, _, _, _, compact_infos = compact.step(actions)
        assert np.array_equal(infos["action_mask"], compact_infos["action_mask"])
        for table in np.flatnonzero(infos.get("_final_obs", np.zeros(0))):
            last = Views.of_compact(rules, compact_infos["final_obs"][table][None])
            assert np.array_equal(last.observation[0], infos["final_obs"][table])
            finals += 1
    assert finals


def test_a_compact_observation_does_not_tell_what_others_hold() -> None:
    rules = Rules.preset("2022", num_players=3)
    envs = native(256, rules=rules, compact=True)
    rng = np.random.default_rng(5)
    observations, infos = envs.reset(seed=5)
    for _ in range(20):
        records = observations.view(COMPACT)[:, 0]
        for record, game in zip(records, envs._episodes.tables.games, strict=True):
            shown = record.state
            assert shown.random_counter == 0
            for seat in range(3):
                if seat == record.observer:
                    assert shown.hands[seat] == game.hands[seat]
                elif game.in_round >> seat & 1:
                    assert shown.hands[seat] == 0
                    assert shown.hidden_cards[seat] == counts_from_hand(game.hands[seat]).sum()
            assert counts_from_pile(shown.draw_pile).sum() == (
                counts_from_pile(game.draw_pile).sum() + shown.hidden_cards.sum()
            )
        observations, _, _, _, infos = envs.step(random_actions(infos["action_mask"], rng))


@pytest.mark.parametrize("space", [observation_space(), compact_observation_space()])
def test_the_batched_space_is_gymnasiums_without_its_memory(space: Box) -> None:
    ours, theirs = batched_box(space, 50), batch_space(space, 50)
    assert ours == theirs
    assert theirs == ours
    assert repr(ours) == repr(theirs)
    assert pickle.loads(pickle.dumps(ours)) == theirs
    for batch in (ours, theirs):
        batch.seed(3)
    sample = ours.sample()
    assert np.array_equal(sample, theirs.sample())
    assert ours.contains(sample)
    assert not ours.contains(sample[0])
    assert ours.low.base is not None
    assert max(ours.low.strides) <= space.low.itemsize


def test_masks_before_reset_and_unknown_options_are_refused() -> None:
    envs = Ono99VectorEnv(2)
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset"):
        envs.action_masks()
    with pytest.raises(ValueError, match=r"options: 'mask' is no option .*'reset_mask'"):
        envs.reset(options={"mask": np.ones(2, bool)})
