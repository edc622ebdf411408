"""R11: the ONO 99 card."""

import pytest

from ono99_env import Rules
from tests.positions import Table, position

HANDS = ["ono99 ono99 9 9", "2 2 3 3", "4 4 5 5"]


def rules_with(ono99_play: str, **options: object) -> Rules:
    """1980 rules for three players in a single round."""
    return Rules.preset(
        "1980", num_players=3, format="single_round", ono99_play=ono99_play, **options
    )


@pytest.mark.parametrize(
    ("option", "totals"),
    [
        ("never", []),
        ("total_ends_in_zero", [-20, -10, 0, 10, 20, 80]),
        ("total_is_zero", [0]),
    ],
)
def test_when_it_may_be_played(table: type[Table], option: str, totals: list[int]) -> None:
    """Option ``ono99_play``."""
    permitted = []
    for total in [-20, -15, -10, -1, 0, 1, 9, 10, 11, 20, 80, 85]:
        game = table(position(rules_with(option), HANDS, total=total))
        if "ono99" in game.legal:
            permitted.append(total)
    assert permitted == totals


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_never_is_the_default(table: type[Table], edition: str) -> None:
    """In both presets, even at total 0."""
    game = table(position(Rules.preset(edition, num_players=3), HANDS))
    assert game.legal == ["9"]


def test_worked_position_6(table: type[Table]) -> None:
    """At -10 it may be played and the total stays."""
    hands = ["ono99 9 9 8", "2 2 3 3", "4 4 5 5"]
    game = table(position(rules_with("total_ends_in_zero"), hands, total=-10))
    assert game.legal == ["8", "9", "ono99"]
    game.play("ono99", draws="10")
    assert game["total"] == -10
    assert game.turn == (1, 1)
    assert game["ono99_played_this_turn"] is False


def test_not_both_cards_of_an_obligation(table: type[Table]) -> None:
    """At most one in a turn; the next player may play one again."""
    hands = ["ono99 ono99 9 9", "ono99 2 2 3", "4 4 5 5"]
    rules = rules_with("total_ends_in_zero")
    game = table(position(rules, hands, total=20, plays_owed=2))
    game.play("ono99", draws="10")
    assert game["ono99_played_this_turn"] is True
    assert game["second_play"] is True
    assert game.legal == ["9", "10"]
    game.play("10", draws="10")
    assert game["ono99_played_this_turn"] is False
    assert game.turn == (1, 1)
    assert game.legal == ["2", "3", "ono99"]


def test_as_the_second_card(table: type[Table]) -> None:
    """After another first card it may be the second one."""
    hands = ["ono99 ono99 10 9", "2 2 3 3", "4 4 5 5"]
    rules = rules_with("total_ends_in_zero")
    game = table(position(rules, hands, total=20, plays_owed=2))
    game.play("10", draws="10")
    assert game.legal == ["9", "10", "ono99"]
    game.play("ono99", draws="8")
    assert game["total"] == 30
    assert game.turn == (1, 1)


def test_out_when_the_second_could_only_be_another_one(table: type[Table]) -> None:
    """Only ONO 99 cards are left for the second card."""
    hands = ["ono99 ono99 ono99", "2 2 3 3", "4 4 5 5"]
    rules = rules_with("total_ends_in_zero")
    game = table(position(rules, hands, total=20, plays_owed=2))
    game.play("ono99", draws="ono99")
    assert game["eliminated"] == [True, False, False]
    assert game.turn == (1, 1)


def test_player_with_a_permitted_one_is_not_out(table: type[Table]) -> None:
    """Four ONO 99 cards at a total that ends in 0 can be played."""
    hands = ["2 2 3 3", "ono99 ono99 ono99 ono99", "4 4 5 5"]
    game = table(position(rules_with("total_ends_in_zero"), hands, total=88))
    game.play("2", draws="10")
    assert game.turn == (1, 1)
    assert game.legal == ["ono99"]


def test_nobody_has_played_one_once_the_game_is_over(table: type[Table]) -> None:
    """The round ends after an ONO 99 as the first of two: no turn is left it could belong to."""
    hands = ["ono99 10 10 10", "9 9 9 10", "ono99 8 8 8"]
    out = [False, False, True]
    game = table(
        position(rules_with("total_ends_in_zero"), hands, total=90, plays_owed=2, eliminated=out)
    )
    game.play("ono99", draws="10")
    assert game["winners"] == [0]
    assert game["ono99_played_this_turn"] is False
    assert game["second_play"] is False
