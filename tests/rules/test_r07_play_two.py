"""R7: the obligation to play two cards."""

import pytest

from ono99_env import Rules
from tests.positions import Table, position

THREE_2022 = ["play_two 9 9 9", "1 2 reverse play_two", "3 3 play_two reverse"]
THREE_1980 = ["play_two 9 9 9", "2 3 reverse hold", "4 4 5 5"]


def three(edition: str, **options: object) -> Rules:
    """Rules for three players in a single round."""
    return Rules.preset(edition, num_players=3, format="single_round", **options)


def test_worked_position_1(table: type[Table]) -> None:
    """Play Two, answered by Reverse, answered by Play Two."""
    hands = ["play_two play_two 1 1", "reverse 2 2 2", "3 3 3 3"]
    game = table(position(three("2022"), hands, total=90))
    game.play("play_two", draws="4")
    assert game.turn == (1, 2)
    game.play("reverse", draws="4")
    assert game["direction"] == -1
    assert game.turn == (0, 2)
    game.play("play_two", draws="4")
    assert game.turn == (2, 2)
    assert game["total"] == 90


def test_worked_position_5(table: type[Table]) -> None:
    """1980, two owed, Double Play, 10, Hold, 2 at 95: Hold and 2 may be the first card."""
    hands = ["2 2 3 3", "play_two 10 hold 2", "4 4 4 5"]
    game = table(position(three("1980"), hands, total=95, current_player=1, plays_owed=2))
    assert game.legal == ["2", "hold"]


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_two_cards_with_a_draw_between(table: type[Table], edition: str) -> None:
    """Play the first, draw, play the second, draw; then the next player owes one."""
    hands = ["play_two 9 9 9", "2 3 4 5", "6 6 6 7"]
    game = table(position(three(edition), hands))
    game.play("play_two", draws="10")
    assert game.turn == (1, 2)
    assert game["second_play"] is False
    game.play("2", draws="8")
    assert game.turn == (1, 1)
    assert game["second_play"] is True
    assert game.legal == ["3", "4", "5", "8"]
    game.play("8", draws="7")
    assert game["total"] == 10
    assert game.hands[1] == {"3": 1, "4": 1, "5": 1, "7": 1}
    assert game.turn == (2, 1)
    assert game["second_play"] is False


@pytest.mark.parametrize(
    ("answer", "direction", "turn"), [("reverse", -1, (0, 2)), ("play_two", 1, (2, 2))]
)
def test_answers_2022(
    table: type[Table], answer: str, direction: int, turn: tuple[int, int]
) -> None:
    """An answer ends the turn after one card; the obligation moves on and does not grow."""
    game = table(position(three("2022"), THREE_2022, current_player=1, plays_owed=2))
    assert game.legal == ["1", "2", "reverse", "play_two"]
    game.play(answer, draws="8")
    assert game["direction"] == direction
    assert game.turn == turn
    assert game["second_play"] is False


@pytest.mark.parametrize(
    ("answer", "direction", "turn"), [("reverse", -1, (0, 2)), ("hold", 1, (2, 2))]
)
def test_answers_1980(
    table: type[Table], answer: str, direction: int, turn: tuple[int, int]
) -> None:
    """Reverse and Hold answer a Double Play."""
    game = table(position(three("1980"), THREE_1980, current_player=1, plays_owed=2))
    game.play(answer, draws="8")
    assert game["direction"] == direction
    assert game.turn == turn


def test_answer_by_reverse_against_the_clock(table: type[Table]) -> None:
    """With four players the obligation goes to the neighbour in the new direction."""
    rules = Rules.preset("2022", num_players=4)
    hands = ["1 1 1 1", "reverse 2 2 2", "3 3 3 3", "4 4 4 4"]
    game = table(position(rules, hands, direction=-1, current_player=1, plays_owed=2))
    game.play("reverse", draws="8")
    assert game["direction"] == 1
    assert game.turn == (2, 2)


@pytest.mark.parametrize("first", ["minus_ten", "4"])
def test_other_first_cards_are_no_answers(table: type[Table], first: str) -> None:
    """The second card is still owed."""
    hands = ["1 1 1 1", "minus_ten 4 2 2", "3 3 3 3"]
    game = table(position(three("2022"), hands, total=50, current_player=1, plays_owed=2))
    game.play(first, draws="8")
    assert game.turn == (1, 1)
    assert game["second_play"] is True


def test_hold_is_no_answer_unless_listed(table: type[Table]) -> None:
    """Option ``play_two_answers`` without Hold: a plain 0."""
    rules = three("1980", play_two_answers=[])
    game = table(position(rules, THREE_1980, current_player=1, plays_owed=2))
    game.play("hold", draws="8")
    assert game.turn == (1, 1)
    assert game["second_play"] is True


