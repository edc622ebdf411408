"""A bot file fits the rules it was trained for, and names what differs in others."""

import pytest

from ono99_env import Rules
from ono99_env.bots.files import BotMetadata
from tests.bots.bot_files import METADATA, RULES


def fits(**fields: object) -> None:
    METADATA.check_rules(Rules.preset("2022", **{"num_players": 4, **fields}))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"num_players": 2},
        {"dealer": 0},
        {"next_dealer": "loser_starts"},
        {"missed_draw_probability": 0.1},
        {"max_plays": 100},
        {"chips": 1},
        {"target_points": 50},
    ],
)
def test_rules_that_do_not_matter_may_differ(fields):
    fits(**fields)


def test_the_edition_does_not_matter_but_what_it_fills_in_does():
    fields = {**RULES.model_dump(mode="json"), "edition": "1980"}
    METADATA.check_rules(Rules.model_validate(fields))
    with pytest.raises(ValueError, match=r"deck is .*; play_two_answers is .*; format is chips"):
        METADATA.check_rules(Rules.preset("1980", num_players=4))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"num_players": 5}, "num_players is 5, trained for 2 or 3 or 4"),
        ({"hand_size": 5}, "hand_size is 5, trained with 4"),
        ({"deck": {**RULES.deck, "9": 7}}, r"deck is \{'9': 7\}, trained with \{'9': 6\}"),
        ({"stuck_round_winner": "last_remaining"}, "stuck_round_winner is last_remaining"),
        ({"lowest_total": None}, "lowest_total is None, trained with 0"),
        ({"format": "chips"}, "format is chips, trained for single_round"),
        ({"keep_top_discard": True, "hand_size": 3}, "hand_size is 3.*; keep_top_discard is True"),
    ],
)
def test_rules_that_matter_must_be_equal(fields, message):
    with pytest.raises(ValueError, match=message):
        fits(**fields)


def test_a_bot_may_be_trained_for_several_formats():
    trained = Rules.preset("1980", num_players=4)
    formats = ("chips", "points_lowest")
    metadata = BotMetadata(rules=trained, num_players=[4], formats=formats)
    for form in formats:
        metadata.check_rules(Rules.preset("1980", num_players=4, format=form))
    with pytest.raises(ValueError, match="is points_last_standing, trained for chips or points_l"):
        metadata.check_rules(trained.model_copy(update={"format": "points_last_standing"}))
    with pytest.raises(ValueError, match="target_points is 100, trained with 200"):
        metadata.check_rules(
            Rules.preset("1980", num_players=4, format="points_lowest", target_points=100)
        )


@pytest.mark.parametrize(
    ("format_name", "field"),
    [
        ("chips", "chips"),
        ("points_lowest", "target_points"),
        ("points_last_standing", "bust_counts"),
    ],
)
def test_a_rule_of_a_format_matters_in_it(format_name, field):
    trained = Rules.preset(
        "2022", format=format_name, **{field: 1 if field != "bust_counts" else True}
    )
    metadata = BotMetadata(rules=trained, num_players=[4])
    with pytest.raises(ValueError, match=f"{field} is"):
        metadata.check_rules(Rules.preset("2022", format=format_name))
