"""`Game` plays by one compiled call, or card by card where chance is given: both are one game."""

import random

import numpy as np
import pytest

from ono99_env import Game, Rules
from ono99_env.game import game_loop
from tests.random_rules import random_rules


@pytest.mark.parametrize("seed", range(40))
def test_no_given_cards_are_the_same_game_as_chance_alone(seed: int) -> None:
    rng = random.Random(seed)
    rules = random_rules(rng)
    ours, by_cards = Game(rules, seed=seed), Game(rules, seed=seed, draws=[])
    assert ours.initial_draws == by_cards.initial_draws
    assert ours.initial_dealer == by_cards.initial_dealer
    for _ in range(200):
        assert ours.snapshot() == by_cards.snapshot()
        if ours.is_over:
            break
        action = rng.choice(ours.legal_actions())
        assert ours.play(action) == by_cards.play(action, draws=[])


def test_more_cards_than_one_call_deals_are_all_told() -> None:
    # Nobody can play any card, so each deal ends its round at once, until the chips are gone.
    rules = Rules.preset(
        "1980", num_players=8, format="chips", hand_size=7, deck={"10": 120}, highest_total=9
    )
    ours, by_cards = Game(rules, seed=1), Game(rules, seed=1, draws=[])
    assert len(ours.initial_draws) > 2 * game_loop.MOST_DEALT
    assert ours.initial_draws == by_cards.initial_draws
    assert ours.snapshot() == by_cards.snapshot()
    assert ours.is_over


def test_a_missed_draw_by_chance_is_told() -> None:
    rules = Rules(missed_draw_probability=0.5, num_players=2)
    game, rng, plays = Game(rules, seed=2), random.Random(2), []
    while not game.is_over:
        plays.append(game.play(rng.choice(game.legal_actions())))
    assert {play.missed_draw for play in plays[:-1]} == {False, True}
    assert all((play.drawn == ()) == play.missed_draw for play in plays[:-1])


def test_actions_of_every_kind_of_whole_number_are_understood() -> None:
    game = Game(seed=3)
    action = game.legal_actions()[0]
    for kind in (int, np.int64, np.uint8, np.asarray):
        assert Game(seed=3).play(kind(action)).action is action
