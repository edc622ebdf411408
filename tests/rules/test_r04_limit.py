"""R4: the limit."""

import pytest

from ono99_env import Rules
from tests.positions import Table, position


def test_worked_position_2(table: type[Table]) -> None:
    """Total 98 and 0, 7, Minus Ten, ONO 99 in hand: legal are 0 and Minus Ten."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["0 7 minus_ten ono99", "1 1 1 1", "2 2 2 2"], total=98))
    assert game.legal == ["0", "minus_ten"]


@pytest.mark.parametrize(
    ("highest", "total", "legal"),
    [
        (98, 95, ["0", "1", "3"]),
        (98, 94, ["0", "1", "3", "4"]),
        (98, 97, ["0", "1"]),
        (98, 98, ["0"]),
        (99, 95, ["0", "1", "3", "4"]),
        (99, 98, ["0", "1"]),
        (99, 99, ["0"]),
        (20, 17, ["0", "1", "3"]),
    ],
)
def test_highest_total_that_may_stand(
    table: type[Table], highest: int, total: int, legal: list[str]
) -> None:
    """Option ``highest_total``."""
    rules = Rules.preset("2022", num_players=2, highest_total=highest)
    game = table(position(rules, ["0 1 3 4", "9 9 9 9"], total=total))
    assert game.legal == legal


def test_cards_that_add_nothing_are_legal_at_the_limit(table: type[Table]) -> None:
    """Every action card but ONO 99 can be played at 98."""
    deck = {"reverse": 4, "minus_ten": 4, "play_two": 4, "hold": 4, "ono99": 4}
    rules = Rules.preset("2022", num_players=2, deck=deck, max_plays=100, hand_size=5)
    hand = "ono99 reverse minus_ten play_two hold"
    game = table(position(rules, [hand, hand], total=98))
    assert game.legal == ["reverse", "minus_ten", "play_two", "hold"]


def test_first_of_two_is_held_to_the_limit_and_so_is_the_second(table: type[Table]) -> None:
    """The limit holds after each card of an obligation."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["1 2 3 4", "9 9 9 9", "8 8 8 8"], total=95, plays_owed=2))
    assert game.legal == ["1", "2", "3"]
    game.play("2", draws="0")
    assert game.legal == ["0", "1"]
