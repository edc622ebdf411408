"""R3: a turn."""

import pytest

from ono99_env import Action, Game, IllegalActionError, Rules
from tests.positions import Table, position


def test_play_changes_the_total_draws_one_and_passes_the_turn(table: type[Table]) -> None:
    """Card to the discard pile, total, replacement, next player."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["7 1 1 1", "2 2 2 2", "3 3 3 3"], total=20))
    game.play("7", draws="9")
    assert game["total"] == 27
    assert game["discard_pile"] == {"7": 1}
    assert game.hands[0] == {"1": 3, "9": 1}
    assert game.turn == (1, 1)
    assert game["last_player"] == 0
    assert (game["top_discard"], game["plays"]) == ("7", 1)


def test_round_the_table(table: type[Table]) -> None:
    """The turn goes round clockwise and comes back."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["7 1 1 1", "2 2 2 2", "3 3 3 3"]))
    for seat, card in [(0, "1"), (1, "2"), (2, "3"), (0, "7")]:
        assert game.turn == (seat, 1)
        game.play(card, draws="9")
    assert game["total"] == 13


def test_last_four_actions_of_each_seat_newest_first(table: type[Table]) -> None:
    """What was played is kept by seat."""
    rules = Rules.preset("2022", num_players=2, hand_size=5)
    game = table(position(rules, ["1 2 3 4 5", "0 0 0 0 0"]))
    for card in "12345":
        game.play(card, draws="9")
        game.play("0", draws="10")
    assert game["recent_plays"] == [["5", "4", "3", "2"], ["0", "0", "0", "0"]]
    assert game["plays"] == 10


@pytest.mark.parametrize("points_format", ["points_last_standing", "points_lowest"])
@pytest.mark.parametrize(
    ("voluntary", "legal"), [(False, ["2", "hold"]), (True, ["2", "5", "10", "hold"])]
)
def test_must_play_within_the_limit_if_possible(
    table: type[Table], points_format: str, voluntary: bool, legal: list[str]
) -> None:
    """Option ``voluntary_bust``: busting is allowed although a legal play exists."""
    rules = Rules.preset("1980", num_players=3, format=points_format, voluntary_bust=voluntary)
    game = table(position(rules, ["2 5 10 hold", "2 2 3 3", "4 4 4 5"], total=95))
    assert game.legal == legal


def test_voluntary_bust_goes_out(table: type[Table]) -> None:
    """A player who busts by choice is out like any other."""
    rules = Rules.preset("1980", num_players=3, format="points_lowest", voluntary_bust=True)
    game = table(position(rules, ["2 5 10 hold", "2 2 3 3", "4 4 4 5"], total=95))
    game.play("10", draws="9")
    assert game["eliminated"] == [True, False, False]
    assert game["busted"] == [True, False, False]
    assert game["total"] == 95
    assert game.turn == (1, 1)


@pytest.mark.parametrize("action", [Action.N7, Action.N9, Action.ONO99, Action.DISCARD_FOUR_ONO99])
def test_illegal_action_is_refused_and_changes_nothing(action: Action) -> None:
    """Over the limit, not in hand, never playable, not four of them."""
    rules = Rules.preset("2022", num_players=3)
    game = Game.from_snapshot(position(rules, ["7 1 1 ono99", "2 2 2 2", "3 3 3 3"], total=95))
    before = game.snapshot()
    with pytest.raises(IllegalActionError):
        game.play(action)
    assert game.snapshot() == before


def test_draw_that_is_not_in_the_pile_is_refused_and_changes_nothing() -> None:
    """A named card must be there: all eight zeros are in hands."""
    rules = Rules.preset("2022", num_players=2)
    game = Game.from_snapshot(position(rules, ["0 0 0 0", "0 0 0 0"]))
    before = game.snapshot()
    with pytest.raises(ValueError, match="0"):
        game.play(Action.N0, draws=["0"])
    assert game.snapshot() == before
    game.play(Action.N0, draws=["1"])
    assert game.snapshot()["hands"][0] == {"0": 3, "1": 1}


def test_no_legal_action_when_the_game_is_over() -> None:
    """Nobody is to play any more."""
    rules = Rules.preset("2022", num_players=2)
    game = Game.from_snapshot(position(rules, ["0 0 0 0", "9 9 9 9"], total=98))
    game.play(Action.N0, draws=["0"])
    assert game.is_over
    assert game.legal_actions() == []
    with pytest.raises(IllegalActionError):
        game.play(Action.N0)
