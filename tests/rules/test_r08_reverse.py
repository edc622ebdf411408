"""R8: Reverse."""

import pytest

from ono99_env import Rules
from tests.positions import Table, position

HANDS = ["reverse 1 1 1", "2 2 2 3", "4 4 4 5", "6 6 6 7", "8 8 8 9"]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("direction", [1, -1])
def test_turns_the_direction(table: type[Table], players: int, direction: int) -> None:
    """The player on the other side is next."""
    rules = Rules.preset("2022", num_players=players)
    game = table(position(rules, HANDS[:players], total=33, direction=direction))
    game.play("reverse", draws="10")
    assert game["direction"] == -direction
    assert game.turn == ((0 - direction) % players, 1)
    assert game["total"] == 33


@pytest.mark.parametrize("direction", [1, -1])
def test_two_players_no_change_of_direction(table: type[Table], direction: int) -> None:
    """It counts as a 0 card; the opponent is next."""
    rules = Rules.preset("2022", num_players=2)
    game = table(position(rules, HANDS[:2], direction=direction))
    game.play("reverse", draws="10")
    assert game["direction"] == direction
    assert game.turn == (1, 1)


def test_two_players_left_of_three(table: type[Table]) -> None:
    """Players who are out do not count."""
    rules = Rules.preset("2022", num_players=3)
    out = [False, True, False]
    game = table(position(rules, HANDS[:3], eliminated=out, first_out=1))
    game.play("reverse", draws="10")
    assert game["direction"] == 1
    assert game.turn == (2, 1)


@pytest.mark.parametrize(
    ("deflects", "turn", "second"), [(True, (1, 2), False), (False, (0, 1), True)]
)
def test_answer_with_two_players(
    table: type[Table], deflects: bool, turn: tuple[int, int], second: bool
) -> None:
    """Option ``reverse_deflects_heads_up``: pass the obligation, or a plain 0 card."""
    rules = Rules.preset("2022", num_players=2, reverse_deflects_heads_up=deflects)
    game = table(position(rules, HANDS[:2], plays_owed=2))
    game.play("reverse", draws="10")
    assert game.turn == turn
    assert game["second_play"] is second
    assert game["direction"] == 1


@pytest.mark.parametrize(
    ("deflects", "turn", "second"), [(True, (2, 2), False), (False, (0, 1), True)]
)
def test_answer_with_two_players_left_of_three(
    table: type[Table], deflects: bool, turn: tuple[int, int], second: bool
) -> None:
    """The option looks at the players still in the round."""
    rules = Rules.preset("2022", num_players=3, reverse_deflects_heads_up=deflects)
    out = [False, True, False]
    game = table(position(rules, HANDS[:3], plays_owed=2, eliminated=out, first_out=1))
    game.play("reverse", draws="10")
    assert game.turn == turn
    assert game["second_play"] is second
    assert game["direction"] == 1


def test_option_does_not_touch_three_players(table: type[Table]) -> None:
    """With three players left Reverse answers, whatever the option."""
    rules = Rules.preset("2022", num_players=3, reverse_deflects_heads_up=False)
    game = table(position(rules, HANDS[:3], plays_owed=2))
    game.play("reverse", draws="10")
    assert game["direction"] == -1
    assert game.turn == (2, 2)


def test_plain_reverse_then_reverse_as_second_card(table: type[Table]) -> None:
    """Heads-up without deflection both owed cards may be Reverses."""
    rules = Rules.preset("2022", num_players=2, reverse_deflects_heads_up=False)
    game = table(position(rules, HANDS[:2], plays_owed=2))
    game.play("reverse", draws="reverse")
    game.play("reverse", draws="10")
    assert game.turn == (1, 1)
    assert game["direction"] == 1
