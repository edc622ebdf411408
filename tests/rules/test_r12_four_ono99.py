"""R12: four ONO 99 cards."""

import pytest

from ono99_env import Rules
from tests.positions import Table, position

FOUR = "ono99 ono99 ono99 ono99"
DISCARD = "discard_four_ono99"


def three(option: str, **options: object) -> Rules:
    """2022 rules for three players."""
    return Rules.preset("2022", num_players=3, four_ono99_discard=option, **options)


def test_as_play_draws_four_and_ends_the_turn(table: type[Table]) -> None:
    """It counts as one play that adds 0."""
    game = table(position(three("as_play"), [FOUR, "1 1 1 1", "2 2 2 2"], total=98))
    assert game.legal == [DISCARD]
    game.play(DISCARD, draws="0 9 reverse 9")
    assert game.hands[0] == {"0": 1, "9": 2, "reverse": 1}
    assert game["discard_pile"] == {"ono99": 4}
    assert game["total"] == 98
    assert game["last_player"] == 0
    assert game["recent_plays"][0] == [DISCARD]
    assert (game["plays"], game["top_discard"]) == (1, "ono99")


def test_as_play_turn_passes(table: type[Table]) -> None:
    """The next player owes one card."""
    game = table(position(three("as_play"), [FOUR, "1 1 1 1", "2 2 2 2"]))
    game.play(DISCARD, draws="0 9 9 9")
    assert game.turn == (1, 1)


def test_worked_position_8(table: type[Table]) -> None:
    """As the first of two owed plays: four new cards, one more owed."""
    hands = ["1 1 1 1", FOUR, "2 2 2 2"]
    game = table(position(three("as_play"), hands, current_player=1, plays_owed=2))
    assert game.legal == [DISCARD]
    game.play(DISCARD, draws="3 4 5 6")
    assert game.hands[1] == {"3": 1, "4": 1, "5": 1, "6": 1}
    assert game.turn == (1, 1)
    assert game["second_play"] is True
    game.play("3", draws="8")
    assert game.turn == (2, 1)


def test_as_play_as_the_second_of_two(table: type[Table]) -> None:
    """Three ONO 99 and a fourth drawn after the first card."""
    hands = ["1 1 1 1", "3 ono99 ono99 ono99", "2 2 2 2"]
    game = table(position(three("as_play"), hands, current_player=1, plays_owed=2))
    game.play("3", draws="ono99")
    assert game.legal == [DISCARD]
    game.play(DISCARD, draws="3 4 5 6")
    assert game.turn == (2, 1)


def test_as_play_can_leave_the_second_unplayable(table: type[Table]) -> None:
    """The four new cards are all too high: out."""
    hands = ["1 1 1 1", FOUR, "0 2 2 2"]
    rules = three("as_play")
    game = table(position(rules, hands, total=98, current_player=1, plays_owed=2))
    game.play(DISCARD, draws="9 9 9 9")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)


@pytest.mark.parametrize("option", ["as_play", "then_play"])
def test_three_are_not_enough(table: type[Table], option: str) -> None:
    """Four cards are needed."""
    game = table(position(three(option), ["ono99 ono99 ono99 1", "1 1 1 1", "2 2 2 2"]))
    assert game.legal == ["1"]


@pytest.mark.parametrize("option", ["as_play", "then_play"])
def test_exactly_four_are_discarded(table: type[Table], option: str) -> None:
    """The fifth stays in a larger hand."""
    hands = [f"{FOUR} ono99 7", "1 1 1 1 1 1", "2 2 2 2 2 2"]
    game = table(position(three(option, hand_size=6), hands))
    assert game.legal == ["7", DISCARD]
    game.play(DISCARD, draws="3 4 5 6")
    assert game.hands[0] == {"ono99": 1, "7": 1, "3": 1, "4": 1, "5": 1, "6": 1}


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_off_such_a_player_is_out(table: type[Table], edition: str) -> None:
    """Option ``off``, the default of 1980."""
    rules = Rules.preset(edition, num_players=3, four_ono99_discard="off", format="single_round")
    game = table(position(rules, ["10 10 10 10", FOUR, "2 2 2 3"]))
    game.play("10", draws="9")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)


