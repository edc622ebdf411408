"""R20: the missed draw."""

import pytest

from ono99_env import Action, Game, Rules
from tests.positions import Table, position

FOUR = "ono99 ono99 ono99 ono99"
HANDS = ["2 3 4 5", "6 6 6 7", "8 8 8 9"]


def three(**options: object) -> Rules:
    """1980 rules for three players in a single round."""
    return Rules.preset("1980", num_players=3, **{"format": "single_round", **options})


def test_hand_stays_one_card_smaller(table: type[Table]) -> None:
    """Later draws replace one card each."""
    game = table(position(three(), HANDS))
    game.play("2", missed=True)
    assert game.hands[0] == {"3": 1, "4": 1, "5": 1}
    assert game["draw_pile"] == position(three(), HANDS)["draw_pile"]
    game.play("6", draws="10")
    game.play("8", draws="10")
    game.play("3", draws="9")
    assert game.hands[0] == {"4": 1, "5": 1, "9": 1}


def test_turn_goes_on_as_usual(table: type[Table]) -> None:
    """Total, effect and next player are those of the card."""
    game = table(position(three(), ["reverse 3 4 5", *HANDS[1:]], total=50))
    game.play("reverse", missed=True)
    assert (game["total"], game["direction"], game.turn) == (50, -1, (2, 1))


def test_both_cards_of_an_obligation_may_be_missed(table: type[Table]) -> None:
    """Two cards fewer in hand."""
    game = table(position(three(), HANDS, plays_owed=2))
    game.play("2", missed=True)
    assert game.turn == (0, 1)
    game.play("3", missed=True)
    assert game.hands[0] == {"4": 1, "5": 1}
    assert game.turn == (1, 1)


@pytest.mark.parametrize(("option", "turn"), [("as_play", (1, 1)), ("then_play", (0, 1))])
def test_discard_of_four_misses_all_four(
    table: type[Table], option: str, turn: tuple[int, int]
) -> None:
    """With five cards in hand one is left."""
    rules = three(four_ono99_discard=option, hand_size=5)
    game = table(position(rules, [f"{FOUR} 2", "6 6 6 7 7", "8 8 8 9 9"]))
    game.play("discard_four_ono99", missed=True)
    assert game.hands[0] == {"2": 1}
    assert game.turn == turn


def test_empty_hand_after_the_discard_of_four_is_out(table: type[Table]) -> None:
    """``then_play``: the play is still owed, and there is nothing to play."""
    game = table(position(three(four_ono99_discard="then_play"), [FOUR, *HANDS[1:]]))
    game.play("discard_four_ono99", missed=True)
    assert game["eliminated"] == [True, False, False]
    assert game.hands[0] == {}
    assert game.turn == (1, 1)


def test_last_card_missed_is_out_at_the_next_turn(table: type[Table]) -> None:
    """A player with an empty hand has no legal play."""
    game = table(position(three(), ["2", "6 6 6 7", "8 8 8 9"]))
    game.play("2", missed=True)
    assert game["eliminated"] == [False, False, False]
    game.play("6", draws="10")
    game.play("8", draws="10")
    assert game["eliminated"] == [True, False, False]
    assert game.turn == (1, 1)


def test_last_card_missed_as_first_of_two_is_out(table: type[Table]) -> None:
    """No card is left for the second play."""
    game = table(position(three(), ["2", "6 6 6 7", "8 8 8 9"], plays_owed=2))
    game.play("2", missed=True)
    assert game["eliminated"] == [True, False, False]
    assert game.turn == (1, 1)


def test_bust_card_may_miss_its_draw(table: type[Table]) -> None:
    """Any play's draw may be missed."""
    game = table(position(three(format="points_lowest"), HANDS, total=98))
    game.play("2", missed=True)
    assert game.hands[0] == {"3": 1, "4": 1, "5": 1}
    assert game["busted"] == [True, False, False]


@pytest.mark.parametrize(
    ("probability", "missed"),
    [(0.0, [False] * 3), (1.0, [True] * 3), ([1.0, 0.0, 1.0], [True, False, True])],
)
def test_probability_for_all_or_by_seat(
    probability: float | list[float], missed: list[bool]
) -> None:
    """Chance decides unless the caller does."""
    rules = three(missed_draw_probability=probability)
    game = Game.from_snapshot(position(rules, HANDS))
    records = [game.play(game.legal_actions()[0]) for _ in range(3)]
    assert [record.missed_draw for record in records] == missed
    assert [len(record.drawn) for record in records] == [0 if miss else 1 for miss in missed]
    sizes = [sum(hand.values()) for hand in game.snapshot()["hands"]]
    assert sizes == [3 if miss else 4 for miss in missed]


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_default_is_never(edition: str) -> None:
    """Both presets."""
    assert Rules.preset(edition).missed_draw_probability == 0


@pytest.mark.parametrize(("probability", "decided"), [(1.0, False), (0.0, True)])
def test_caller_decides_against_chance(probability: float, decided: bool) -> None:
    """``missed_draw`` of ``play`` wins."""
    game = Game.from_snapshot(position(three(missed_draw_probability=probability), HANDS))
    assert game.play(Action.N2, missed_draw=decided).missed_draw is decided
    assert sum(game.snapshot()["hands"][0].values()) == (3 if decided else 4)


def test_probability_is_met_about_as_often() -> None:
    """A quarter of the draws of 400 games' first plays."""
    rules = three(missed_draw_probability=0.25)
    games = [Game(rules, seed=seed) for seed in range(400)]
    missed = sum(game.play(game.legal_actions()[0]).missed_draw for game in games)
    assert 70 < missed < 130
