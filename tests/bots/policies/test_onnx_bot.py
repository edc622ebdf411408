"""A bot file plays: greedy or sampled, alone or in batches, copied and pickled."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import cloudpickle
import numpy as np
import pytest
from onnx.helper import make_node

from ono99_env import Game, Rules, Views
from ono99_env.bots.policies import onnx_bot as onnx_bots
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.messages.errors import BotFileError
from ono99_env.observation import FEATURES, OBSERVATION_SIZE
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.tables import Episodes
from tests.bots.policies.bot_files import LOWEST, RULES, linear_weights, write_bot_file
from tests.bots.policies.odd_networks import of_columns
from tests.bots.positions import positions


@pytest.fixture
def path(tmp_path):
    return write_bot_file(tmp_path / "bot.onnx")


@pytest.fixture(scope="module")
def views() -> Views:
    """Some positions of the middle game."""
    return list(positions(RULES, num_games=300, most_steps=12, seed=1))[-1]


def part(views: Views, chosen: slice | np.ndarray) -> Views:
    return Views(views.rules, views.states[chosen], views.seats[chosen])


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_it_takes_the_best_legal_action(path, views):
    logits = views.observation @ linear_weights()
    expected = np.where(views.action_mask, logits, -np.inf).argmax(axis=1)
    assert (OnnxBot(path).act(views, rng()) == expected).all()


def test_evaluate_gives_masked_logits_and_values(path, views):
    logits, value = OnnxBot(path).evaluate(views.observation, views.action_mask)
    expected = views.observation @ linear_weights()
    assert (logits[~views.action_mask] == LOWEST).all()
    np.testing.assert_allclose(logits[views.action_mask], expected[views.action_mask], atol=1e-4)
    np.testing.assert_allclose(value, expected.mean(axis=1), atol=1e-4)


def test_choices_do_not_depend_on_the_batch(path, views, monkeypatch):
    bot = OnnxBot(path)
    sampling = OnnxBot(path, sample=True)
    whole, drawn = bot.act(views, rng()), sampling.act(views, rng())
    alone = [bot.act(part(views, slice(i, i + 1)), rng())[0] for i in range(len(views))]
    assert alone == whole.tolist()
    monkeypatch.setattr(onnx_bots, "CHUNK", 7)
    assert (bot.act(views, rng()) == whole).all()
    assert (sampling.act(views, rng()) == drawn).all()


@pytest.mark.parametrize("step", [1, 2, 3])
def test_choices_among_the_lowest_logits_do_not_depend_on_the_batch(tmp_path, views, step):
    weights = linear_weights()
    weights[:, ::step] = LOWEST / OBSERVATION_SIZE
    bot = OnnxBot(write_bot_file(tmp_path / "bot.onnx", weights))
    alone = [bot.act(part(views, slice(i, i + 1)), rng())[0] for i in range(len(views))]
    assert alone == bot.act(views, rng()).tolist()


@pytest.mark.parametrize("size", [1, 2])
def test_logits_that_become_infinite_in_play_are_an_error(tmp_path, views, size):
    divide = [make_node("Div", ["unit", "columns"], ["all_logits"])]
    path = tmp_path / "bot.onnx"
    first, last = FEATURES["total"].start, FEATURES["total"].start + NUM_ACTIONS
    columns = {"zero": np.array([first]), "seventeen": np.array([last])}  # many of them are 0
    path.write_bytes(of_columns(divide, unit=np.float32(1), **columns))
    with pytest.raises(BotFileError, match="computed logits that are not finite"):
        OnnxBot(path).act(part(views, slice(size)), rng())


def test_threads_that_share_a_bot_get_the_choices_of_one(path, views):
    bot = OnnxBot(path)
    singles = [part(views, slice(row, row + 1)) for row in range(60)]
    expected = [int(bot.act(each, rng())[0]) for each in singles]

    def choose_all(_: int) -> list[int]:
        return [int(bot.act(each, rng())[0]) for each in singles]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(choose_all, range(12))) == [expected] * 12


def test_no_views_need_no_actions(path, views):
    assert OnnxBot(path).act(part(views, slice(0)), rng()).shape == (0,)


@pytest.mark.slow
def test_sampling_draws_from_the_policy(tmp_path, views):
    path = write_bot_file(tmp_path / "bot.onnx", linear_weights() / 10)
    bot, count = OnnxBot(path, sample=True), 20_000
    choices = views.action_mask.sum(axis=1)
    index = int(choices.argmax())
    many = part(views, np.full(count, index))
    taken = np.bincount(bot.act(many, rng()), minlength=NUM_ACTIONS) / count
    logits = np.where(
        views.action_mask[index], views.observation[index] @ linear_weights() / 10, -99
    )
    expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    assert np.abs(taken - expected).max() < 5 * np.sqrt(0.25 / count)
    assert not taken[~views.action_mask[index]].any()


def test_sampling_follows_the_generator(path, views):
    bot = OnnxBot(path, sample=True)
    first = bot.act(views, rng(1))
    np.random.seed(0)
    assert (bot.act(views, rng(1)) == first).all()
    assert (bot.act(views, rng(2)) != first).any()


@pytest.mark.parametrize("sample", [False, True])
def test_even_the_lowest_logits_give_legal_actions(tmp_path, views, sample):
    weights = np.full((OBSERVATION_SIZE, NUM_ACTIONS), LOWEST / OBSERVATION_SIZE, np.float32)
    bot = OnnxBot(write_bot_file(tmp_path / "bot.onnx", weights), sample=sample)
    actions = bot.act(views, rng())
    assert views.action_mask[np.arange(len(views)), actions].all()


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_logits_that_are_not_finite_are_an_error_that_names_the_bot(tmp_path, views, number):
    weights = linear_weights()
    weights[:, 3] = number
    with pytest.raises(BotFileError, match=r"broken\.onnx computes logits that are not finite"):
        OnnxBot(write_bot_file(tmp_path / "broken.onnx", weights))


def test_rules_it_was_not_trained_for_are_refused(path):
    bot = OnnxBot(path)
    bot.check_rules(RULES)
    with pytest.raises(
        ValueError, match=r"bot\.onnx' cannot play this game: .*num_players \(it is 6"
    ):
        bot.check_rules(RULES.with_players(6))
    with pytest.raises(ValueError, match="hand_size"):
        Episodes(Rules.preset("2022", hand_size=3), 1, opponents=[bot])


def test_views_of_other_rules_are_refused_and_rules_are_compared_once(path, views, monkeypatch):
    bot = OnnxBot(path)
    game = Game(rules=Rules.preset("2022", hand_size=3), seed=1)
    other = Views.of(game.rules, game.games, [game.current_player])
    for _ in range(2):
        with pytest.raises(ValueError, match=r"bot\.onnx' cannot play this game: .*hand_size"):
            bot.act(other, rng())
    compared = []
    monkeypatch.setattr(OnnxBot, "check_rules", lambda bot, rules: compared.append(rules))
    for _ in range(3):
        bot.act(views, rng())
    assert compared == [RULES]


@pytest.mark.parametrize(
    "clone",
    [
        copy.deepcopy,
        *(
            lambda bot, module=module: module.loads(module.dumps(bot))
            for module in (pickle, cloudpickle)
        ),
    ],
)
def test_copies_play_alike_without_the_file(path, views, clone):
    bot = OnnxBot(path, sample=True)
    path.unlink()
    twin = clone(bot)
    assert (twin.name, twin.sample, twin.metadata) == (bot.name, True, bot.metadata)
    assert (twin.act(views, rng()) == bot.act(views, rng())).all()


@pytest.mark.parametrize("name", ["{path}", "{path}?sample"])
def test_it_plays_as_an_opponent(path, name):
    episodes = Episodes(RULES, 8, opponents=[name.format(path=path), "random"], seed=3)
    finished = 0
    for _ in range(60):
        done = episodes.step(episodes.action_mask.argmax(axis=1))
        finished += len(done)
        episodes.reset(done)
    assert finished > 5
