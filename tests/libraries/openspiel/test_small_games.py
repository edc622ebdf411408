"""Exact solutions of small games, as a check of the engine, the bots and the training."""

import numpy as np
import pytest

from ono99_env import Rules, load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, rules_array
from ono99_env.observation import Views
from ono99_env.openspiel import GameTree, solve
from ono99_env.openspiel.open_table import BoundedRules
from tests.libraries.openspiel.conftest import RULES

SCRIPTED = ("random", "lowest", "highest", "hoarder", "tiers", "smooth", "counter")


def simulated_returns(rules: Rules, games: int) -> np.ndarray:
    """The return of seat 0 in games that the engine's fast path plays at random."""
    rules, array = BoundedRules.of(rules).rules, rules_array(BoundedRules.of(rules).rules)
    records, bot = np.zeros(games, STATE), load_bot("random")
    players = np.full(games, rules.num_players)
    batch.deal_games(records, array, players, np.arange(games, dtype=np.uint64))
    rng = np.random.default_rng(0)
    while len(playing := np.flatnonzero(records["phase"] == 0)):
        some = records[playing]
        views = Views.of(rules, some, some["current_player"].astype(np.int64))
        batch.step_games(some, array, bot.act(views, rng))
        records[playing] = some
    returns = np.zeros((games, 8))
    batch.fill_returns(records, returns)
    return returns[:, 0]


@pytest.mark.parametrize("extra", [{}, {"missed_draw_probability": 0.25}, {"dealer": "random"}])
def test_random_play_is_worth_what_the_engine_simulates(tiny_rules, extra):
    """Two ways through the rules: every card named and every history weighed, and the fast path."""
    rules = tiny_rules.model_copy(update={"dealer": 1, **extra})
    tree = GameTree(rules)
    value = tree.values(tree.policy(load_bot("random")))[0]
    returns = simulated_returns(rules, games=100_000)
    four_errors = 4 * returns.std() / np.sqrt(len(returns))
    assert four_errors < 0.014
    assert abs(returns.mean() - value) < four_errors


def test_the_value_of_a_mini_game_is_what_the_engine_simulates(mini_tree):
    value = mini_tree.values(mini_tree.policy(load_bot("random")))[0]
    returns = simulated_returns(mini_tree.rules, games=100_000)
    assert abs(returns.mean() - value) < 4 * returns.std() / np.sqrt(len(returns))


def test_the_arena_measures_what_is_computed(mini_tree):
    """Win rates over duplicate deals: each bot in each seat, as in the exact mean of two values."""
    bots = [load_bot("highest"), load_bot("random")]
    first = mini_tree.values(mini_tree.policy(bots))[0]
    second = mini_tree.values(mini_tree.policy(bots[::-1]))[1]
    outcome = one_vs_rest(mini_tree.rules, *bots, 2, 100_000, seed=1, confidence=0.9999)
    low, high = outcome.interval
    assert low < (1 + (first + second) / 2) / 2 < high


def test_an_equilibrium_is_found(mini_tree, equilibrium):
    assert equilibrium.exploitability < 1e-3
    assert sum(equilibrium.values) == pytest.approx(0)
    assert equilibrium.values[0] == pytest.approx(0.0044, abs=0.002)
    assert equilibrium.policy.sum(axis=1) == pytest.approx(1)


def test_no_scripted_bot_is_better_than_the_equilibrium(mini_tree, equilibrium):
    """And none wins against it, in either seat, beyond what it can be exploited."""
    for name in SCRIPTED:
        policy = mini_tree.policy(load_bot(name))
        assert mini_tree.exploitability(policy) > equilibrium.exploitability
        for seat in range(2):
            of_seat = mini_tree.views.seats == seat
            mixed = np.where(of_seat[:, None], policy, equilibrium.policy)
            gain = mini_tree.values(mixed)[seat] - equilibrium.values[seat]
            assert gain <= 2 * equilibrium.exploitability + 1e-9


def test_the_documented_exploitability_of_a_bot(mini_tree):
    """As in the table of docs/libraries/openspiel.md."""
    found = mini_tree.exploitability(mini_tree.policy(load_bot("counter")))
    assert found == pytest.approx(0.0426, abs=5e-5)


def test_more_than_two_players_are_not_solved():
    rules = Rules.preset(
        "2022", num_players=3, deck={"4": 4}, hand_size=1, highest_total=8, max_plays=3
    )
    tree = GameTree(rules)
    assert tree.nash_conv(tree.policy(load_bot("random"))) == pytest.approx(0)
    with pytest.raises(ValueError, match="2 players, not of 3"):
        solve(tree)


@pytest.mark.parametrize("path", sorted(RULES.glob("mini_*.yaml")), ids=lambda path: path.stem)
def test_the_mini_games_are_small_and_say_how_small(path):
    comment = path.read_text(encoding="utf-8")
    assert "histories" in comment.split("edition:")[0]
    rules = Rules.from_yaml(path)
    assert rules.num_players == 2
    assert rules.max_plays is not None
