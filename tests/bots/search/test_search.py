"""The bot `search`: legal, repeatable, within its budget, and good at what can be worked out."""

import pickle
import random
import time

import numpy as np
import pytest

from ono99_env import Action, Game, Rules, Views, load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.bots.search import SearchBot
from tests.bots.positions import positions
from tests.positions import position
from tests.random_rules import random_rules

RULES = [random_rules(random.Random(seed)) for seed in range(40)]


def decide(bot: SearchBot, views: Views, seed: int = 0) -> np.ndarray:
    return bot.act(views, np.random.default_rng(seed))


def some_views(count: int) -> Views:
    """Positions with a choice, some way into games of four."""
    *_, views = positions(Rules(num_players=4), num_games=count, most_steps=25, seed=1)
    chosen = np.flatnonzero(views.action_mask.sum(axis=1) > 1)
    return Views(views.rules, views.states[chosen], views.seats[chosen])


@pytest.mark.slow
def test_it_acts_legally_under_all_rules():
    bots = [SearchBot(simulations=8), SearchBot(simulations=8, threads=2)]
    for seed, rules in enumerate(RULES):
        for step, views in enumerate(positions(rules, num_games=6, most_steps=25, seed=seed)):
            actions = decide(bots[step % 2], views)
            assert actions.dtype == np.int64
            assert views.action_mask[np.arange(len(views)), actions].all()


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 30])
def test_the_number_of_threads_does_not_matter(count):
    views = some_views(60)
    views = Views(views.rules, views.states[:count], views.seats[:count])
    one, two, three = (decide(SearchBot(200, threads=n), views) for n in (1, 2, 3))
    assert (one == two).all()
    assert (one == three).all()


@pytest.mark.slow
def test_the_generator_alone_decides():
    views, bot = some_views(150), SearchBot(simulations=12)
    first = decide(bot, views, 7)
    np.random.seed(1)
    assert (first == decide(bot, views, 7)).all()
    assert (first == decide(pickle.loads(pickle.dumps(bot)), views, 7)).all()
    assert any((first != decide(bot, views, seed)).any() for seed in range(8, 14))


@pytest.mark.parametrize("budget", [{"simulations": 10**12}, {"milliseconds": 10**7}])
@pytest.mark.parametrize("threads", [1, 2])
def test_with_one_legal_action_it_does_not_search(budget, threads):
    game = Game.from_snapshot(
        position(Rules(num_players=2), ["9 9 9 minus_ten", "9 8 7 0"], total=98)
    )
    assert game.legal_actions() == [Action.MINUS_TEN]
    assert decide(SearchBot(**budget, threads=threads), game.views()) == [Action.MINUS_TEN]


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_it_keeps_to_its_time(threads):
    bot, view = SearchBot(milliseconds=100, threads=threads), Game(Rules(), seed=1).views()
    start = time.perf_counter()
    action = decide(bot, view)
    taken = time.perf_counter() - start
    assert view.action_mask[0, action]
    assert 0.1 <= taken < 1  # a busy machine may be late


@pytest.mark.slow
@pytest.mark.parametrize("match", ["single_round", "chips", "points_last_standing"])
def test_it_passes_on_a_debt_that_the_other_cannot_pay(match):
    """Few unseen cards fit, and the playout policy would answer with the Minus Ten."""
    rules = Rules(num_players=2, hand_size=2, format=match)
    game = position(rules, ["reverse minus_ten", "0 5"], "0 5 5 5 5 5", total=98, plays_owed=2)
    view = Game.from_snapshot(game).views()
    for bot in (SearchBot(2000), SearchBot(milliseconds=200)):
        assert decide(bot, view) == [Action.REVERSE]


@pytest.mark.slow
def test_it_beats_random_clearly():
    result = one_vs_rest(Rules(), SearchBot(30), load_bot("random"), 2, games=300, seed=1)
    assert result.interval[0] > 0.6


def test_it_is_loaded_with_its_options():
    bot = load_bot("search:simulations=300,threads=2")
    assert (bot.simulations, bot.milliseconds, bot.threads) == (300, None, 2)
    assert bot.name == "search:simulations=300,threads=2"
    assert load_bot("search:milliseconds=5").milliseconds == 5
    assert load_bot("search").simulations == 1000


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("search:simulations=0", "simulations must be at least 1, not 0"),
        ("search:simulations=5,milliseconds=5", "simulations or milliseconds, not both"),
        ("search:depth=3", "has no option 'depth'"),
        ("search:threads=many", "threads"),
    ],
)
def test_impossible_options_are_refused(name, message):
    with pytest.raises(ValueError, match=message):
        load_bot(name)
