"""R21: what everybody can see is kept (what a seat may see of it is tested with the views)."""

from ono99_env import Game, Rules
from tests.positions import Table, position

PUBLIC = {
    "total",
    "direction",
    "current_player",
    "plays_owed",
    "discard_pile",
    "draw_pile",
    "hands",
    "chips",
    "points",
    "eliminated",
    "last_player",
    "history",
}


def test_snapshot_holds_everything_public() -> None:
    """The facts of the rule, by name."""
    assert set(Game(Rules.preset("2022"), seed=1).snapshot()) >= PUBLIC


def test_every_card_played_is_known(table: type[Table]) -> None:
    """The discard pile holds each card, the history tells who played what."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["2 2 3 4", "6 6 6 7", "8 8 8 9"]))
    for card in ["2", "6", "8", "2", "7"]:
        game.play(card, draws="1")
    assert game["discard_pile"] == {"2": 2, "6": 1, "7": 1, "8": 1}
    assert game["recent_plays"] == [["2", "2"], ["7", "6"], ["8"]]
    assert game["last_player"] == 1


def test_reshuffles_are_counted(table: type[Table]) -> None:
    """Each time the discard pile becomes the draw pile."""
    rules = Rules.preset("2022", num_players=2, deck={"0": 10}, max_plays=100)
    game = table(position(rules, ["0 0 0 0", "0 0 0 0"]))
    counts = []
    for _ in range(7):
        game.play("0", draws="0")
        counts.append(game["reshuffles"])
    assert counts == [0, 0, 1, 1, 1, 2, 2]


def test_hand_of_an_eliminated_player_stays_on_the_table(table: type[Table]) -> None:
    """It can be seen until the round ends."""
    rules = Rules.preset("2022", num_players=3)
    game = table(position(rules, ["0 0 0 9", "5 5 5 6", "0 0 8 8"], total=98))
    game.play("0", draws="0")
    game.play("0", draws="0")
    assert game.hands[1] == {"5": 3, "6": 1}
    assert game["discard_pile"] == {"0": 2}
