"""R13: winning a single round."""

import pytest

from ono99_env import Game, Rules
from tests.positions import Table, deal, position
from tests.reference import ReferenceGame

FOUR = "ono99 ono99 ono99 ono99"
BOTH = ["last_to_play", "last_remaining"]


def rules_for(players: int, winner: str = "last_to_play", **options: object) -> Rules:
    """2022 rules with a choice of who wins a stuck round."""
    return Rules.preset("2022", num_players=players, stuck_round_winner=winner, **options)


def assert_won(game: Table, winner: int, players: int) -> None:
    """One seat has won, everybody else is out and has paid."""
    assert game["is_over"] is True
    assert game["winners"] == [winner]
    assert game["eliminated"] == [seat != winner for seat in range(players)]
    assert game["returns"] == pytest.approx(
        [1 if seat == winner else -1 / (players - 1) for seat in range(players)]
    )
    assert game.turn == (None, 0)
    assert game["second_play"] is False
    assert game["ono99_played_this_turn"] is False
    assert game["truncated"] is False
    assert game.legal == []


@pytest.mark.parametrize("winner", BOTH)
def test_last_player_left_wins(table: type[Table], winner: str) -> None:
    """The opponent is stuck, the winner could go on; the winner's hand stays."""
    game = table(position(rules_for(2, winner), ["0 0 9 9", "5 5 5 5"], total=98))
    game.play("0", draws="8")
    assert_won(game, 0, 2)
    assert game.hands == [{"0": 1, "8": 1, "9": 2}, {"5": 4}]
    assert game["total"] == 98


@pytest.mark.parametrize("winner", BOTH)
def test_worked_position_4_opponent_can_play(table: type[Table], winner: str) -> None:
    """B is out between two cards; A can play at 98 and wins."""
    hands = ["play_two reverse 9 9", "1 5 6 7"]
    game = table(position(rules_for(2, winner), hands, total=97))
    game.play("play_two", draws="9")
    game.play("1", draws="5")
    assert_won(game, 0, 2)


@pytest.mark.parametrize(("option", "winner"), [("last_to_play", 1), ("last_remaining", 0)])
def test_worked_position_4_nobody_can_play(table: type[Table], option: str, winner: int) -> None:
    """A cannot play either: B was the last to play; the other option lets A win."""
    hands = ["play_two 9 9 9", "1 5 6 7"]
    game = table(position(rules_for(2, option), hands, total=97))
    game.play("play_two", draws="9")
    game.play("1", draws="5")
    assert_won(game, winner, 2)


@pytest.mark.parametrize(("option", "winner"), [("last_to_play", 1), ("last_remaining", 0)])
def test_three_players_stuck_between_two_cards(
    table: type[Table], option: str, winner: int
) -> None:
    """B is out between two cards and nobody can play; in turn order C goes out and A is left."""
    hands = ["8 9 9 9", "1 5 6 7", "6 6 6 7"]
    snapshot = position(rules_for(3, option), hands, total=97, current_player=1, plays_owed=2)
    game = table({**snapshot, "last_player": 0})
    game.play("1", draws="5")
    assert_won(game, winner, 3)


def test_last_to_play_is_stuck_as_well(table: type[Table]) -> None:
    """A plays and nobody can go on, A neither: A was the last to play."""
    hands = ["0 9 9 9", "5 5 5 5", "6 6 6 6"]
    game = table(position(rules_for(3), hands, total=98))
    game.play("0", draws="8")
    assert_won(game, 0, 3)
    assert game.hands[1:] == [{"5": 4}, {"6": 4}]


def test_round_goes_on_while_anybody_can_play(table: type[Table]) -> None:
    """Only A, the last in turn order, can play: C goes out and A is the last player left."""
    hands = ["8 9 9 0", "1 5 6 7", "6 6 6 7"]
    game = table(position(rules_for(3), hands, total=97, current_player=1, plays_owed=2))
    game.play("1", draws="5")
    assert_won(game, 0, 3)


def test_round_goes_on_after_the_first_is_out(table: type[Table]) -> None:
    """B is stuck, C is not."""
    hands = ["0 9 9 9", "5 5 5 5", "0 6 6 6"]
    game = table(position(rules_for(3), hands, total=98))
    game.play("0", draws="8")
    assert game["is_over"] is False
    assert game["winners"] == []
    assert game.turn == (2, 1)
    game.play("0", draws="7")
    assert_won(game, 2, 3)


