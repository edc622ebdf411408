"""R14: match formats."""

import random

import pytest

from ono99_env import Game, Rules

FORMATS = ["single_round", "chips", "points_last_standing", "points_lowest"]


@pytest.mark.parametrize(("edition", "expected"), [("2022", "single_round"), ("1980", "chips")])
def test_default_format(edition: str, expected: str) -> None:
    """Each preset has its own."""
    assert Rules.preset(edition).format == expected


@pytest.mark.parametrize("edition", ["2022", "1980"])
@pytest.mark.parametrize("match_format", FORMATS)
@pytest.mark.parametrize("players", [2, 4])
def test_any_format_with_any_deck(edition: str, match_format: str, players: int) -> None:
    """A random game comes to an end, and what the losers pay the winners get."""
    rng = random.Random(5)
    game = Game(Rules.preset(edition, num_players=players, format=match_format), seed=5)
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()))
    assert game.winners
    assert sum(game.returns) == pytest.approx(0)
    assert all((game.returns[seat] > 0) == (seat in game.winners) for seat in range(players))
    assert (game.snapshot()["round"] > 1) == (match_format != "single_round")
