"""R18: scoring a round by points."""

import pytest

from ono99_env import Rules
from tests.positions import Table, deal, position

NEXT = "3 3 3 2", "6 6 6 7"
POINTS_IN_HAND = {
    **{str(number): number for number in range(11)},
    "ono99": 20,
    "reverse": 15,
    "minus_ten": 15,
    "play_two": 15,
    "hold": 15,
}


def points(players: int = 2, **options: object) -> Rules:
    """1980 rules scored by points, with a target far away."""
    defaults = {"format": "points_last_standing", "target_points": 1000}
    return Rules.preset("1980", num_players=players, **{**defaults, **options})


def next_deal(first: int) -> str:
    """The cards of a next round for two."""
    return deal(list(NEXT), first=first)


def test_worked_position_7(table: type[Table]) -> None:
    """ONO 99, Double Play, 4, 5 left: 44 for the last one left, 69 for going out by a bust."""
    hands = ["hold ono99 play_two 4", "10 ono99 4 5"]
    game = table(position(points(), hands, total=98))
    game.play("hold", draws="5")
    game.play("10", draws=f"play_two {next_deal(1)}")
    assert game["points"] == [44, 69]
    assert game["round"] == 2


@pytest.mark.parametrize(("card", "worth"), POINTS_IN_HAND.items())
def test_points_of_each_card(table: type[Table], card: str, worth: int) -> None:
    """The last column of the table of cards."""
    deck = dict.fromkeys(POINTS_IN_HAND, 7)
    game = table(position(points(deck=deck), [f"hold {card} 0 0", "9 9 9 9"], total=98))
    game.play("hold", draws="0")
    game.play("9", draws=f"1 {next_deal(1)}")
    assert game["points"] == [worth, 9 * 3 + 1 + 25]


def test_going_out_without_playing_adds_nothing(table: type[Table]) -> None:
    """Four ONO 99 cards: 80 points and no 25."""
    hands = ["2 2 3 3", "ono99 ono99 ono99 ono99"]
    game = table(position(points(), hands))
    game.play("2", draws=f"5 {next_deal(1)}")
    assert game["points"] == [2 + 3 + 3 + 5, 80]


def test_voluntary_bust_adds_25(table: type[Table]) -> None:
    """It is a card over the limit."""
    hands = ["2 2 3 3", "hold 10 4 4"]
    rules = points(voluntary_bust=True)
    game = table(position(rules, hands, total=95, current_player=1))
    game.play("10", draws=f"5 {next_deal(1)}")
    assert game["points"] == [10, 15 + 4 + 4 + 5 + 25]


def test_cards_short_add_15_each(table: type[Table]) -> None:
    """The last one left is two short; the other misses the draw of the bust card."""
    hands = ["hold 3", "9 9 9 8"]
    game = table(position(points(), hands, total=98))
    game.play("hold", draws="5")
    game.play("9", draws=next_deal(1), missed=True)
    assert game["points"] == [3 + 5 + 2 * 15, 9 + 9 + 8 + 15 + 25]


def test_empty_hand_is_all_short(table: type[Table]) -> None:
    """Four cards short of four."""
    game = table(position(points(), ["2 2 3 3", ""]))
    game.play("2", draws=f"5 {next_deal(1)}")
    assert game["points"] == [13, 60]


def test_cards_short_of_another_hand_size(table: type[Table]) -> None:
    """Short of ``hand_size``, whatever that is."""
    game = table(position(points(hand_size=6), ["2 2 3 3 4 4", ""]))
    new_round = deal(["3 3 3 2 2 4", "6 6 6 7 7 7"], first=1)
    game.play("2", draws=f"5 {new_round}")
    assert game["points"] == [2 + 3 + 3 + 4 + 4 + 5, 90]


def test_points_add_up(table: type[Table]) -> None:
    """Over the rounds of a match."""
    hands = ["hold ono99 play_two 4", "10 ono99 4 5"]
    game = table(position(points(), hands, total=98, points=[100, 7], round=4))
    game.play("hold", draws="5")
    game.play("10", draws=f"play_two {next_deal(1)}")
    assert game["points"] == [144, 76]
    assert game["chips"] == [3, 3]


def test_everybody_of_the_round_scores(table: type[Table]) -> None:
    """Also those who went out early; not who is out of the match."""
    hands = ["hold 2 2 3", "9 9 9 8", "", "4 4 4 5"]
    out = [False, True, True, False]
    rules = points(4, target_points=200)
    snapshot = position(rules, hands, total=98, eliminated=out, points=[1, 2, 230, 3])
    snapshot["history"].update(busted=[False, True, False, False], first_out=1)
    game = table(snapshot)
    game.play("hold", draws="10")
    new_round = deal(["3 3 3 2", "6 6 6 7", "", "8 8 8 9"], first=1)
    game.play("4", draws=f"10 {new_round}")
    assert game["points"] == [
        1 + 2 + 2 + 3 + 10,
        2 + 9 + 9 + 9 + 8 + 25,
        230,
        3 + 4 + 4 + 5 + 10 + 25,
    ]
    assert game["eliminated"] == [False, False, True, False]