def test_others_are_judged_as_owing_one_card(table: type[Table]) -> None:
    """B cannot start with a Double Play when owing two; C, owing one, can play one."""
    rules = Rules.preset("1980", num_players=3, format="single_round")
    hands = ["play_two 10 10 10", "9 9 9 8", "play_two 7 7 7"]
    game = table(position(rules, hands, total=98))
    game.play("play_two", draws="10")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)
    assert game.legal == ["play_two"]


def test_others_are_judged_as_having_played_no_ono99(table: type[Table]) -> None:
    """B has played one this turn and may play no other; C may."""
    rules = Rules.preset(
        "1980", num_players=3, format="single_round", ono99_play="total_ends_in_zero"
    )
    hands = ["9 9 9 10", "ono99 ono99 10 10", "ono99 10 10 10"]
    game = table(position(rules, hands, total=90, current_player=1, plays_owed=2))
    game.play("ono99", draws="10")
    assert game["eliminated"] == [False, True, False]
    assert game.turn == (2, 1)
    assert game.legal == ["ono99"]


def test_discard_of_four_counts_as_a_play_that_could_be_made(table: type[Table]) -> None:
    """C holds four ONO 99 cards, so the round is not stuck."""
    hands = ["0 9 9 9", "5 5 5 5", FOUR]
    game = table(position(rules_for(3), hands, total=98))
    game.play("0", draws="8")
    assert game.turn == (2, 1)
    assert game.legal == ["discard_four_ono99"]


def test_discard_that_precedes_a_play_is_none_that_could_be_made(table: type[Table]) -> None:
    """``then_play``: C could only discard, so the round is stuck, and settled at once."""
    hands = ["9 9 9 8", "1 5 5 5", FOUR]
    rules = rules_for(3, four_ono99_discard="then_play")
    game = table(position(rules, hands, total=97, current_player=1, plays_owed=2))
    game.play("1", draws="5")
    assert_won(game, 1, 3)


def test_last_to_play_is_of_this_round_not_of_those_left(table: type[Table]) -> None:
    """Four players: A plays, B, C and D are stuck at once and so is A."""
    hands = ["reverse 9 9 9", "5 5 5 5", "6 6 6 6", "7 7 7 7"]
    game = table(position(rules_for(4), hands, total=98))
    game.play("reverse", draws="8")
    assert_won(game, 0, 4)
    assert game["first_out"] == 3


@pytest.mark.parametrize("option", BOTH)
def test_nobody_has_played_yet(option: str) -> None:
    """A deck that nobody can play: in turn order until the dealer is left, who wins."""
    rules = rules_for(
        3, option, deck={"ono99": 12}, four_ono99_discard="off", dealer=1, max_plays=100
    )
    game = Game(rules, seed=0)
    assert game.is_over
    assert game.winners == [1]
    assert game.current_player is None
    assert game.returns == pytest.approx([-0.5, 1, -0.5])
    reference = ReferenceGame(rules.model_dump(mode="json"), 1, ["ono99"] * 12).snapshot()
    assert reference["winners"] == [1]
    assert reference["eliminated"] == [True, False, True]
    assert reference["history"]["first_out"] == 2


@pytest.mark.parametrize("option", BOTH)
def test_only_the_starters_are_stuck(option: str) -> None:
    """Nobody has played: seats 1 and 2 are out at the deal, seat 0 has the next turn with 3."""
    rules = rules_for(4, option, deck={"ono99": 8, "1": 8}, four_ono99_discard="off", dealer=0)
    draws = deal(["1 1 1 1", FOUR, FOUR, "1 1 1 1"], first=1).split()
    for snapshot in [
        Game(rules, seed=0, draws=draws).snapshot(),
        ReferenceGame(rules.model_dump(mode="json"), 0, draws).snapshot(),
    ]:
        assert snapshot["eliminated"] == [False, True, True, False]
        assert snapshot["current_player"] == 3
        assert snapshot["is_over"] is False


def test_player_out_has_paid_before_the_end(table: type[Table]) -> None:
    """Out of a single round is out of the game."""
    hands = ["0 9 9 9", "5 5 5 5", "0 6 6 6"]
    game = table(position(rules_for(3), hands, total=98))
    game.play("0", draws="8")
    assert game["returns"] == pytest.approx([0, -0.5, 0])
