"""Rules: every impossible setting is refused by name, and every file of rules loads."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ono99_env import Game, Rules
from tests.random_games import play_randomly
from tests.random_rules import random_rules

FILES = sorted((Path(__file__).parents[2] / "configs" / "rules").glob("*.yaml"))
NOT_WHOLE = [2.5, 3.0, "3", True, [3], float("nan")]
NOT_A_FLAG = ["true", 1, 0.0, "yes", None]
NOT_A_NAME = ["sometimes", "", 3, None, True]

IMPOSSIBLE: dict[str, list[Any]] = {
    "edition": ["2023", "", None, 1.5],
    "num_players": [1, 0, -1, 7, 9, 2**40, None, *NOT_WHOLE],
    "deck": [
        *({"joker": 4}, {"11": 4}, {"REVERSE": 4}, {"0": -1}, {"0": 2.5}, {"0": "40"}, {"0": True}),
        *({}, {"0": 15}, {"0": 128}, {"0": 100, "1": 28}, {0: 40}, {"0": None}, [40], "2022", None),
    ],
    "hand_size": [0, -1, 8, 29, None, *NOT_WHOLE],
    "highest_total": [-1, 10**6, None, *NOT_WHOLE],
    "lowest_total": [1, 98, -(10**6), *NOT_WHOLE],
    "play_two_answers": [["10"], ["reverse", "joker"], "reverse", 3, None, [None]],
    "reverse_deflects_heads_up": NOT_A_FLAG,
    "ono99_play": ["always", *NOT_A_NAME],
    "four_ono99_discard": [False, *NOT_A_NAME],
    "stuck_round_winner": ["nobody", *NOT_A_NAME],
    "eliminated_hands": ["hidden", *NOT_A_NAME],
    "keep_top_discard": NOT_A_FLAG,
    "voluntary_bust": [True, *NOT_A_FLAG],
    "bust_counts": NOT_A_FLAG,
    "missed_draw_probability": [
        *(-0.1, 1.1, float("nan"), float("inf"), "often", None, True),
        *([0.1], [0.1] * 5, [0, 0, 0, 2], [0, 0, 0, float("nan")], []),
    ],
    "dealer": [-1, 4, 8, "me", None, *NOT_WHOLE],
    "next_dealer": ["winner", *NOT_A_NAME],
    "format": ["best_of_three", *NOT_A_NAME],
    "chips": [-1, 100, None, *NOT_WHOLE],
    "target_points": [0, -5, 10**6, None, *NOT_WHOLE],
    "max_plays": [0, -1, 2**40, *NOT_WHOLE],
}
CASES = [
    pytest.param(field, value, id=f"{field}={value!r}")
    for field, values in IMPOSSIBLE.items()
    for value in values
]


@pytest.mark.parametrize(("field", "value"), CASES)
def test_an_impossible_setting_is_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(ValidationError, match=field):
        Rules(**{field: value})


def test_every_field_has_impossible_settings_in_this_file() -> None:
    assert IMPOSSIBLE.keys() == Rules.model_fields.keys()


@pytest.mark.parametrize("edition", ["2022", "1980"])
@pytest.mark.parametrize("field", ["players", "game_num_players", "Deck", "seed"])
def test_an_unknown_field_is_refused_by_name(edition: str, field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        Rules(edition=edition, **{field: 4})


@pytest.mark.parametrize(("edition", "most"), [("2022", 6), ("1980", 8)])
def test_each_edition_has_its_own_number_of_players(edition: str, most: int) -> None:
    for players in range(2, most + 1):
        assert Rules.preset(edition, num_players=players).num_players == players
    with pytest.raises(ValueError, match=rf"^num_players: the .*2 to {most} players, not"):
        Rules.preset(edition, num_players=most + 1)


@pytest.mark.parametrize("game_format", ["single_round", "chips"])
def test_voluntary_busting_needs_points(game_format: str) -> None:
    with pytest.raises(ValidationError, match=rf"voluntary_bust.*points.*not {game_format}"):
        Rules(format=game_format, voluntary_bust=True)
    assert Rules(format="points_lowest", voluntary_bust=True).voluntary_bust


def test_a_deck_must_suffice_for_the_deal() -> None:
    with pytest.raises(ValidationError, match=r"deck: 23 cards are too few.*at least 24"):
        Rules(num_players=6, deck={"0": 23})
    assert Rules(num_players=6, deck={"0": 24}, max_plays=100).deck == {"0": 24}
    with pytest.raises(ValidationError, match="deck"):
        Rules(num_players=2, hand_size=7, deck={"0": 13})


def test_the_dealer_must_sit_at_the_table() -> None:
    with pytest.raises(ValidationError, match=r"dealer.*0 to 1"):
        Rules(num_players=2, dealer=2)


def test_a_probability_for_each_seat_must_be_one_for_each_seat() -> None:
    with pytest.raises(ValidationError, match=r"missed_draw_probability.*3 seats, not 2"):
        Rules(num_players=3, missed_draw_probability=[0.5, 0.5])
    assert Rules(num_players=2, missed_draw_probability=[0.5, 1]).missed_draw_by_seat == (0.5, 1.0)


def test_other_numbers_of_players_are_checked_with_the_rest() -> None:
    rules = Rules(num_players=4, dealer=3)
    assert rules.with_players(5).num_players == 5
    with pytest.raises(ValueError, match=r"^dealer: must be 'random' or a seat from 0 to 1, not 3"):
        rules.with_players(2)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"hand_size": 0}, "hand_size: must be from 1 to 7, not 0"),
        ({"num_players": 99}, "num_players: the 2022 edition is for 2 to 6 players, not 99"),
        ({"hand_size": "3"}, "hand_size: must be a whole number, not '3'"),
        ({"lowest_total": 1}, "lowest_total: must be at most 0, not 1"),
        ({"voluntary_bust": 1}, "voluntary_bust: must be true or false, not 1"),
        ({"dealer": "me"}, "dealer: must be a whole number or 'random', not 'me'"),
        (
            {"missed_draw_probability": [0, 2]},
            "missed_draw_probability.1: must be at most 1, not 2",
        ),
        ({"hand_sise": 3}, "hand_sise: there is no such field; did you mean 'hand_size'?"),
        ({"qqq": 3}, "qqq: there is no such field; there are: edition, num_players, deck"),
        ({"deck": {"0": -1}}, "deck.0: must be at least 0, not -1"),
        ({"deck": {"x" * 99: "y" * 99}}, "y..."),
        (dict.fromkeys("abcdef", 1), "; and 3 more problems"),
    ],
)
def test_impossible_fields_are_told_in_a_sentence(fields: dict[str, Any], sentence: str) -> None:
    for make in (Rules.of_fields, lambda fields: Rules.preset("2022", **fields)):
        with pytest.raises(ValueError, match=r"^[a-z_]+[.:]") as caught:
            make(fields)
        text = str(caught.value)
        assert sentence in text
        assert not set(text) & {"\n", "["}
        assert "pydantic" not in text


def test_a_file_is_named_unless_the_keywords_are_wrong(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text("hand_size: 9\n")
    with pytest.raises(ValueError, match=r"rules\.yaml: hand_size: must be from 1 to 7, not 9"):
        Rules.from_yaml(file)
    file.write_text("hand_size: 3\n")
    with pytest.raises(ValueError, match=r"^num_players: the 2022 edition"):
        Rules.from_yaml(file, num_players=7)


def test_rules_cannot_be_changed() -> None:
    rules = Rules()
    with pytest.raises(ValidationError, match="frozen"):
        rules.num_players = 3
    for change in (lambda: rules.deck.clear(), lambda: rules.deck.update({"0": 99})):
        with pytest.raises(TypeError, match="deck cannot be changed"):
            change()
    with pytest.raises(TypeError, match="deck cannot be changed"):
        rules.deck["0"] = 99
    assert rules == Rules()
    assert len({rules, Rules(), Rules(num_players=3)}) == 2


def test_presets_differ_from_each_other_as_the_rule_book_says() -> None:
    new, old = Rules.preset("2022"), Rules.preset("1980")
    differing = {name for name in Rules.model_fields if getattr(new, name) != getattr(old, name)}
    assert differing == {
        *("edition", "deck", "lowest_total", "play_two_answers", "four_ono99_discard", "format"),
    }
    assert (sum(new.deck.values()), sum(old.deck.values())) == (112, 54)


def test_a_reverse_is_always_an_answer() -> None:
    assert Rules(play_two_answers=[]).play_two_answers == ("reverse",)
    assert Rules(play_two_answers=["hold"]).play_two_answers == ("reverse", "hold")


@given(st.randoms(use_true_random=False))
def test_rules_survive_json(rng: Any) -> None:
    rules = random_rules(rng)
    assert Rules.model_validate_json(rules.model_dump_json()) == rules
    assert Rules.model_validate(rules.model_dump()) == rules


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_file_of_rules_loads_and_its_games_end(file: Path) -> None:
    rules = Rules.from_yaml(file)
    for seed in range(5):
        assert play_randomly(Game(rules, seed=seed), random.Random(seed), 20_000).is_over


@pytest.mark.parametrize("edition", ["2022", "1980"])
def test_a_file_that_spells_a_preset_out_is_that_preset(edition: str) -> None:
    file = next(file for file in FILES if file.stem == edition)
    assert Rules.from_yaml(file) == Rules.preset(edition)
    assert all(f"\n{name}:" in file.read_text() for name in Rules.model_fields)


def test_there_are_presets_variants_and_reduced_decks() -> None:
    names = {file.stem for file in FILES}
    assert names >= {"2022", "1980", "house"}
    assert sum(sum(Rules.from_yaml(file).deck.values()) < 20 for file in FILES) >= 2


def test_keywords_take_precedence_over_a_file(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text("edition: 1980\nnum_players: 5\n")
    assert Rules.from_yaml(file).num_players == 5
    assert Rules.from_yaml(str(file), num_players=8) == Rules.preset("1980", num_players=8)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        *(("num_players: 9", "num_players"), ("players: 4", "players"), ("deck: {10: 4}", "deck")),
        *(("ono99_play: off", "ono99_play"), ("[1, 2]", "mapping"), ("", "mapping")),
        *(("a: b: c", "YAML"), ("edition: [", "YAML"), ("\x00", "YAML"), ("3: 4", "3")),
    ],
)
def test_a_wrong_file_is_refused_saying_what_is_wrong(
    tmp_path: Path, text: str, named: str
) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=named):
        Rules.from_yaml(file)


def test_a_bare_off_in_a_file_is_off_although_yaml_reads_it_as_false(tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    file.write_text("four_ono99_discard: off\n")
    assert Rules.from_yaml(file).four_ono99_discard == "off"


def test_a_missing_file_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        Rules.from_yaml("no/such/file.yaml")
