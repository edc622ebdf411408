"""R1: the cards, their ids, values and counts (their points are tested with R18)."""

import pytest

from ono99_env import Action, Card, Rules
from tests.positions import Table, position

CARDS = [
    # id, name, value added, count 2022, count 1980
    (0, "0", 0, 8, 0),
    (1, "1", 1, 6, 0),
    (2, "2", 2, 6, 3),
    (3, "3", 3, 6, 3),
    (4, "4", 4, 6, 3),
    (5, "5", 5, 6, 3),
    (6, "6", 6, 6, 3),
    (7, "7", 7, 6, 3),
    (8, "8", 8, 6, 3),
    (9, "9", 9, 6, 3),
    (10, "10", 10, 10, 10),
    (11, "ono99", 0, 10, 4),
    (12, "reverse", 0, 10, 6),
    (13, "minus_ten", -10, 10, 4),
    (14, "play_two", 0, 10, 2),
    (15, "hold", 0, 0, 4),
]


@pytest.mark.parametrize(("number", "name"), [card[:2] for card in CARDS])
def test_ids_and_names(number: int, name: str) -> None:
    """Cards and the actions that play them share ids and names."""
    assert Card(number).label == name
    assert Card.from_label(name) == number
    assert Action(number).label == name
    assert Action.from_label(name) == number


def test_there_are_sixteen_cards_and_seventeen_actions() -> None:
    """The only action that is not a card is the discard of four ONO 99 cards."""
    assert len(Card) == 16
    assert len(Action) == 17
    assert Action.DISCARD_FOUR_ONO99 == 16
    assert Action.DISCARD_FOUR_ONO99.label == "discard_four_ono99"


@pytest.mark.parametrize(("edition", "column", "size"), [("2022", 3, 112), ("1980", 4, 54)])
def test_decks_of_the_presets(edition: str, column: int, size: int) -> None:
    """Both decks have the counts of the rule book."""
    deck = Rules.preset(edition).model_dump(mode="json")["deck"]
    counts = {name: count for name, count in deck.items() if count}
    assert counts == {card[1]: card[column] for card in CARDS if card[column]}
    assert sum(counts.values()) == size


@pytest.mark.parametrize(("name", "value"), [card[1:3] for card in CARDS])
def test_value_added(table: type[Table], name: str, value: int) -> None:
    """Each card adds its value to the running total."""
    deck = {card[1]: 7 for card in CARDS}
    rules = Rules.preset("2022", num_players=3, deck=deck, ono99_play="total_ends_in_zero")
    game = table(position(rules, [f"{name} 2 2 2", "3 3 3 3", "4 4 4 4"], total=50))
    game.play(name, draws="5")
    assert game["total"] == 50 + value


def test_a_reduced_deck_is_a_configuration(table: type[Table]) -> None:
    """Every count is a field of the rules."""
    rules = Rules.preset("2022", num_players=2, deck={"0": 3, "10": 2}, hand_size=2)
    game = table(position(rules, ["0 10", "0 10"]))
    assert game["draw_pile"] == {"0": 1}
    assert game.legal == ["0", "10"]
