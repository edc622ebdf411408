"""R17: going out in the points formats."""

import pytest

from ono99_env import Rules
from tests.positions import Table, deal, position

POINTS_FORMATS = ["points_last_standing", "points_lowest"]
FOUR = "ono99 ono99 ono99 ono99"


def points(players: int = 3, **options: object) -> Rules:
    """1980 rules scored by points."""
    return Rules.preset("1980", num_players=players, **{"format": "points_lowest", **options})


@pytest.mark.parametrize("points_format", POINTS_FORMATS)
def test_bust_with_any_card_but_ono99(table: type[Table], points_format: str) -> None:
    """All cards break the limit: one of them must be played, the player's choice."""
    hands = ["10 9 2 ono99", "hold 3 3 3", "4 4 4 5"]
    game = table(position(points(format=points_format), hands, total=97))
    assert game.legal == ["2", "9", "10"]
    game.play("9", draws="8")
    assert game["total"] == 97
    assert game["discard_pile"] == {"9": 1}
    assert game.hands[0] == {"10": 1, "2": 1, "ono99": 1, "8": 1}
    assert game["eliminated"] == [True, False, False]
    assert game["busted"] == [True, False, False]
    assert (game["first_out"], game["last_player"], game["plays"]) == (0, 0, 1)
    assert game["recent_plays"][0] == ["bust:9"]
    assert game["returns"] == [0, 0, 0]
    assert game.turn == (1, 1)


def test_no_bust_while_another_play_is_legal(table: type[Table]) -> None:
    """Any legal play must be made instead."""
    hands = ["10 9 hold ono99", "3 3 3 2", "4 4 4 5"]
    game = table(position(points(), hands, total=97))
    assert game.legal == ["hold"]


@pytest.mark.parametrize("match_format", ["single_round", "chips"])
def test_no_bust_in_the_other_formats(table: type[Table], match_format: str) -> None:
    """There a player without a legal play is out without playing."""
    hands = ["hold 9 9 9", "10 10 10 8", "hold hold 4 5"]
    game = table(position(points(format=match_format), hands, total=98))
    assert game.legal == ["hold"]
    draws = deal(["2 2 2 3", "3 3 4 4", "5 5 6 6"], first=1) if match_format == "chips" else ""
    game.play("hold", draws=f"10 {draws}")
    assert game["busted"] == [False, False, False]


@pytest.mark.parametrize(("counts", "total"), [(False, 95), (True, 105)])
def test_bust_card_and_the_total(table: type[Table], counts: bool, total: int) -> None:
    """Option ``bust_counts``."""
    hands = ["10 10 9 9", "2 2 3 3", "4 4 4 5"]
    game = table(position(points(bust_counts=counts), hands, total=95))
    game.play("10", draws="8")
    assert game["total"] == total
    assert game.turn == (1, 1)


def test_over_the_limit_every_card_is_a_bust(table: type[Table]) -> None:
    """With ``bust_counts`` the total stands at 105: cards that add 0 are over the limit, too."""
    hands = ["10 10 9 9", "hold reverse play_two ono99", "4 4 4 5"]
    rules = points(bust_counts=True, ono99_play="total_ends_in_zero")
    game = table(position(rules, hands, total=100, current_player=1))
    assert game.legal == ["reverse", "play_two", "hold"]
    game.play("hold", draws="8")
    assert game["total"] == 100
    assert game["eliminated"] == [False, True, False]
    assert game["busted"] == [False, True, False]
    assert game.turn == (2, 1)


@pytest.mark.parametrize("card", ["reverse", "play_two"])
def test_bust_card_has_no_effect(table: type[Table], card: str) -> None:
    """Neither direction nor obligation come from it."""
    hands = ["10 10 9 9", "hold reverse play_two ono99", "4 4 4 5", "6 6 6 7"]
    game = table(position(points(4, bust_counts=True), hands, total=105, current_player=1))
    game.play(card, draws="8")
    assert game["direction"] == 1
    assert game.turn == (2, 1)


@pytest.mark.parametrize(
    ("total", "legal", "result"), [(108, ["minus_ten"], 98), (109, ["10", "minus_ten"], 99)]
)
def test_minus_ten_over_the_limit(
    table: type[Table], total: int, legal: list[str], result: int
) -> None:
    """It comes back to 98 or it is a bust."""
    hands = ["minus_ten 10 ono99 ono99", "2 2 3 3", "4 4 4 5"]
    game = table(position(points(bust_counts=True), hands, total=total))
    assert game.legal == legal
    game.play("minus_ten", draws="8")
    assert game["total"] == result
    assert game["busted"][0] is (result == 99)
    assert game.turn == (1, 1)


