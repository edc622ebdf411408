"""R15: the rounds of a match."""

import pytest

from ono99_env import Game, Rules
from tests.positions import Table, deal, position
from tests.reference import ReferenceGame

FOUR = "ono99 ono99 ono99 ono99"
NEXT = ["2 2 2 3", "3 3 4 4", "5 5 6 6"]


def chips(players: int = 3, **options: object) -> Rules:
    """1980 rules with chips."""
    return Rules.preset("1980", num_players=players, **options)


def test_next_round_starts_anew(table: type[Table]) -> None:
    """Full deck, total 0, clockwise, nobody out, nothing played; chips and points stay."""
    hands = ["hold 10 10 10", "9 9 9 8", "7 7 7 8"]
    snapshot = position(
        chips(), hands, draw_pile="10 10", total=98, direction=-1, round=3, chips=[3, 1, 2]
    )
    snapshot["history"].update(plays=7, reshuffles=2, recent_plays=[["2"], ["3", "4"], []])
    game = table(snapshot)
    game.play("hold", draws=f"10 {deal(NEXT, first=1)}")
    assert game.hands == [{"2": 3, "3": 1}, {"3": 2, "4": 2}, {"5": 2, "6": 2}]
    deck = chips().model_dump(mode="json")["deck"]
    used = {"2": 3, "3": 3, "4": 2, "5": 2, "6": 2}
    rest = {name: count - used.get(name, 0) for name, count in deck.items()}
    assert game["draw_pile"] == {name: count for name, count in rest.items() if count}
    assert game["discard_pile"] == {}
    assert (game["total"], game["direction"], game["round"]) == (0, 1, 4)
    assert game["eliminated"] == [False, False, False]
    assert (game["last_player"], game["first_out"], game["top_discard"]) == (None, None, None)
    assert (game["plays"], game["reshuffles"]) == (0, 0)
    assert game["recent_plays"] == [[], [], []]
    assert game["chips"] == [3, 1, 1]
    assert game.turn == (1, 1)


@pytest.mark.parametrize(
    ("option", "dealer", "starter"), [("rotate", 0, 1), ("loser_starts", 1, 2)]
)
def test_next_dealer(table: type[Table], option: str, dealer: int, starter: int) -> None:
    """Seat 2 dealt; going counter-clockwise, seat 2 lost."""
    hands = ["hold 10 10 10", "9 9 9 8", "7 7 7 8"]
    game = table(position(chips(next_dealer=option), hands, total=98, direction=-1))
    game.play("hold", draws=f"10 {deal(NEXT, first=starter)}")
    assert game["dealer"] == dealer
    assert game.turn == (starter, 1)
    assert game.hands[starter] == [{"2": 3, "3": 1}, {"3": 2, "4": 2}, {"5": 2, "6": 2}][starter]


def test_deal_passes_over_a_player_who_left_the_match(table: type[Table]) -> None:
    """Seat 1 dealt, seat 2 leaves: seat 3 deals and seat 0 starts."""
    hands = ["10 10 10 10", "hold 10 10 10", "9 9 8 8", "7 7 7 6"]
    snapshot = position(chips(4), hands, total=98, dealer=1, current_player=1)
    game = table({**snapshot, "chips": [1, 1, 0, 1]})
    game.play("hold", draws=f"5 {deal(['2 2 2 3', '3 3 4 4', '', '8 8 8 7'], first=0)}")
    assert game["dealer"] == 3
    assert game.turn == (0, 1)
    assert game["eliminated"] == [False, False, True, False]


def test_loser_starts_but_has_left_the_match(table: type[Table]) -> None:
    """Seat 2 of four leaves; seat 3 starts, dealt by seat 1, the last before it still in."""
    hands = ["10 10 10 10", "hold 10 10 10", "9 9 8 8", "7 7 7 6"]
    snapshot = position(chips(4, next_dealer="loser_starts"), hands, total=98, current_player=1)
    game = table({**snapshot, "chips": [2, 2, 0, 2]})
    game.play("hold", draws=f"5 {deal(['2 2 2 3', '3 3 4 4', '', '8 8 8 7'], first=3)}")
    assert game["dealer"] == 1
    assert game.turn == (3, 1)
    assert game["eliminated"] == [False, False, True, False]
    assert game.hands[2] == {}
    assert game["chips"] == [2, 2, 0, 2]


def test_players_out_of_the_match_stay_out(table: type[Table]) -> None:
    """Seat 0 is out of the match: no cards, and neither dealer nor starter."""
    hands = ["", "hold 10 10 10", "7 7 7 8"]
    out = [True, False, False]
    snapshot = position(chips(), hands, total=98, current_player=1, eliminated=out)
    game = table({**snapshot, "chips": [0, 2, 2], "dealer": 2})
    game.play("hold", draws=f"10 {deal(['', '3 3 4 4', '5 5 6 6'], first=2)}")
    assert game["eliminated"] == out
    assert game.hands[0] == {}
    assert game["dealer"] == 1
    assert game.turn == (2, 1)
    assert game["returns"] == pytest.approx([-0.5, 0, 0])


def test_first_to_go_out_starts_in_a_points_match(table: type[Table]) -> None:
    """Seat 2 went out before seat 1."""
    rules = Rules.preset("1980", num_players=3, format="points_lowest", next_dealer="loser_starts")
    hands = ["hold 2 2 3", "7 7 8 8", "9 9 9 10"]
    game = table(position(rules, hands, total=98, direction=-1))
    game.play("hold", draws="10")
    assert game.turn == (2, 1)
    game.play("9", draws="10")
    assert game.turn == (1, 1)
    game.play("7", draws=f"10 {deal(NEXT, first=2)}")
    assert game["dealer"] == 1
    assert game.turn == (2, 1)
    assert game["busted"] == [False, False, False]


def test_starter_without_a_play_is_out_at_once(table: type[Table]) -> None:
    """Four ONO 99 cards dealt to the starter end the next round, and another is dealt."""
    hands = ["hold 10 10 10", "9 9 9 8", "7 7 7 8"]
    game = table(position(chips(), hands, total=98))
    lost_at_once = deal(["2 2 2 3", FOUR, "5 5 6 6"], first=1)
    game.play("hold", draws=f"10 {lost_at_once} {deal(NEXT, first=2)}")
    assert game["chips"] == [3, 1, 3]
    assert game["round"] == 3
    assert game["dealer"] == 1
    assert game.turn == (2, 1)


def test_first_round_may_be_lost_at_once() -> None:
    """The same at the start of the game."""
    rules = chips(dealer=2)
    draws = f"{deal([FOUR, *NEXT[1:]], first=0)} {deal(NEXT, first=1)}".split()
    for snapshot in [
        Game(rules, seed=0, draws=draws).snapshot(),
        ReferenceGame(rules.model_dump(mode="json"), 2, draws).snapshot(),
    ]:
        assert snapshot["chips"] == [2, 3, 3]
        assert (snapshot["round"], snapshot["dealer"], snapshot["current_player"]) == (2, 0, 1)
