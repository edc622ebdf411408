"""The page of a tournament: one order, the command that repeats it, and plots of everything."""

import shlex
from pathlib import Path

import numpy as np
import pytest

from ono99_env.arena import Arena
from ono99_env.arena.analysis.intervals import binomial_intervals
from ono99_env.arena.report.page import repeat_command, write_report
from ono99_env.arena.report.plots import draw_pairs, draw_player_counts, draw_ratings, draw_seats

BOTS = ["counter", "highest", "random"]


@pytest.fixture(scope="module")
def record() -> dict:
    arena = Arena(BOTS, rules="2022", players=[2, 3], games=600, seed=3)
    return arena.record(arena.play())


def test_every_plot_has_a_title_and_intervals(record: dict) -> None:
    names = [bot["name"] for bot in record["bots"]]
    count = record["players"][1]
    figures = [
        draw_ratings(record),
        draw_seats(count, names, 0.95),
        draw_player_counts(record["players"], names),
    ]
    for figure in figures:
        assert figure.get_suptitle()
        assert figure.axes[0].containers  # error bars
    assert draw_pairs(count, names).get_suptitle() == "Pairs, 3 players"


def test_every_plot_has_the_order_of_the_ratings(record: dict) -> None:
    names = [bot["name"] for bot in record["bots"]]
    count = record["players"][0]
    shown = [
        label.get_text() for label in draw_seats(count, names, 0.95).axes[0].get_legend().texts
    ]
    rows = [label.get_text() for label in draw_pairs(count, names).axes[0].get_yticklabels()]
    rated = [label.get_text() for label in draw_ratings(record).axes[0].get_yticklabels()]
    assert shown == rows == rated == names


def test_the_scale_does_not_shout_at_noise() -> None:
    pairs = [
        {"bots": ["a", "b"], "win_rates": [0.51, 0.49], "interval": [-0.02, 0.06]},
        {"bots": ["a", "c"], "win_rates": [0.53, 0.47], "interval": [0.02, 0.1]},
    ]
    figure = draw_pairs({"num_players": 2, "pairs": pairs}, ["a", "b", "c"])
    image = figure.axes[0].images[0]
    assert image.get_clim() == (0.4, 0.6)
    assert image.get_array()[0].tolist()[1:] == [0.5, 0.53]
    assert image.get_array()[2, 0] == pytest.approx(0.47)
    assert "51.0%" in [text.get_text() for text in figure.axes[0].texts]


def test_the_page_has_one_order_and_the_command(record: dict, tmp_path: Path) -> None:
    write_report(tmp_path, record)
    page = (tmp_path / "index.html").read_text()
    names = [bot["name"] for bot in record["bots"]]
    rows = [line for line in page.splitlines() if line.startswith("<tr><td>")]
    shown = [name for row in rows for name in names if row.startswith(f"<tr><td>{name}</td>")]
    assert shown == names * 3
    assert repeat_command(record["setup"]) in page
    assert all((tmp_path / file).exists() for file in ("ratings.png", "seats_3.png", "pairs_2.png"))


def test_the_command_repeats_the_tournament(record: dict) -> None:
    words = shlex.split(repeat_command(record["setup"]))
    assert words == shlex.split(
        "ono99 arena counter highest random --rules 2022 --players 2,3 --games 600 --seed 3"
    )


def test_house_rules_are_repeated_from_the_file() -> None:
    arena = Arena(["highest", "random"], rules={"edition": "2022", "hand_size": 3}, games=600)
    assert "--repeat" in repeat_command(arena.setup.as_dict())


def test_options_stand_in_the_command() -> None:
    arena = Arena(
        ["highest", "random"], games=600, seating="one_vs_rest", forfeit=True, time_limit=2.5
    )
    command = repeat_command(arena.setup.as_dict())
    assert command.endswith("--one-vs-rest --forfeit --time-limit 2.5")


def test_binomial_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(1)
    rates = rng.binomial(200, 0.2, 4000) / 200
    low, high = binomial_intervals(rates, 200, 0.95)
    assert np.mean((low <= 0.2) & (high >= 0.2)) == pytest.approx(0.95, abs=0.015)
    low, high = binomial_intervals(np.array([0.0, 1.0]), 50, 0.95)
    assert (low[0], high[1]) == (0.0, 1.0)
    assert 0 < high[0] < 0.1
