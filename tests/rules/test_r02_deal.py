"""R2: the deal."""

import random

import numpy as np
import pytest

from ono99_env import Game, Rules
from tests.positions import deal
from tests.reference import ReferenceGame


@pytest.mark.parametrize("players", range(2, 7))
def test_four_cards_each_and_the_rest_to_draw(players: int) -> None:
    """Everybody gets four cards; total 0, clockwise, one card owed, nothing discarded."""
    snapshot = Game(Rules.preset("2022", num_players=players), seed=3).snapshot()
    assert [sum(hand.values()) for hand in snapshot["hands"]] == [4] * players
    assert sum(snapshot["draw_pile"].values()) == 112 - 4 * players
    assert snapshot["discard_pile"] == {}
    assert (snapshot["total"], snapshot["direction"], snapshot["plays_owed"]) == (0, 1, 1)
    assert (snapshot["round"], snapshot["last_player"]) == (1, None)
    assert snapshot["eliminated"] == [False] * players


@pytest.mark.parametrize("hand_size", [1, 3, 7])
def test_hand_size_is_an_option(hand_size: int) -> None:
    """``hand_size`` cards are dealt to each player."""
    snapshot = Game(Rules.preset("2022", num_players=3, hand_size=hand_size), seed=3).snapshot()
    assert [sum(hand.values()) for hand in snapshot["hands"]] == [hand_size] * 3


@pytest.mark.parametrize("seed", range(5))
def test_cards_are_dealt_from_the_deck(seed: int) -> None:
    """Hands and draw pile together are the deck."""
    snapshot = Game(Rules.preset("2022", num_players=5), seed=seed).snapshot()
    together = dict.fromkeys(snapshot["rules"]["deck"], 0)
    for pile in [snapshot["draw_pile"], *snapshot["hands"]]:
        for card, count in pile.items():
            together[card] += count
    assert together == snapshot["rules"]["deck"]


@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (1, 2), (2, 0)])
def test_player_to_the_left_of_a_fixed_dealer_starts(dealer: int, first: int) -> None:
    """Option ``dealer``: a seat."""
    game = Game(Rules.preset("2022", num_players=3, dealer=dealer), seed=11)
    assert game.initial_dealer == dealer
    assert game.snapshot()["dealer"] == dealer
    assert game.current_player == first


def test_random_dealer_depends_on_the_seed() -> None:
    """Option ``dealer``: by default drawn from the game's seed, each seat about as often."""
    rules = Rules.preset("2022", num_players=4)
    dealers = [Game(rules, seed=seed).initial_dealer for seed in range(400)]
    assert all(60 < dealers.count(seat) < 140 for seat in range(4))
    assert dealers == [Game(rules, seed=seed).initial_dealer for seed in range(400)]


def test_same_seed_same_game_whatever_the_global_generators_do() -> None:
    """The seed alone decides, and another seed gives another deal."""
    rules = Rules.preset("1980", num_players=5)
    random.seed(1)
    np.random.seed(1)
    one = Game(rules, seed=7)
    random.seed(2)
    np.random.seed(2)
    other = Game(rules, seed=7)
    assert one.snapshot() == other.snapshot()
    assert one.initial_draws == other.initial_draws
    assert one.initial_draws != Game(rules, seed=8).initial_draws


def test_one_card_at_a_time_clockwise_from_the_left_of_the_dealer() -> None:
    """The order in which the cards are dealt."""
    game = Game(Rules.preset("2022", num_players=3, dealer=1), seed=5)
    dealt = [card.label for card in game.initial_draws]
    hands = game.snapshot()["hands"]
    for place, seat in enumerate([2, 0, 1]):
        cards = dealt[place::3]
        assert hands[seat] == {card: cards.count(card) for card in cards}


def test_reference_deals_in_the_same_order() -> None:
    """The reference takes the cards in dealing order, too."""
    rules = Rules.preset("2022", num_players=3).model_dump(mode="json")
    draws = deal(["0 1 2 3", "4 4 5 6", "7 8 9 10"], first=2).split()
    assert draws[:3] == ["7", "0", "4"]
    state = ReferenceGame(rules, 1, draws).snapshot()
    assert state["hands"][1] == {"4": 2, "5": 1, "6": 1}
    assert state["hands"][2] == {"7": 1, "8": 1, "9": 1, "10": 1}
    assert state["current_player"] == 2


@pytest.mark.parametrize("draws", [["0"] * 7, ["0"] * 9, ["hold"] * 8])
def test_reference_wants_exactly_the_cards_dealt(draws: list[str]) -> None:
    """Too few, too many, or not in the deck."""
    rules = Rules.preset("2022", num_players=2).model_dump(mode="json")
    with pytest.raises(AssertionError):
        ReferenceGame(rules, 0, draws)