def test_off_is_the_default_of_1980_only() -> None:
    """2022 plays it as a play."""
    assert Rules.preset("2022").four_ono99_discard == "as_play"
    assert Rules.preset("1980").four_ono99_discard == "off"


def test_then_play_still_owes_the_play(table: type[Table]) -> None:
    """It is not a play: the same player goes on and has not become the last to play."""
    hands = [FOUR, "1 1 1 1", "2 2 2 2"]
    game = table(position(three("then_play"), hands, last_player=2))
    game.play(DISCARD, draws="3 4 5 6")
    assert game.turn == (0, 1)
    assert game["second_play"] is False
    assert game["last_player"] == 2
    assert game["recent_plays"][0] == [DISCARD]
    assert game["plays"] == 1
    assert game.legal == ["3", "4", "5", "6"]
    game.play("3", draws="9")
    assert game.turn == (1, 1)
    assert game["last_player"] == 0


def test_then_play_may_be_repeated(table: type[Table]) -> None:
    """Four more ONO 99 cards may be discarded at once."""
    game = table(position(three("then_play"), [FOUR, "1 1 1 1", "2 2 2 2"]))
    game.play(DISCARD, draws=FOUR)
    assert game.legal == [DISCARD]
    game.play(DISCARD, draws="3 4 5 6")
    assert game.turn == (0, 1)
    assert game["discard_pile"] == {"ono99": 8}


def test_then_play_leaves_an_obligation_as_it_is(table: type[Table]) -> None:
    """Two cards are still owed, and the first may answer."""
    hands = ["1 1 1 1", FOUR, "2 2 2 2"]
    game = table(position(three("then_play"), hands, current_player=1, plays_owed=2))
    game.play(DISCARD, draws="reverse 4 5 6")
    assert game.turn == (1, 2)
    assert game["second_play"] is False
    game.play("reverse", draws="9")
    assert game.turn == (0, 2)


def test_then_play_before_the_second_of_two(table: type[Table]) -> None:
    """One card is still owed and it is still the second."""
    hands = ["1 1 1 1", "3 ono99 ono99 ono99", "2 2 2 2"]
    game = table(position(three("then_play"), hands, current_player=1, plays_owed=2))
    game.play("3", draws="ono99")
    game.play(DISCARD, draws="3 4 5 6")
    assert game.turn == (1, 1)
    assert game["second_play"] is True


def test_then_play_can_go_out(table: type[Table]) -> None:
    """The four new cards are all too high."""
    hands = [FOUR, "0 1 1 1", "2 2 2 2"]
    game = table(position(three("then_play"), hands, total=98))
    game.play(DISCARD, draws="9 9 9 9")
    assert game["eliminated"] == [True, False, False]
    assert game.turn == (1, 1)


def test_then_play_can_bust(table: type[Table]) -> None:
    """In a points match the player busts with one of the new cards."""
    hands = [FOUR, "0 1 1 1", "2 2 2 2"]
    rules = three("then_play", format="points_lowest")
    game = table(position(rules, hands, total=98))
    assert game.legal == [DISCARD]
    game.play(DISCARD, draws="9 9 9 8")
    assert game.legal == ["8", "9"]


@pytest.mark.parametrize(("option", "legal"), [("as_play", ["10"]), ("then_play", [DISCARD])])
def test_over_the_limit_only_then_play_may_discard(
    table: type[Table], option: str, legal: list[str]
) -> None:
    """A play that adds 0 breaks the limit there; a discard that is no play does not."""
    hands = [f"{FOUR} 10", "1 1 1 1 1", "2 2 2 2 2"]
    rules = three(option, hand_size=5, format="points_lowest", bust_counts=True)
    game = table(position(rules, hands, total=103))
    assert game.legal == legal


def test_discard_is_an_ordinary_action_that_prevents_a_bust(table: type[Table]) -> None:
    """Nobody may bust while the discard is legal, at a total that may stand."""
    hands = [f"{FOUR} 10", "1 1 1 1 1", "2 2 2 2 2"]
    rules = three("as_play", hand_size=5, format="points_lowest")
    game = table(position(rules, hands, total=98))
    assert game.legal == [DISCARD]
