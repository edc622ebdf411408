"""What the scripted bots do in positions where their ideas show, and how strong they are."""

import numpy as np
import pytest

from ono99_env import Action, Game, Rules, load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.bots.scripted.compiled import CompiledBot
from tests import random_games
from tests.observation.test_no_leak import other_truth, view_of
from tests.positions import position

SCRIPTED = [name for name in CompiledBot.NAMES if name != "random"]
TWO = Rules.preset("2022", num_players=2)
FOUR = Rules.preset("2022", num_players=4)
OLD = Rules.preset("1980", num_players=4)
POINTS = Rules.preset("1980", num_players=4, format="points_lowest")


def choice(name: str, rules: Rules, hand: str, total: int, **keys: object) -> str:
    """What a bot plays with a hand; the others hold numbers."""
    others = ["10 10 5 5", "10 10 6 6", "10 10 7 7"][: rules.num_players - 1]
    game = Game.from_snapshot(position(rules, [hand, *others], total=total, **keys))
    action = load_bot(name).act(game.views(), np.random.default_rng(0))[0]
    assert action in game.legal_actions()
    return Action(int(action)).label


def owing_two(name: str, rules: Rules, hand: str, total: int) -> str:
    return choice(name, rules, hand, total, plays_owed=2)


@pytest.mark.parametrize("name", ["highest", "hoarder", "tiers", "smooth", "counter"])
@pytest.mark.parametrize("rules", [TWO, FOUR, OLD])
def test_high_numbers_go_first_while_the_total_is_low(name, rules):
    assert choice(name, rules, "10 3 minus_ten reverse", total=20) == "10"


@pytest.mark.parametrize("name", ["highest", "hoarder", "smooth", "counter"])
def test_what_always_fits_is_kept_while_a_number_fits(name):
    assert choice(name, FOUR, "3 10 reverse 0", total=93) == "3"


def test_lowest_keeps_the_high_numbers():
    assert choice("lowest", TWO, "10 3 minus_ten 0", total=20) == "0"
    assert choice("lowest", TWO, "10 3 minus_ten 9", total=20) == "3"
    assert choice("lowest", TWO, "10 9 minus_ten reverse", total=95) == "reverse"


def test_hoarder_spends_play_two_late_and_a_plain_zero_early():
    assert choice("hoarder", FOUR, "play_two 0 reverse minus_ten", total=30) == "0"
    assert choice("hoarder", FOUR, "play_two 0 reverse minus_ten", total=95) == "play_two"
    assert choice("hoarder", FOUR, "minus_ten 0 reverse 10", total=95) == "0"


def test_hoarder_makes_room_when_it_owes_two():
    assert owing_two("hoarder", FOUR, "play_two 3 reverse minus_ten", total=90) == "minus_ten"
    assert owing_two("hoarder", FOUR, "play_two 3 reverse 0", total=90) == "reverse"
    assert owing_two("hoarder", OLD, "play_two 3 hold 4", total=90) == "hold"
    assert owing_two("hoarder", FOUR, "play_two 3 reverse minus_ten", total=30) == "3"


def test_tiers_changes_its_order_with_the_total():
    hand = "9 3 0 minus_ten"
    assert [choice("tiers", FOUR, hand, total) for total in (59, 84, 85)] == ["9", "9", "minus_ten"]
    assert choice("tiers", FOUR, "play_two 0 reverse minus_ten", total=59) == "0"
    assert choice("tiers", FOUR, "play_two 0 reverse minus_ten", total=60) == "play_two"
    assert choice("tiers", FOUR, "9 3 0 play_two", total=85) == "0"
    assert choice("tiers", FOUR, "9 3 reverse play_two", total=85) == "play_two"
    assert choice("tiers", FOUR, "9 3 reverse reverse", total=85) == "reverse"
    assert choice("tiers", FOUR, "9 3 5 7", total=85) == "3"


def test_tiers_answers_an_obligation_above_70():
    assert owing_two("tiers", FOUR, "9 reverse play_two minus_ten", total=71) == "reverse"
    assert owing_two("tiers", FOUR, "9 3 play_two minus_ten", total=71) == "play_two"
    assert owing_two("tiers", OLD, "9 3 hold minus_ten", total=71) == "hold"
    assert owing_two("tiers", FOUR, "9 reverse play_two minus_ten", total=70) == "9"


def test_the_thresholds_move_with_the_limit():
    low = Rules.preset("2022", num_players=4, highest_total=48)
    assert choice("hoarder", low, "play_two 0 reverse minus_ten", total=45) == "play_two"
    assert choice("tiers", low, "9 3 0 minus_ten", total=35) == "minus_ten"


