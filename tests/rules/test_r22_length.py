"""R22: the length of a round."""

import pytest

from ono99_env import Game, Rules
from tests.positions import Table, deal, position

FORMATS = ["single_round", "chips", "points_last_standing", "points_lowest"]
HANDS = ["2 3 4 5", "6 6 6 7", "8 8 8 9"]


def limited(max_plays: int, **options: object) -> Rules:
    """1980 rules for three with a limit of plays."""
    return Rules.preset("1980", num_players=3, max_plays=max_plays, **options)


@pytest.mark.parametrize("match_format", FORMATS)
def test_truncated_with_everybody_in(table: type[Table], match_format: str) -> None:
    """All share the win: nobody gets anything."""
    game = table(position(limited(2, format=match_format), HANDS))
    game.play("2", draws="10")
    assert game["is_over"] is False
    game.play("6", draws="10")
    assert game["is_over"] is True
    assert game["truncated"] is True
    assert game["winners"] == [0, 1, 2]
    assert game["returns"] == [0, 0, 0]
    assert game.turn == (None, 0)
    assert game.legal == []
    assert (game["total"], game["plays"]) == (8, 2)
    assert game["eliminated"] == [False, False, False]


def test_single_round_is_shared_by_those_still_in_it(table: type[Table]) -> None:
    """Seat 1 goes out after the last play; the other two share."""
    hands = ["hold 2 3 3", "10 10 10 9", "hold hold 4 5"]
    game = table(position(limited(1, format="single_round"), hands, total=98))
    game.play("hold", draws="10")
    assert game["truncated"] is True
    assert game["eliminated"] == [False, True, False]
    assert game["winners"] == [0, 2]
    assert game["returns"] == pytest.approx([0.25, -0.5, 0.25])
    assert game.turn == (None, 0)


def test_chips_are_shared_by_those_in_the_match(table: type[Table]) -> None:
    """A player without chips is still in, one who has lost without is not."""
    hands = ["2 3 4 5", "", "8 8 8 9"]
    out = [False, True, False]
    rules = limited(1)
    game = table(position(rules, hands, eliminated=out, chips=[0, 0, 3], returns=[0, -0.5, 0]))
    game.play("2", draws="10")
    assert game["truncated"] is True
    assert game["winners"] == [0, 2]
    assert game["returns"] == pytest.approx([0.25, -0.5, 0.25])


def test_points_are_shared_by_those_in_the_match(table: type[Table]) -> None:
    """Seat 1 is only out of the round, seat 2 has reached the target."""
    hands = ["2 3 4 5", "6 6 6 7", "", "8 8 8 9"]
    rules = Rules.preset("1980", num_players=4, max_plays=1, format="points_last_standing")
    snapshot = position(
        rules,
        hands,
        eliminated=[False, True, True, False],
        points=[10, 20, 200, 30],
        first_out=1,
        returns=[0, 0, -1 / 3, 0],
    )
    game = table(snapshot)
    game.play("2", draws="10")
    assert game["winners"] == [0, 1, 3]
    assert game["returns"] == pytest.approx([1 / 9, 1 / 9, -1 / 3, 1 / 9])
    assert game["points"] == [10, 20, 200, 30]


def test_lowest_points_are_shared_by_everybody(table: type[Table]) -> None:
    """Nobody leaves such a match before its end."""
    rules = limited(1, format="points_lowest")
    game = table(position(rules, HANDS, eliminated=[False, True, False], first_out=1))
    game.play("2", draws="10")
    assert game["winners"] == [0, 1, 2]
    assert game["returns"] == [0, 0, 0]


def test_round_won_by_the_last_play_is_not_truncated(table: type[Table]) -> None:
    """The limit is looked at after all consequences."""
    rules = Rules.preset("2022", num_players=2, max_plays=1)
    game = table(position(rules, ["0 0 0 0", "9 9 9 9"], total=98))
    game.play("0", draws="1")
    assert game["truncated"] is False
    assert game["winners"] == [0]
    assert game["returns"] == [1, -1]


def test_round_ended_by_the_last_play_is_not_truncated(table: type[Table]) -> None:
    """The count starts anew in the next round."""
    hands = ["hold 10 10 10", "9 9 9 8", "7 7 7 8"]
    game = table(position(limited(1), hands, total=98))
    game.play("hold", draws=f"10 {deal(['2 2 2 3', '3 3 4 4', '5 5 6 6'], first=1)}")
    assert game["is_over"] is False
    assert (game["round"], game["plays"]) == (2, 0)
    game.play("3", draws="10")
    assert game["truncated"] is True


