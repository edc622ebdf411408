"""R5: an empty draw pile."""

import pytest

from ono99_env import Action, Game, Rules
from tests.positions import Table, position

DECK = {"0": 9, "1": 1, "2": 2}
HANDS = ["1 0 0 0", "0 0 0 0"]


def small_deck(**options: object) -> Rules:
    """Rules for two with a deck of twelve cards."""
    return Rules.preset("2022", num_players=2, deck=DECK, max_plays=100, **options)


def test_discard_pile_is_shuffled_with_the_card_just_played(table: type[Table]) -> None:
    """The played card is part of the new draw pile; the total stays."""
    game = table(position(small_deck(), HANDS, draw_pile="", total=40, top_discard="2"))
    game.play("1", draws="1")
    assert game.hands[0] == {"0": 3, "1": 1}
    assert game["draw_pile"] == {"0": 2, "2": 2}
    assert game["discard_pile"] == {}
    assert game["total"] == 41
    assert game["reshuffles"] == 1
    assert game["top_discard"] is None


def test_keep_top_discard_leaves_the_card_just_played(table: type[Table]) -> None:
    """Option ``keep_top_discard``."""
    rules = small_deck(keep_top_discard=True)
    game = table(position(rules, HANDS, draw_pile="", total=40, top_discard="2"))
    game.play("1", draws="2")
    assert game["draw_pile"] == {"0": 2, "2": 1}
    assert game["discard_pile"] == {"1": 1}
    assert game["top_discard"] == "1"
    assert game["reshuffles"] == 1


def test_kept_top_discard_cannot_be_drawn() -> None:
    """The card just played is not in the pile."""
    rules = small_deck(keep_top_discard=True)
    game = Game.from_snapshot(position(rules, HANDS, draw_pile="", top_discard="2"))
    with pytest.raises(ValueError, match="1"):
        game.play(Action.N1, draws=["1"])
    assert game.snapshot()["hands"][0] == {"0": 3, "1": 1}


def test_no_shuffle_before_a_card_must_be_drawn(table: type[Table]) -> None:
    """Drawing the last card leaves the draw pile empty."""
    game = table(position(small_deck(), HANDS, draw_pile="2", top_discard="2"))
    game.play("1", draws="2")
    assert game["draw_pile"] == {}
    assert game["discard_pile"] == {"0": 2, "1": 1, "2": 1}
    assert game["reshuffles"] == 0
    game.play("0", draws="0")
    assert game["draw_pile"] == {"0": 2, "1": 1, "2": 1}
    assert game["reshuffles"] == 1


def test_no_shuffle_for_a_missed_draw(table: type[Table]) -> None:
    """A draw that is missed needs no card."""
    game = table(position(small_deck(), HANDS, draw_pile="", top_discard="2"))
    game.play("1", missed=True)
    assert game["draw_pile"] == {}
    assert game["reshuffles"] == 0


def test_nothing_to_shuffle_nothing_drawn(table: type[Table]) -> None:
    """Only the kept top card is on the discard pile."""
    deck = {"0": 7, "1": 1}
    rules = Rules.preset("2022", num_players=2, deck=deck, max_plays=100, keep_top_discard=True)
    game = table(position(rules, HANDS))
    game.play("1")
    assert game.hands[0] == {"0": 3}
    assert game["discard_pile"] == {"1": 1}
    assert game["reshuffles"] == 0
    game.play("0", draws="1")
    assert game.hands[1] == {"0": 3, "1": 1}
    assert game["discard_pile"] == {"0": 1}
    assert game["reshuffles"] == 1


def test_the_only_card_to_shuffle_is_the_one_just_played(table: type[Table]) -> None:
    """Without a kept top card the player draws the same card again."""
    rules = Rules.preset("2022", num_players=2, deck={"0": 7, "1": 1}, max_plays=100)
    game = table(position(rules, HANDS))
    game.play("1", draws="1")
    assert game.hands[0] == {"0": 3, "1": 1}
    assert game["draw_pile"] == game["discard_pile"] == {}


@pytest.mark.parametrize(
    ("keep", "draw_pile", "discard_pile"),
    [(False, {"ono99": 3, "2": 2}, {}), (True, {"ono99": 2, "2": 2}, {"ono99": 1})],
)
def test_shuffle_in_the_middle_of_four_draws(
    table: type[Table], keep: bool, draw_pile: dict, discard_pile: dict
) -> None:
    """The four ONO 99 cards just discarded are shuffled, too, but for a kept top card."""
    deck = {"0": 6, "2": 3, "ono99": 4}
    rules = Rules.preset("2022", num_players=2, deck=deck, max_plays=100, keep_top_discard=keep)
    hands = ["ono99 ono99 ono99 ono99", "0 0 0 0"]
    game = table(position(rules, hands, draw_pile="0 0", top_discard="2"))
    game.play("discard_four_ono99", draws="0 0 2 ono99")
    assert game.hands[0] == {"0": 2, "2": 1, "ono99": 1}
    assert game["draw_pile"] == draw_pile
    assert game["discard_pile"] == discard_pile
    assert game["reshuffles"] == 1


def test_two_shuffles_for_four_draws_are_impossible(table: type[Table]) -> None:
    """When the piles are used up the rest of the draws is lost."""
    deck = {"0": 4, "ono99": 4}
    rules = Rules.preset("2022", num_players=2, deck=deck, max_plays=100, keep_top_discard=True)
    game = table(position(rules, ["ono99 ono99 ono99 ono99", "0 0 0 0"]))
    game.play("discard_four_ono99", draws="ono99 ono99 ono99")
    assert game.hands[0] == {"ono99": 3}
    assert game["discard_pile"] == {"ono99": 1}
    assert game["reshuffles"] == 1
