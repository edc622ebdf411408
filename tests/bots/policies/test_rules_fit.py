"""A bot file fits the rules it was trained for, and names what differs in others."""

import pytest

from ono99_env import Rules, load_bot
from ono99_env.bots.policies.bot_file import BotMetadata, shared_rules
from tests.bots.policies.bot_files import METADATA, RULES, write_bot_file


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
    with pytest.raises(
        ValueError,
        match=r"What differs: deck \(15 of the 16 cards in other numbers\), lowest_total .*, "
        r"play_two_answers \(it is reverse and hold, and not reverse and play_two\), ",
    ):
        METADATA.check_rules(Rules.preset("1980", num_players=4))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"num_players": 5},
            r"differs: num_players \(it is 5, and not 2 to 4\). Play it with 2 to 4 players; or",
        ),
        (
            {"hand_size": 5},
            r"What differs: hand_size \(it is 5, and not 4\)\. Play it by the 2022 rules",
        ),
        (
            {"deck": {**RULES.deck, "9": 7}},
            r"What differs: deck \(7 cards 9, and not 6\)\. Play it by the 2022 rules \(--",
        ),
        (
            {"stuck_round_winner": "last_remaining"},
            r"stuck_round_winner \(it is last_remaining, and not last_to_play\)",
        ),
        ({"lowest_total": None}, r"lowest_total \(it is null, and not 0\)"),
        ({"format": "chips"}, r"format \(it is chips, and not single_round\)"),
        (
            {"keep_top_discard": True, "hand_size": 3},
            r"hand_size .* and keep_top_discard \(it is true, and not false\)",
        ),
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
    with pytest.raises(ValueError, match="is points_last_standing, and not chips or points_l"):
        metadata.check_rules(trained.model_copy(update={"format": "points_last_standing"}))
    with pytest.raises(ValueError, match=r"target_points \(it is 100, and not 200\)"):
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
    with pytest.raises(ValueError, match=rf"{field} \(it is"):
        metadata.check_rules(Rules.preset("2022", format=format_name))


def test_a_message_is_short_and_says_what_to_do():
    with pytest.raises(ValueError, match="What differs") as caught:
        METADATA.check_rules(Rules.preset("1980", num_players=7))
    assert len(str(caught.value)) < 500
    assert "Play it by the 2022 rules (--rules 2022; format single_round)" in str(caught.value)
    own = METADATA.model_copy(update={"rules": Rules.preset("2022", hand_size=5)})
    with pytest.raises(
        ValueError, match=r"by its own rules \(metadata\.rules of the bot; format si"
    ):
        own.check_rules(Rules.preset("2022", num_players=4))


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((3,), "3"),
        ((2, 4), "2 or 4"),
        ((2, 3), "2 or 3"),
        ((2, 3, 4), "2 to 4"),
        ((2, 4, 6), "2, 4 or 6"),
    ],
)
def test_player_counts_in_words(counts, words):
    assert f"{words} players" in METADATA.model_copy(update={"num_players": counts}).description


def test_rules_are_shared_by_bot_files_that_agree(tmp_path):
    chips = Rules.preset("1980", num_players=4)
    trained = {
        "one": METADATA,
        "two": METADATA.model_copy(update={"rules": RULES.with_players(2), "num_players": (2,)}),
        "other": METADATA.model_copy(update={"rules": chips}),
        "points": METADATA.model_copy(
            update={"rules": chips.model_copy(update={"format": "points_lowest"})}
        ),
    }
    bots = {
        name: load_bot(write_bot_file(tmp_path / f"{name}.onnx", metadata=metadata))
        for name, metadata in trained.items()
    }
    assert shared_rules([load_bot("highest")]) is None
    assert shared_rules([bots["one"], load_bot("highest"), bots["two"]]) == RULES
    assert shared_rules([bots["one"], bots["other"]]) is None
    assert shared_rules([bots["other"], bots["points"]]) is None
