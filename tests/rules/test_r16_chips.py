"""R16: chips."""

import pytest

from ono99_env import Game, Rules
from tests.positions import Table, deal, position

NEXT = ["2 2 2 3", "3 3 4 4", "5 5 6 6"]
STUCK = ["hold 10 10 10", "9 9 9 8", "7 7 7 8"]


def chips(players: int = 3, **options: object) -> Rules:
    """1980 rules with chips."""
    return Rules.preset("1980", num_players=players, **options)


@pytest.mark.parametrize("count", [1, 3, 5])
def test_everybody_starts_with_chips(count: int) -> None:
    """Three by default."""
    assert Rules.preset("1980").chips == 3
    assert Game(chips(chips=count), seed=1).snapshot()["chips"] == [count] * 3


def test_first_player_who_cannot_play_loses_a_chip(table: type[Table]) -> None:
    """Nobody else does, although nobody could play."""
    game = table(position(chips(), STUCK, total=98))
    game.play("hold", draws=f"10 {deal(NEXT, first=1)}")
    assert game["chips"] == [3, 2, 3]
    assert game["points"] == [0, 0, 0]
    assert game["is_over"] is False
    assert game["returns"] == [0, 0, 0]


def test_stuck_before_the_second_card_loses_a_chip(table: type[Table]) -> None:
    """Between the two cards of an obligation."""
    hands = ["hold 10 10 10", "3 9 9 8", "7 7 7 8"]
    game = table(position(chips(), hands, total=95, current_player=1, plays_owed=2))
    game.play("3", draws=f"10 {deal(NEXT, first=1)}")
    assert game["chips"] == [3, 2, 3]


def test_last_chip_lost_is_still_in(table: type[Table]) -> None:
    """A player without chips plays on."""
    snapshot = position(chips(), STUCK, total=98)
    game = table({**snapshot, "chips": [3, 1, 3]})
    game.play("hold", draws=f"10 {deal(NEXT, first=1)}")
    assert game["chips"] == [3, 0, 3]
    assert game["eliminated"] == [False, False, False]
    assert game["returns"] == [0, 0, 0]
    assert game.turn == (1, 1)


def test_loser_without_a_chip_is_out_of_the_match(table: type[Table]) -> None:
    """The others play on, and the loser has paid."""
    snapshot = position(chips(), STUCK, total=98)
    game = table({**snapshot, "chips": [3, 0, 3]})
    game.play("hold", draws=f"10 {deal([NEXT[0], '', NEXT[2]], first=2)}")
    assert game["chips"] == [3, 0, 3]
    assert game["eliminated"] == [False, True, False]
    assert game["is_over"] is False
    assert game["returns"] == pytest.approx([0, -0.5, 0])
    assert (game["dealer"], game.turn) == (0, (2, 1))


def test_last_player_left_wins_the_match(table: type[Table]) -> None:
    """The last round stays as it ended."""
    hands = ["", "9 9 9 8", "hold 7 7 8"]
    out = [True, False, False]
    snapshot = position(chips(), hands, total=98, current_player=2, eliminated=out, round=8)
    game = table({**snapshot, "chips": [0, 0, 1]})
    game.play("hold", draws="10")
    assert game["is_over"] is True
    assert game["winners"] == [2]
    assert game["returns"] == pytest.approx([-0.5, -0.5, 1])
    assert game["chips"] == [0, 0, 1]
    assert game["eliminated"] == [True, True, False]
    assert game.hands == [{}, {"9": 3, "8": 1}, {"7": 2, "8": 1, "10": 1}]
    assert (game["total"], game["round"], game["plays"]) == (98, 8, 1)
    assert game.turn == (None, 0)


def test_winner_need_not_be_able_to_play(table: type[Table]) -> None:
    """The stuck-round rule of single rounds does not apply: only the first stuck player loses."""
    snapshot = position(chips(2), ["play_two 10 10 10", "3 9 9 9"], total=95)
    game = table({**snapshot, "chips": [0, 0]})
    game.play("play_two", draws="10")
    game.play("3", draws="10")
    assert game["winners"] == [0]


def test_chips_with_the_newer_deck(table: type[Table]) -> None:
    """Any format can be used with any deck."""
    rules = Rules.preset("2022", num_players=2, format="chips", chips=1)
    game = table(position(rules, ["0 9 9 9", "8 8 8 8"], total=98))
    game.play("0", draws=f"9 {deal(['1 1 2 2', '3 3 4 4'], first=1)}")
    assert game["chips"] == [1, 0]
    assert (game["dealer"], game.turn) == (0, (1, 1))