@pytest.mark.parametrize("name", ["hoarder", "smooth", "counter"])
def test_the_answer_or_the_room_comes_before_a_number_when_two_are_owed(name):
    assert owing_two(name, FOUR, "2 8 9 reverse", total=95) == "reverse"
    assert owing_two(name, FOUR, "2 8 9 minus_ten", total=95) == "minus_ten"


@pytest.mark.parametrize(
    ("hand", "total", "if_all_stuck", "if_nobody_is"),
    [
        ("8 ono99 play_two 0", 98, "0", "play_two"),
        ("minus_ten reverse 10 9", 95, "reverse", "minus_ten"),
    ],
)
def test_counter_knows_what_the_others_cannot_hold(hand, total, if_all_stuck, if_nobody_is):
    """Where no unseen card fits, one plain card wins; where all do, it takes more."""
    high, low = "4 4 5 5 6 6 7 7 8 8 9", "0 0 0 0 1 1 2 2 3 3"
    assert choice("counter", TWO, hand, total, draw_pile=high) == if_all_stuck
    assert choice("counter", TWO, hand, total, draw_pile=low) == if_nobody_is


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_bust_gets_rid_of_the_card_that_would_cost_most(name):
    assert choice(name, POINTS, "10 9 8 ono99", total=97) == "10"
    assert choice(name, POINTS, "9 8 ono99 ono99", total=98) == "9"


@pytest.mark.parametrize("name", SCRIPTED)
def test_beyond_the_limit_a_special_costs_most(name):
    rules = Rules.preset("1980", num_players=4, format="points_lowest", bust_counts=True)
    assert choice(name, rules, "10 hold ono99 9", total=103) == "hold"
    assert choice(name, rules, "10 reverse minus_ten 9", total=110) == "reverse"
    assert choice(name, rules, "10 reverse minus_ten 9", total=103) == "minus_ten"  # it fits


@pytest.mark.parametrize("name", SCRIPTED)
def test_nobody_busts_of_free_will(name):
    rules = Rules.preset("1980", num_players=4, format="points_lowest", voluntary_bust=True)
    assert choice(name, rules, "10 9 8 hold", total=98) == "hold"
    assert choice(name, rules, "10 9 8 2", total=96) == "2"
    assert choice(name, rules, "10 9 8 8", total=96) == "10"


@pytest.mark.parametrize("name", [name for name in SCRIPTED if name not in ("highest", "lowest")])
def test_dead_weight_goes_as_soon_as_it_may(name):
    rules = Rules.preset("1980", num_players=4, ono99_play="total_ends_in_zero")
    assert choice(name, rules, "10 ono99 hold 9", total=50) == "ono99"
    five = Rules.preset("2022", num_players=2, hand_size=5)
    assert choice(name, five, "ono99 ono99 ono99 ono99 10", total=50) == "discard_four_ono99"


@pytest.mark.parametrize("name", SCRIPTED)
def test_a_bot_sees_no_hidden_card(name):
    bot, differing = load_bot(name), 0
    for rng, game in random_games.positions(22, 150):
        if game.is_over:
            continue
        seat = game.current_player
        other = other_truth(game, seat, rng)
        if other is None:
            continue
        differing += game.snapshot()["hands"] != other.snapshot()["hands"]
        mine, theirs = (
            bot.act(view_of(truth, seat), np.random.default_rng(0)) for truth in (game, other)
        )
        assert mine == theirs
    assert differing > 40


@pytest.mark.slow
@pytest.mark.parametrize("name", ["highest", "hoarder", "smooth", "counter"])
@pytest.mark.parametrize("rules", [TWO, FOUR, OLD, POINTS], ids=["two", "four", "chips", "points"])
def test_a_bot_beats_random_clearly(name, rules):
    result = one_vs_rest(
        *(rules, load_bot(name), load_bot("random"), rules.num_players),
        games=2_000,
        seed=1,
        confidence=0.999,
    )
    assert result.interval[0] > 1.1 / rules.num_players


@pytest.mark.slow
@pytest.mark.parametrize("name", ["smooth", "counter", "hoarder"])
def test_the_better_ideas_beat_highest_at_four(name):
    result = one_vs_rest(
        FOUR, load_bot(name), load_bot("highest"), 4, games=20_000, seed=1, confidence=0.99
    )
    assert result.interval[0] > 0.25
