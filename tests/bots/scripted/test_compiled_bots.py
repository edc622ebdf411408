"""The bots that are compiled with the engine act legally everywhere, and as their pages say."""

import random

import numpy as np
import pytest

from ono99_env import Action, Card, Rules, Views, load_bot
from ono99_env.bots.scripted.compiled import CompiledBot
from tests.bots.positions import positions
from tests.random_rules import random_rules

HIGHEST_ORDER = [
    "10",
    "9",
    "8",
    "7",
    "6",
    "5",
    "4",
    "3",
    "2",
    "1",
    "0",
    "reverse",
    "play_two",
    "minus_ten",
    "hold",
    "discard_four_ono99",
    "ono99",
]

RULES = [random_rules(random.Random(seed)) for seed in range(80)]


def are_legal(actions: np.ndarray, views: Views) -> bool:
    return bool(views.action_mask[np.arange(len(views)), actions].all())


def without_busts(views: Views) -> np.ndarray:
    """The legal actions that keep the total within the limit."""
    added = np.array([*(card.added for card in Card), 0])
    floor = -np.inf if views.rules.lowest_total is None else views.rules.lowest_total
    totals = np.maximum(views.states["total"][:, None] + added, floor)
    fits = totals <= views.rules.highest_total
    fits[:, Action.DISCARD_FOUR_ONO99] = True
    return views.action_mask & fits


def test_the_rules_drawn_hold_every_edition_with_every_format():
    assert len({(rules.edition, rules.format) for rules in RULES}) == 8


@pytest.mark.slow
@pytest.mark.parametrize("name", CompiledBot.NAMES)
def test_a_bot_acts_legally_under_all_rules(name):
    bot, rng = load_bot(name), np.random.default_rng(0)
    for seed, rules in enumerate(RULES):
        for views in positions(rules, num_games=20, most_steps=30, seed=seed):
            actions = bot.act(views, rng)
            assert actions.dtype == np.int64
            assert are_legal(actions, views)
            alone = Views(rules, views.states[:1], views.seats[:1])
            assert are_legal(bot.act(alone, rng), alone)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in CompiledBot.NAMES if name != "random"])
def test_only_random_busts_while_it_need_not(name):
    bot, rng, came_up = load_bot(name), np.random.default_rng(0), 0
    for seed, rules in enumerate(RULES):
        for views in positions(rules, num_games=20, most_steps=30, seed=seed):
            allowed = without_busts(views)
            within = allowed.any(axis=1)
            actions = bot.act(views, rng)
            assert allowed[within, actions[within]].all()
            came_up += int((views.action_mask & ~allowed)[within].any(axis=1).sum())
    assert came_up > 100


@pytest.mark.slow
def test_highest_follows_its_order():
    bot, rng = load_bot("highest"), np.random.default_rng(0)
    order = np.array([Action.from_label(label) for label in HIGHEST_ORDER])
    assert sorted(order) == list(range(17))
    seen = set()
    for seed, rules in enumerate(RULES):
        for views in positions(rules, num_games=20, most_steps=30, seed=seed):
            expected = order[without_busts(views)[:, order].argmax(axis=1)]
            within = without_busts(views).any(axis=1)
            assert (bot.act(views, rng) == expected)[within].all()
            seen.update(expected[within].tolist())
    assert seen == set(range(17))  # every choice came up


def test_highest_draws_no_chance():
    bot = load_bot("highest")
    for views in positions(RULES[0], num_games=50, most_steps=20, seed=1):
        one, other = (bot.act(views, np.random.default_rng(seed)) for seed in (1, 2))
        assert (one == other).all()


def test_random_takes_every_legal_action_equally_often():
    views = next(positions(Rules.preset("2022"), num_games=50, most_steps=1, seed=0))
    index = int((views.action_mask.sum(axis=1) == 4).argmax())
    legal = np.flatnonzero(views.action_mask[index])
    count = 40_000
    chosen = np.full(count, index)
    many = Views(views.rules, views.states[chosen], views.seats[chosen])
    taken = np.bincount(load_bot("random").act(many, np.random.default_rng(0)), minlength=17)
    # Five standard deviations of a fair draw.
    assert np.abs(taken[legal] - count / 4).max() < 5 * np.sqrt(count * 3 / 16)


def test_the_generator_alone_decides_what_random_does():
    bot, np_state = load_bot("random"), np.random.get_state()
    views = next(positions(RULES[0], num_games=200, most_steps=1, seed=1))
    first = bot.act(views, np.random.default_rng(7))
    np.random.seed(1)
    random.seed(1)
    again = bot.act(views, np.random.default_rng(7))
    np.random.set_state(np_state)
    assert (first == again).all()
    assert (first != bot.act(views, np.random.default_rng(8))).any()


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(
        ValueError, match="no compiled bot 'fool'; there are: random, highest, lowest"
    ):
        CompiledBot("fool")
