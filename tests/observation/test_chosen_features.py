"""With `features=` only the chosen slices are there, and they are those of the whole vector."""

import pickle

import gymnasium
import numpy as np
import pytest

import ono99_env
from ono99_env import Rules, ono99_v0
from ono99_env.envs.sb3 import Ono99VecEnv
from ono99_env.envs.single import Ono99Env
from ono99_env.envs.vector import Ono99VectorEnv
from ono99_env.observation import CORE, FEATURES, layout_of, resolve_features
from tests.bots.positions import positions

TABLES, STEPS = 6, 25

CHOICES = {
    "core": "core",
    "all but one": [name for name in FEATURES if name != "turn"],
    "core and slots": ["core", "format", "seats"],
    **{name: name for name in FEATURES},
}


def parts_of(observation, choice):
    """The chosen slices of whole vectors, one after the other."""
    names = resolve_features(choice)
    return np.concatenate([observation[..., FEATURES[name].slice] for name in names], axis=-1)


def played(**arguments):
    """All observations of a vector environment in which the first legal action is taken."""
    envs = Ono99VectorEnv(TABLES, **arguments)
    observation, infos = envs.reset(seed=3)
    seen = [observation]
    for step in range(STEPS):
        legal = infos["action_mask"]
        last = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
        actions = legal.argmax(axis=1) if step % 2 else last
        observation, *_, infos = envs.step(actions)
        seen += [observation, *(row for row in infos.get("final_obs", ()) if row is not None)]
    return envs, seen


@pytest.mark.parametrize(("rules", "num_players"), [("2022", 2), ("1980", 5)])
@pytest.mark.parametrize("choice", ["core", "all but one", "core and slots", "recent_plays"])
def test_a_vector_environment_gives_the_slices_of_whole_vectors(rules, num_players, choice):
    features = CHOICES[choice]
    table = {"rules": rules, "num_players": num_players}
    (_, whole), (envs, chosen) = played(**table), played(**table, features=features)
    assert len(whole) == len(chosen)
    for found, wanted in zip(chosen, whole, strict=True):
        np.testing.assert_array_equal(found, parts_of(wanted, features))
    assert envs.single_observation_space.shape == chosen[0].shape[1:]
    assert chosen[0] in envs.observation_space


@pytest.mark.parametrize("choice", CHOICES)
def test_views_give_the_slices_of_whole_vectors(choice):
    rules = Rules.preset("1980", num_players=5, format="points_lowest")
    names = resolve_features(CHOICES[choice])
    for views in positions(rules, num_games=5, most_steps=40, seed=1):
        found = views.observation_of(names)
        np.testing.assert_array_equal(found, parts_of(views.observation, names))


def test_a_row_is_written_to_its_end_and_not_beyond():
    envs = Ono99VectorEnv(3, num_players=2, features=["total", "unseen"], copy=False)
    observation, _ = envs.reset(seed=1)
    wanted = observation.copy()
    assert (wanted[:, 1:].max(axis=1) > 0).all()
    envs._episodes.observation[:] = 7.0
    envs._episodes._write_look(np.array([1]))
    np.testing.assert_array_equal(observation[1], wanted[1])
    assert (observation[[0, 2]] == 7.0).all()


def test_the_layout_finds_slices_by_name():
    envs = Ono99VectorEnv(2, features=["unseen", "total", "hand"])
    assert list(envs.layout) == ["hand", "total", "unseen"]
    observation, _ = envs.reset(seed=1)
    whole, _ = Ono99VectorEnv(2).reset(seed=1)
    for name, feature in envs.layout.items():
        np.testing.assert_array_equal(observation[:, feature.slice], whole[:, FEATURES[name].slice])


