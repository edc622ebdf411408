"""R19: ending a match by points.

All positions are the last moment of a round of three: seat 2 is out, seat 0 goes out by a 9 over
the limit and seat 1 is left. The round gives 9 + 7 + 7 + 0 + 25 = 48, 12 and 6 points.
"""

import pytest

from ono99_env import Rules
from tests.positions import Table, deal, position

DECK = {"0": 9, "3": 6, "6": 6, "7": 6, "9": 6}
FORMATS = ["points_last_standing", "points_lowest"]


def last_moment(match_format: str, scores: list[int], third_hand: str = "0 0 0 6") -> dict:
    """The position before the last play of the fifth round, with the scores so far."""
    rules = Rules.preset("1980", num_players=3, format=match_format, deck=DECK)
    return position(
        rules,
        ["9 9 7 7", "3 3 3 3", third_hand],
        total=98,
        eliminated=[False, False, True],
        points=scores,
        first_out=2 if third_hand else None,
        round=5,
        returns=[0, 0, 0 if third_hand else -0.5],
    )


def finish_round(game: Table, next_round: str = "") -> None:
    """Seat 0 goes out."""
    game.play("9", draws=f"0 {next_round}")


@pytest.mark.parametrize("match_format", FORMATS)
def test_target_is_200_by_default(match_format: str) -> None:
    """It is an option."""
    assert Rules.preset("1980", format=match_format).target_points == 200
    assert Rules.preset("1980", format=match_format, target_points=50).target_points == 50


@pytest.mark.parametrize("match_format", FORMATS)
def test_below_the_target_the_match_goes_on(table: type[Table], match_format: str) -> None:
    """Two players stand at 199."""
    game = table(last_moment(match_format, [151, 0, 193]))
    finish_round(game, deal(["6 6 6 6", "7 7 7 7", "9 9 9 9"], first=1))
    assert game["points"] == [199, 12, 199]
    assert game["is_over"] is False
    assert game["round"] == 6
    assert game["eliminated"] == [False, False, False]
    assert game["returns"] == [0, 0, 0]


def test_last_standing_player_at_the_target_leaves(table: type[Table]) -> None:
    """Reaching it exactly is enough; the others play on."""
    game = table(last_moment("points_last_standing", [152, 0, 10]))
    finish_round(game, deal(["", "7 7 7 7", "9 9 9 9"], first=2))
    assert game["points"] == [200, 12, 16]
    assert game["is_over"] is False
    assert game["eliminated"] == [True, False, False]
    assert game["returns"] == pytest.approx([-0.5, 0, 0])
    assert game.hands[0] == {}
    assert game["dealer"] == 1
    assert game.turn == (2, 1)


def test_last_standing_wins(table: type[Table]) -> None:
    """Two leave in the same round; the third wins, although out of that round."""
    game = table(last_moment("points_last_standing", [152, 190, 150]))
    finish_round(game)
    assert game["points"] == [200, 202, 156]
    assert game["is_over"] is True
    assert game["winners"] == [2]
    assert game["returns"] == pytest.approx([-0.5, -0.5, 1])
    assert game.turn == (None, 0)
    assert game.legal == []


def test_finished_match_stays_as_its_last_round_ended(table: type[Table]) -> None:
    """Hands, total and everything else of the round."""
    game = table(last_moment("points_last_standing", [152, 190, 150]))
    finish_round(game)
    assert game.hands == [{"9": 1, "7": 2, "0": 1}, {"3": 4}, {"0": 3, "6": 1}]
    assert (game["total"], game["round"], game["plays"]) == (98, 5, 1)
    assert game["eliminated"] == [True, False, True]
    assert game["busted"] == [True, False, False]


@pytest.mark.parametrize(
    ("before", "after", "winners", "returns"),
    [
        ([160, 190, 195], [208, 202, 201], [2], [-0.5, -0.5, 1]),
        ([153, 189, 199], [201, 201, 205], [0, 1], [0.25, 0.25, -0.5]),
        ([153, 189, 195], [201, 201, 201], [0, 1, 2], [0, 0, 0]),
    ],
)
def test_last_standing_all_reach_the_target(
    table: type[Table],
    before: list[int],
    after: list[int],
    winners: list[int],
    returns: list[float],
) -> None:
    """The lowest score wins; equal scores share."""
    game = table(last_moment("points_last_standing", before))
    finish_round(game)
    assert game["points"] == after
    assert game["winners"] == winners
    assert game["returns"] == pytest.approx(returns)


def test_lowest_of_the_last_to_leave_wins(table: type[Table]) -> None:
    """Seat 2 left the match earlier with a lower score than both who reach the target now."""
    game = table(last_moment("points_last_standing", [190, 195, 201], third_hand=""))
    finish_round(game)
    assert game["points"] == [238, 207, 201]
    assert game["winners"] == [1]
    assert game["returns"] == pytest.approx([-0.5, 1, -0.5])


@pytest.mark.parametrize(
    ("before", "after", "winners", "returns"),
    [
        ([152, 3, 10], [200, 15, 16], [1], [-0.5, 1, -0.5]),
        ([152, 13, 3], [200, 25, 9], [2], [-0.5, -0.5, 1]),
        ([152, 3, 9], [200, 15, 15], [1, 2], [-0.5, 0.25, 0.25]),
        ([190, 189, 194], [238, 201, 200], [2], [-0.5, -0.5, 1]),
    ],
)
def test_lowest_score_wins(
    table: type[Table],
    before: list[int],
    after: list[int],
    winners: list[int],
    returns: list[float],
) -> None:
    """The match ends after the round in which somebody reaches the target."""
    game = table(last_moment("points_lowest", before))
    finish_round(game)
    assert game["points"] == after
    assert game["is_over"] is True
    assert game["winners"] == winners
    assert game["returns"] == pytest.approx(returns)
