"""R10: Hold."""

from ono99_env import Rules
from tests.positions import Table, position

HANDS = ["hold 10 10 10", "hold 2 2 2", "3 3 3 4"]


def test_adds_nothing_and_passes_the_turn(table: type[Table]) -> None:
    """It skips nobody and turns nothing."""
    game = table(position(Rules.preset("1980", num_players=3), HANDS, total=98))
    assert game.legal == ["hold"]
    game.play("hold", draws="9")
    assert game["total"] == 98
    assert game["direction"] == 1
    assert game.turn == (1, 1)


def test_hold_can_be_added_to_the_newer_deck(table: type[Table]) -> None:
    """There it is a plain 0, also as the first of two owed cards."""
    deck = {"hold": 6, "10": 6, "2": 6, "3": 6, "4": 6, "9": 6}
    rules = Rules.preset("2022", num_players=3, deck=deck)
    game = table(position(rules, HANDS, total=50, plays_owed=2))
    game.play("hold", draws="9")
    assert game.turn == (0, 1)
    assert game["second_play"] is True
