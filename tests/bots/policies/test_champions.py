"""The champions that ship with the package are small, say how they were made, and win."""

from pathlib import Path

import pytest

from ono99_env import load_bot
from ono99_env.arena import one_vs_rest
from ono99_env.bots.policies.shipped_files import shipped_files

CHAMPIONS = {"2022": range(2, 7), "1980": range(2, 9)}
FORMATS = {"2022": ["single_round"], "1980": ["chips", "points_last_standing", "points_lowest"]}
ROOT = Path(__file__).parents[3]

TABLES = [
    (name, form, count)
    for name, counts in CHAMPIONS.items()
    for form in FORMATS[name]
    for count in counts
]


@pytest.mark.parametrize("name", CHAMPIONS)
def test_a_champion_is_small_and_says_how_it_was_made(name):
    assert shipped_files()[name].stat().st_size < 2_000_000
    metadata = load_bot(name).metadata
    assert list(metadata.num_players) == list(CHAMPIONS[name])
    assert list(metadata.formats or (metadata.rules.format,)) == FORMATS[name]
    assert metadata.rules.edition == name
    training = metadata.training
    assert training["decisions"] > 10_000_000
    assert training["seconds"] > 60
    assert training["seed"] == training["config"]["seed"]
    measured = {
        (row.get("format", "single_round"), row["num_players"], row["opponent"])
        for row in metadata.results["evaluation"]
    }
    wanted = {(form, count) for form in FORMATS[name] for count in CHAMPIONS[name]}
    assert {(*table, "highest") for table in wanted} <= measured
    assert {(*table, "random") for table in wanted} <= measured


@pytest.mark.slow
@pytest.mark.parametrize(("name", "form", "count"), TABLES)
@pytest.mark.parametrize("opponent", ["random", "highest"])
def test_a_champion_beats_the_bots_at_every_table(name, form, count, opponent):
    games = {"random": 400, "highest": 8000}[opponent] // (4 if name == "1980" else 1)
    bot = load_bot(name)
    rules = bot.metadata.rules.model_copy(update={"format": form}).with_players(count)
    outcome = one_vs_rest(rules, bot, load_bot(opponent), count, games, seed=2)
    assert outcome.score > 1


def test_the_model_card_names_every_champion():
    card = (ROOT / "models" / "README.md").read_text(encoding="utf-8")
    for name in shipped_files():
        assert f"`{name}.onnx`" in card