def test_reverse_is_always_an_answer(table: type[Table]) -> None:
    """Listed or not."""
    rules = three("2022", play_two_answers=[])
    game = table(position(rules, THREE_2022, current_player=1, plays_owed=2))
    game.play("reverse", draws="8")
    assert game["direction"] == -1
    assert game.turn == (0, 2)


def test_play_two_that_is_no_answer_may_only_be_the_second(table: type[Table]) -> None:
    """Option ``play_two_answers`` without Play Two."""
    rules = three("2022", play_two_answers=["reverse"])
    game = table(position(rules, THREE_2022, current_player=1, plays_owed=2))
    assert game.legal == ["1", "2", "reverse"]
    game.play("1", draws="8")
    assert game.legal == ["2", "8", "reverse", "play_two"]


def test_double_play_as_an_answer_in_1980(table: type[Table]) -> None:
    """Option ``play_two_answers`` with Play Two: it moves the obligation on."""
    rules = three("1980", play_two_answers=["reverse", "play_two", "hold"])
    hands = ["9 9 9 8", "play_two 2 2 3", "4 4 5 5"]
    game = table(position(rules, hands, current_player=1, plays_owed=2))
    assert game.legal == ["2", "3", "play_two"]
    game.play("play_two", draws="10")
    assert game.turn == (2, 2)


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_play_two_as_second_card_obliges_anew(table: type[Table], edition: str) -> None:
    """The second card has its ordinary effect."""
    hands = ["9 9 9 8", "play_two 2 2 3", "4 4 5 5"]
    game = table(position(three(edition), hands, current_player=1, plays_owed=2))
    game.play("2", draws="10")
    game.play("play_two", draws="10")
    assert game.turn == (2, 2)
    assert game["second_play"] is False


def test_reverse_as_second_card_turns_the_direction(table: type[Table]) -> None:
    """It is no answer: the next player owes one."""
    game = table(position(three("2022"), THREE_2022, current_player=1, plays_owed=2))
    game.play("1", draws="8")
    game.play("reverse", draws="8")
    assert game["direction"] == -1
    assert game.turn == (0, 1)


def test_hold_as_second_card_is_a_plain_0(table: type[Table]) -> None:
    """The next player owes one."""
    game = table(position(three("1980"), THREE_1980, current_player=1, plays_owed=2))
    game.play("2", draws="8")
    game.play("hold", draws="8")
    assert game.turn == (2, 1)


def test_player_out_before_the_first_card_cancels(table: type[Table]) -> None:
    """The next player owes one."""
    hands = ["play_two 9 9 9", "5 5 5 5", "0 1 1 1"]
    game = table(position(three("2022"), hands, total=98))
    game.play("play_two", draws="0")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)


def test_player_out_before_the_second_card_cancels(table: type[Table]) -> None:
    """The next player owes one."""
    hands = ["play_two 9 9 9", "1 5 5 5", "0 1 1 1"]
    game = table(position(three("2022"), hands, total=97))
    game.play("play_two", draws="0")
    game.play("1", draws="5")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)


def test_only_forbidden_double_plays_is_out(table: type[Table]) -> None:
    """A 1980 player who has no possible first card is out although the total is low."""
    hands = ["play_two 9 9 9", "play_two ono99 ono99 ono99", "2 2 3 3"]
    game = table(position(three("1980"), hands))
    game.play("play_two", draws="10")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_two_players(table: type[Table], edition: str) -> None:
    """The opponent plays two, then the turn comes back."""
    rules = Rules.preset(edition, num_players=2)
    game = table(position(rules, ["play_two 9 9 9", "2 3 4 5"]))
    game.play("play_two", draws="10")
    game.play("2", draws="10")
    game.play("3", draws="10")
    assert game.turn == (0, 1)


def test_obligations_never_add_up(table: type[Table]) -> None:
    """After three Play Two cards in a row it is still two."""
    hands = ["play_two 9 9 9", "play_two 1 1 1", "play_two 3 3 3"]
    game = table(position(three("2022"), hands))
    for turn in [(1, 2), (2, 2), (0, 2)]:
        game.play("play_two", draws="8")
        assert game.turn == turn
    game.play("9", draws="7")
    game.play("9", draws="7")
    assert game.turn == (1, 1)


def test_obligation_skips_players_who_are_out(table: type[Table]) -> None:
    """The next player in turn order is obliged."""
    hands = ["play_two 9 9 9", "1 1 1 1", "3 3 3 3"]
    out = [False, True, False]
    game = table(position(three("2022"), hands, eliminated=out, first_out=1))
    game.play("play_two", draws="8")
    assert game.turn == (2, 2)
