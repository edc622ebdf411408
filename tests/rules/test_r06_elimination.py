"""R6: elimination."""

import pytest

from ono99_env import Rules
from tests.positions import Table, position

STUCK = "5 5 5 5"


@pytest.mark.parametrize("eliminated_hands", ["face_up", "face_down"])
def test_no_legal_play_at_the_start_of_a_turn(table: type[Table], eliminated_hands: str) -> None:
    """The player is out, the hand stays, and play goes on with the next player."""
    rules = Rules.preset("2022", num_players=3, eliminated_hands=eliminated_hands)
    game = table(position(rules, ["0 0 0 0", STUCK, "0 0 0 9"], total=98))
    game.play("0", draws="10")
    assert game["eliminated"] == [False, True, False]
    assert game["first_out"] == 1
    assert game["busted"] == [False, False, False]
    assert game.hands[1] == {"5": 4}
    assert game.turn == (2, 1)
    assert not game["is_over"]


def test_player_who_is_out_is_skipped(table: type[Table]) -> None:
    """Clockwise, seat 1 out."""
    rules = Rules.preset("2022", num_players=3)
    hands = ["0 0 0 0", STUCK, "0 0 0 9"]
    game = table(position(rules, hands, total=50, eliminated=[False, True, False], first_out=1))
    game.play("0", draws="10")
    assert game.turn == (2, 1)
    game.play("0", draws="10")
    assert game.turn == (0, 1)


def test_several_players_who_are_out_are_skipped_counter_clockwise(table: type[Table]) -> None:
    """Five seats, 4 and 3 out, from 0 to 2."""
    rules = Rules.preset("2022", num_players=5)
    hands = ["1 1 1 1", "2 2 2 2", "3 3 3 3", "4 4 4 4", STUCK]
    out = [False, False, False, True, True]
    game = table(position(rules, hands, direction=-1, eliminated=out, first_out=3))
    game.play("1", draws="10")
    assert game.turn == (2, 1)


def test_several_players_go_out_in_a_row(table: type[Table]) -> None:
    """Both neighbours are stuck, the third is not."""
    rules = Rules.preset("2022", num_players=4)
    hands = ["0 0 0 0", STUCK, "6 6 6 6", "reverse 9 9 9"]
    game = table(position(rules, hands, total=98))
    game.play("0", draws="10")
    assert game["eliminated"] == [False, True, True, False]
    assert game["first_out"] == 1
    assert game.turn == (3, 1)


def test_no_legal_play_for_the_second_of_two(table: type[Table]) -> None:
    """The replacement card does not help either."""
    rules = Rules.preset("2022", num_players=3)
    hands = ["3 9 9 9", "0 0 0 0", "0 0 0 1"]
    game = table(position(rules, hands, total=95, plays_owed=2))
    game.play("3", draws="8")
    assert game["eliminated"] == [True, False, False]
    assert game.hands[0] == {"9": 3, "8": 1}
    assert game.turn == (1, 1)
    assert game["second_play"] is False


def test_replacement_card_saves_the_second_of_two(table: type[Table]) -> None:
    """The card drawn after the first may be the second."""
    rules = Rules.preset("2022", num_players=3)
    hands = ["3 9 9 9", "0 0 0 0", "0 0 0 1"]
    game = table(position(rules, hands, total=95, plays_owed=2))
    game.play("3", draws="reverse")
    assert game.turn == (0, 1)
    assert game["second_play"] is True
    assert game.legal == ["reverse"]


def test_hand_of_an_eliminated_player_is_not_reshuffled(table: type[Table]) -> None:
    """It stays out of the deck until the round ends."""
    deck = {"0": 10, "5": 4, "1": 2}
    rules = Rules.preset("2022", num_players=3, deck=deck, max_plays=100)
    hands = ["0 0 0 0", STUCK, "0 0 0 0"]
    out = [False, True, False]
    game = table(position(rules, hands, draw_pile="", total=98, eliminated=out, first_out=1))
    game.play("0", draws="1")
    assert game["draw_pile"] == {"0": 3, "1": 1}
    assert game.hands[1] == {"5": 4}


def test_empty_hand_is_out(table: type[Table]) -> None:
    """A player who has no card left has no legal play."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["0 0 0 0", "", "0 0 0 1"]))
    game.play("0", draws="10")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)


def test_only_ono99_cards_is_out(table: type[Table]) -> None:
    """Three ONO 99 cards cannot be played and not discarded."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["0 0 0 0", "ono99 ono99 ono99", "0 0 0 1"]))
    game.play("0", draws="10")
    assert game["eliminated"] == [False, True, False]
