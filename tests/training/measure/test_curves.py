"""Learning curves and reports: the axis of one evaluation, the champion's line, and the rules."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from ono99_env import Rules
from ono99_env.arena.analysis.duplicates import WinRate
from ono99_env.bots.policies.bot_file import BotMetadata, read_metadata
from training.config.config import Config
from training.measure import curves
from training.measure.champions import Champion, find_champions
from training.measure.curves import draw_curves
from training.measure.measurements import Evaluation, Measurement
from training.measure.report import run_report


def evaluation(decisions: int) -> Evaluation:
    outcome = WinRate(1000, 500, 0.6, (0.57, 0.63), 1.2, 0.015)
    return Evaluation(decisions, [Measurement("random", 2, "single_round", outcome)])


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    drawn: list[Figure] = []
    monkeypatch.setattr(curves, "write_figure", lambda path, figure: drawn.append(figure))
    return drawn


@pytest.mark.parametrize("moments", [[65_536], [0], [0, 1000, 9000]])
def test_decisions_begin_at_zero(moments: list[int], figures: list[Figure]) -> None:
    draw_curves(Path("x.png"), [evaluation(each) for each in moments], moments[-1])
    (low, high) = figures[0].axes[0].get_xlim()
    assert low == 0
    assert max(moments) < high <= max(1, max(moments)) * 1.1
    assert figures[0].get_suptitle()


def test_one_evaluation_shows_its_interval(figures: list[Figure]) -> None:
    draw_curves(Path("x.png"), [evaluation(65_536)], 65_536)
    segments = [
        path.vertices[:, 1].tolist()
        for collection in figures[0].axes[0].collections
        for path in collection.get_paths()
        if len(path.vertices) == 2
    ]
    assert segments == [pytest.approx([57, 63])]


def test_the_champion_has_a_line(figures: list[Figure]) -> None:
    champions = {("single_round", 2, "random"): Champion("2022", 0.708)}
    draw_curves(Path("x.png"), [evaluation(1000)], 1000, champions)
    lines = {line.get_label(): line.get_ydata() for line in figures[0].axes[0].lines}
    assert list(lines["2022 against random"]) == pytest.approx([70.8, 70.8])
    draw_curves(Path("x.png"), [evaluation(1000)], 1000)
    assert len(figures[1].axes[0].lines) == len(lines) - 1


def test_champions_are_found_for_the_rules_they_play() -> None:
    rules = Rules.preset("2022", num_players=2)
    found = find_champions([rules])
    rows = read_metadata("2022").results["evaluation"]
    measured = {row["opponent"]: row["win_rate"] for row in rows if row["num_players"] == 2}
    assert found
    for (match_format, players, opponent), champion in found.items():
        assert (match_format, players) == ("single_round", 2)
        assert champion.win_rate >= measured[opponent]
    assert find_champions([Rules(num_players=2, hand_size=3)]) == {}


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"edition": "2022"}, "Rules: the 2022 edition, single round."),
        ({"edition": "1980"}, "Rules: the 1980 edition, chips."),
        (
            {"edition": "2022", "hand_size": 3, "lowest_total": None},
            "Rules: the 2022 edition, single round, with `hand_size: 3`, `lowest_total: null`.",
        ),
    ],
)
def test_the_report_names_the_rules(rules: dict, words: str) -> None:
    training = {"decisions": 1000, "seconds_learning": 1.0, "code_version": "x"}
    metadata = BotMetadata.model_construct(
        rules=Rules.of_fields(rules), num_players=(2,), formats=(), training=training
    )
    report = run_report("name", Config(name="name"), metadata, evaluation(1).measurements)
    assert words in report.splitlines()
