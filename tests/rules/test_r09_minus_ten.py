"""R9: Minus Ten."""

import pytest

from ono99_env import Rules
from tests.positions import Table, position


@pytest.mark.parametrize(
    ("edition", "options", "total", "result"),
    [
        ("2022", {}, 4, 0),  # worked position 3
        ("1980", {}, 4, -6),  # worked position 3
        ("2022", {}, 0, 0),
        ("2022", {}, 10, 0),
        ("2022", {}, 12, 2),
        ("2022", {}, 98, 88),
        ("1980", {}, -6, -16),
        ("1980", {}, 98, 88),
        ("2022", {"lowest_total": None}, 4, -6),
        ("1980", {"lowest_total": 0}, 4, 0),
        ("1980", {"lowest_total": -10}, -5, -10),
        ("1980", {"lowest_total": -10}, 3, -7),
    ],
)
def test_subtracts_ten_down_to_the_lowest_total(
    table: type[Table], edition: str, options: dict, total: int, result: int
) -> None:
    """Option ``lowest_total``: a lower result is set to it, or there is none."""
    rules = Rules.preset(edition, num_players=3, **options)
    game = table(position(rules, ["minus_ten 2 2 3", "4 4 5 5", "6 6 7 7"], total=total))
    game.play("minus_ten", draws="10")
    assert game["total"] == result
    assert game.turn == (1, 1)


def test_counting_goes_on_from_a_negative_total(table: type[Table]) -> None:
    """A number card adds to a negative total."""
    rules = Rules.preset("1980", num_players=2)
    game = table(position(rules, ["2 3 4 5", "6 7 8 9"], total=-16))
    game.play("3", draws="10")
    assert game["total"] == -13