@pytest.mark.parametrize("option", ["as_play", "then_play"])
def test_discards_count(table: type[Table], option: str) -> None:
    """Also the one that is no play."""
    rules = Rules.preset("2022", num_players=2, max_plays=1, four_ono99_discard=option)
    game = table(position(rules, ["ono99 ono99 ono99 ono99", "9 9 9 9"]))
    game.play("discard_four_ono99", draws="1 1 1 1")
    assert game["truncated"] is True
    assert game["winners"] == [0, 1]


def test_busts_count(table: type[Table]) -> None:
    """A card over the limit is an action, too."""
    game = table(position(limited(1, format="points_lowest"), HANDS, total=98))
    game.play("2", draws="10")
    assert game["truncated"] is True


def test_both_cards_of_an_obligation_count(table: type[Table]) -> None:
    """The game may end between them."""
    game = table(position(limited(1), HANDS, plays_owed=2))
    game.play("2", draws="10")
    assert game["truncated"] is True
    assert game.turn == (None, 0)
    assert game["second_play"] is False


def test_no_limit_by_default() -> None:
    """A deck of zeros and just enough nines goes on as long as nobody raises the total."""
    rules = Rules.preset("2022", num_players=2, deck={"0": 30, "9": 4})
    assert rules.max_plays is None
    game = Game(rules, seed=1)
    while game.legal_actions()[0] == 0 and game.snapshot()["history"]["plays"] < 500:
        game.play(game.legal_actions()[0])
    assert not game.is_over
    assert game.snapshot()["history"]["plays"] == 500


ENDLESS = {
    "only zeros": {"deck": {"0": 30}},
    "only helpers and ONO 99": {"deck": {"reverse": 20, "ono99": 20, "minus_ten": 10}},
    "too few cards that get stuck": {"deck": {"0": 30, "1": 3}},
    "too few for all players but one": {"deck": {"0": 30, "10": 11}, "num_players": 4},
    "ONO 99 that are discarded by four": {"deck": {"1": 1, "hold": 20, "ono99": 2}},
    "Minus Ten without a floor": {"deck": {"1": 20, "minus_ten": 20}, "lowest_total": None},
    "Minus Ten before the limit": {"deck": {"1": 12, "minus_ten": 60}},
    "chips": {"deck": {"0": 30, "9": 3}, "format": "chips"},
    "points": {"deck": {"0": 30, "9": 3}, "format": "points_lowest"},
    "one who misses draws among three": {
        **{"deck": {"0": 30, "9": 3}, "num_players": 3},
        "missed_draw_probability": (0.5, 0.0, 0.0),
    },
}


@pytest.mark.parametrize("fields", ENDLESS.values(), ids=ENDLESS)
def test_rules_whose_rounds_may_have_no_end_need_max_plays(fields: dict) -> None:
    fields = {"num_players": 2, **fields}
    with pytest.raises(ValueError, match=r"^deck: .*Set max_plays"):
        Rules.preset("2022", **fields)
    game = Game(Rules.preset("2022", **fields, max_plays=300), seed=1)
    while not game.is_over:
        game.play(game.legal_actions()[-1])
    assert game.is_truncated or "ono99" in fields["deck"]


MAY_END = {
    "Play Two that comes back to its player": {
        **{"deck": {"1": 1, "play_two": 1, "hold": 3, "reverse": 1}, "hand_size": 2},
        **{"format": "chips", "play_two_answers": ["hold"], "highest_total": 9},
    },
    "Minus Ten without a floor, but stuck before it comes": {
        **{"deck": {"10": 1, "minus_ten": 61}, "hand_size": 1},
        **{"lowest_total": None, "highest_total": 3},
    },
    "one who misses draws in the chips format": {
        **{"deck": {"0": 30, "9": 3}, "num_players": 3, "format": "chips"},
        "missed_draw_probability": (0.5, 0.0, 0.0),
    },
    "one who misses draws where a bust counts": {
        **{"deck": {"0": 30, "9": 3}, "num_players": 3, "format": "points_lowest"},
        **{"missed_draw_probability": (0.5, 0.0, 0.0), "bust_counts": True},
    },
    "four ONO 99 whose discard is no play": {
        **{"deck": {"1": 1, "0": 20, "ono99": 7}, "four_ono99_discard": "then_play"},
        **{"num_players": 3},
    },
}


@pytest.mark.parametrize("fields", MAY_END.values(), ids=MAY_END)
def test_rules_whose_rounds_can_end_need_no_max_plays(fields: dict) -> None:
    assert Rules.preset("2022", **{"num_players": 2, **fields}).max_plays is None


def test_hands_that_shrink_end_any_round() -> None:
    """Who misses every other draw has no card left some time."""
    deck = {"0": 30, "1": 1}
    rules = Rules.preset("2022", num_players=2, deck=deck, missed_draw_probability=(0.5, 0.0))
    game = Game(rules, seed=1)
    while not game.is_over:
        game.play(0 if 0 in game.legal_actions() else game.legal_actions()[0])
    assert game.winners == [1]