def test_only_ono99_goes_out_without_playing(table: type[Table]) -> None:
    """Four ONO 99 cards: out, but not by a card over the limit; nothing is drawn."""
    hands = ["2 2 3 3", FOUR, "4 4 4 5"]
    game = table(position(points(), hands))
    game.play("2", draws="8")
    assert game["eliminated"] == [False, True, False]
    assert game["busted"] == [False, False, False]
    assert game["recent_plays"][1] == []
    assert game.hands[1] == {"ono99": 4}
    assert game["last_player"] == 0
    assert game.turn == (2, 1)


@pytest.mark.parametrize("total", [20, 98])
def test_only_ono99_and_a_forbidden_double_play(table: type[Table], total: int) -> None:
    """Owing two: the Double Play may not be the first card, so there is nothing to play."""
    hands = ["play_two 2 3 3", "ono99 ono99 ono99 play_two", "4 4 4 5"]
    game = table(position(points(), hands, total=total))
    game.play("play_two", draws="hold")
    assert game["eliminated"] == [False, True, False]
    assert game["busted"] == [False, False, False]
    assert game.turn == (2, 1)


def test_double_play_that_is_no_answer_may_not_bust_first(table: type[Table]) -> None:
    """1980: over the limit, owing two, it may not be played at all; owing one, it may."""
    hands = ["2 2 3 3", "ono99 ono99 9 play_two", "4 4 4 5"]
    rules = points(bust_counts=True)
    game = table(position(rules, hands, total=110, current_player=1, plays_owed=2))
    assert game.legal == ["9"]
    game = table(position(rules, hands, total=110, current_player=1))
    assert game.legal == ["9", "play_two"]


def test_bust_cancels_an_obligation(table: type[Table]) -> None:
    """Busting with the first of two: the next player owes one."""
    hands = ["play_two 2 3 3", "10 10 9 9", "4 4 4 5"]
    game = table(position(points(), hands, total=95))
    game.play("play_two", draws="8")
    assert game.turn == (1, 2)
    game.play("10", draws="8")
    assert game["busted"] == [False, True, False]
    assert game.turn == (2, 1)


def test_bust_with_the_second_of_two(table: type[Table]) -> None:
    """The first card is played, the second breaks the limit."""
    hands = ["hold 2 3 3", "3 10 9 9", "4 4 4 5"]
    game = table(position(points(), hands, total=95, current_player=1, plays_owed=2))
    assert game.legal == ["3"]
    game.play("3", draws="8")
    assert game.turn == (1, 1)
    assert game["second_play"] is True
    assert game.legal == ["8", "9", "10"]
    game.play("8", draws="7")
    assert game["busted"] == [False, True, False]
    assert game["recent_plays"][1] == ["bust:8", "3"]
    assert game.turn == (2, 1)
    assert game["second_play"] is False


def test_round_goes_on_until_one_is_left(table: type[Table]) -> None:
    """The stuck-round rule does not apply: everybody busts in turn; the last needs no play."""
    hands = ["hold 10 10 10", "9 9 9 8", "8 8 7 7"]
    game = table(position(points(), hands, total=98))
    game.play("hold", draws="10")
    assert game.turn == (1, 1)
    game.play("9", draws="2")
    assert game["is_over"] is False
    assert game["round"] == 1
    assert game.turn == (2, 1)
    game.play("8", draws=f"2 {deal(['2 2 3 3', '4 4 5 5', '6 6 7 7'], first=1)}")
    assert game["round"] == 2
    assert game["total"] == 0
    assert game["points"] == [40, 9 + 9 + 8 + 2 + 25, 8 + 7 + 7 + 2 + 25]


def test_empty_hand_goes_out_without_playing(table: type[Table]) -> None:
    """There is no card to bust with."""
    game = table(position(points(), ["2 2 3 3", "", "4 4 4 5"]))
    game.play("2", draws="8")
    assert game["eliminated"] == [False, True, False]
    assert game["busted"] == [False, False, False]
    assert game.turn == (2, 1)