def test_every_environment_takes_features():
    names = ("hand", "total")
    single = gymnasium.make("ono99/Ono99-v0", features=names)
    agents = ono99_v0.env(features=names)
    flat = ono99_v0.env(features=names, flatten=True)
    for each in (agents, flat):
        each.reset(seed=1)
    observation = agents.observe("player_0")["observation"]
    tables = Ono99VecEnv(num_envs=2, features=names)
    shapes = {
        single.observation_space.shape,
        single.reset(seed=1)[0].shape,
        agents.observation_space("player_0")["observation"].shape,
        observation.shape,
        agents.last()[0]["observation"].shape,
        flat.observation_space("player_0").shape,
        flat.last()[0].shape,
        tables.observation_space.shape,
        tables.reset().shape[1:],
        gymnasium.make_vec(
            "ono99/Ono99-v0", 2, "vector_entry_point", features=names
        ).single_observation_space.shape,
    }
    assert shapes == {(17,)}
    for each in (single.unwrapped, agents, tables):
        assert tuple(each.layout) == names


def test_the_agents_and_the_single_environment_see_slices_of_whole_vectors():
    pairs = [ono99_v0.env(num_players=3, features=each) for each in ("full", "core")]
    singles = [Ono99Env(num_players=3, features=each) for each in ("full", "core")]
    seen = [each.reset(seed=2) for each in singles]
    for each in pairs:
        each.reset(seed=2)
    for _ in range(8):
        np.testing.assert_array_equal(seen[1][0], parts_of(seen[0][0], "core"))
        action = int(np.flatnonzero(seen[0][1]["action_mask"])[-1])
        results = [each.step(action) for each in singles]
        seen = [(result[0], result[-1]) for result in results]
        whole, chosen = (each.last()[0] for each in pairs)
        np.testing.assert_array_equal(chosen["observation"], parts_of(whole["observation"], "core"))
        for agent in ("player_0", "player_1"):
            whole, chosen = (each.observe(agent)["observation"] for each in pairs)
            np.testing.assert_array_equal(chosen, parts_of(whole, "core"))
        action = int(np.flatnonzero(pairs[0].last()[-1]["action_mask"])[0])
        for each in pairs:
            each.step(action)
        if results[0][2] or not pairs[0].agents:
            break


def test_bots_of_python_see_everything_whatever_is_chosen():
    class Watcher(ono99_env.Bot):
        name = "watcher"
        widths: set[int] = set()  # noqa: RUF012

        def act(self, views, rng):
            self.widths.add(views.observation.shape[1])
            return views.action_mask.argmax(axis=1)

    envs = Ono99VectorEnv(2, opponents=[Watcher()], features="core")
    _, infos = envs.reset(seed=1)
    envs.step(infos["action_mask"].argmax(axis=1))
    assert Watcher.widths == {466}


def test_a_copied_environment_goes_on_with_its_features():
    envs = Ono99VectorEnv(2, features="core")
    _, infos = envs.reset(seed=1)
    copied = pickle.loads(pickle.dumps(envs))
    actions = infos["action_mask"].argmax(axis=1)
    np.testing.assert_array_equal(copied.step(actions)[0], envs.step(actions)[0])
    assert dict(copied.layout) == dict(envs.layout)


def test_core_is_what_the_champion_reads():
    champion = ono99_env.load_bot("2022")
    assert tuple(champion.metadata.training["config"]["features"]) == CORE


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("hnad", "there is no feature 'hnad'; did you mean 'hand'"),
        (["hand", "coer"], "there is no feature 'coer'; did you mean 'core'"),
        (["zzz"], "there is no feature 'zzz'; known are: full, core, hand"),
        ([], "features must be a name or a list of names, not \\[\\]"),
        (7, "features must be a name or a list of names, not 7"),
        ([7], "there is no feature 7"),
    ],
)
@pytest.mark.parametrize("make", [Ono99VectorEnv, Ono99Env, Ono99VecEnv, ono99_v0.env])
def test_wrong_features_are_refused_with_a_suggestion(make, features, message):
    with pytest.raises(ValueError, match=message):
        make(features=features)


def test_compact_records_have_no_features_to_choose():
    with pytest.raises(ValueError, match="features: compact=True"):
        Ono99VectorEnv(2, compact=True, features="core")


def test_a_layout_has_no_gaps():
    for choice in CHOICES.values():
        layout = layout_of(resolve_features(choice))
        ends = [feature.start + feature.size for feature in layout.values()]
        assert [feature.start for feature in layout.values()] == [0, *ends[:-1]]
