"""The frozen benchmark: pinned by a digest, the same figures everywhere, partial where needed."""

from dataclasses import replace

import pytest

from ono99_env.arena.benchmark import Benchmark, leaderboard_headings, leaderboard_line
from ono99_env.arena.protocol import V0
from ono99_env.bots import load_bot
from tests.bots.policies.bot_files import METADATA, write_bot_file

SHORT = replace(V0, deals=30, deals_at_once=20)

DIGESTS = {"ONO99-Bench v0": "a9725ee3ed4daead3bc42c93f2db722d22acb4bc1fa5b1fd2b4d36b5ff3015b2"}
"""A published version never changes. A protocol that gives other figures has another name."""

GOLDEN = {
    "highest": [
        [1.1333333333, 1.0, 1.0333333333, 1.0],
        [1.7666666667, 1.0, 0.7333333333, 0.8333333333],
        [2.3, 1.0, 1.1333333333, 0.9666666667],
        [2.9666666667, 1.0, 0.7, 1.2333333333],
        [3.7, 1.0, 0.8666666667, 0.8333333333],
        [1.9833333333, 1.0, 0.9333333333, 0.9333333333],
    ],
    "tiers": [
        [0.8333333333, 0.6, 0.7333333333, 0.5666666667],
        [0.9666666667, 0.3666666667, 0.3, 0.3],
        [1.2, 0.1666666667, 0.1333333333, 0.4],
        [1.0, 0.1666666667, 0.1666666667, 0.2333333333],
        [1.9, 0.1666666667, 0.0, 0.0333333333],
        [1.7, 0.5333333333, 0.5666666667, 0.6833333333],
    ],
}
"""Score of two bots against each of the pool in each setting of `SHORT`."""


def scores_of(record: dict) -> list[list[float]]:
    return [[each["score"] for each in row["opponents"]] for row in record["settings"]]


def test_the_protocol_is_frozen():
    assert DIGESTS[V0.name] == V0.digest


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_the_figures_of_a_bot_never_change(name):
    record = Benchmark(load_bot(name), SHORT).play()
    assert scores_of(record) == GOLDEN[name]
    assert not record["is_partial"]


@pytest.mark.slow
def test_the_figures_do_not_depend_on_the_name_of_the_bot_nor_on_the_processes(tmp_path):
    tiny = replace(SHORT, deals=4, deals_at_once=2)
    names = ["bot.onnx", "same.onnx"]
    bots = [load_bot(str(write_bot_file(tmp_path / name))) for name in names]
    alone, shared = Benchmark(bots[0], tiny).play(), Benchmark(bots[1], tiny).play(processes=2)
    assert scores_of(alone) == scores_of(shared)
    assert alone["fingerprint"] == shared["fingerprint"]


@pytest.mark.slow
def test_scores_are_means_over_settings_and_the_opponents_that_count():
    record = Benchmark(load_bot("highest"), SHORT).play()
    uncounted = V0.pool.index(*V0.not_scored)
    for setting in record["settings"]:
        counted = [each["score"] for each in setting["opponents"]]
        del counted[uncounted]
        assert setting["score"] == pytest.approx(sum(counted) / len(counted))
        low, high = setting["interval"]
        assert low < setting["score"] < high
    for edition, part in record["editions"].items():
        scores = [row["score"] for row in record["settings"] if row["edition"] == edition]
        assert part["score"] == pytest.approx(sum(scores) / len(scores))
    scores = [row["score"] for row in record["settings"]]
    assert record["score"] == pytest.approx(sum(scores) / len(scores))
    widths = [row["interval"][1] - row["score"] for row in record["settings"]]
    margin = sum(width**2 for width in widths) ** 0.5 / len(widths)
    assert record["interval"][1] - record["score"] == pytest.approx(margin)


@pytest.mark.slow
def test_a_bot_meets_itself_at_parity():
    record = Benchmark(load_bot("highest"), SHORT).play()
    own = V0.pool.index("highest")
    assert {row[own] for row in scores_of(record)} == {1.0}


@pytest.mark.slow
def test_what_a_bot_cannot_play_is_left_out_and_said(tmp_path):
    bot = load_bot(str(write_bot_file(tmp_path / "bot.onnx")))  # 2022, two to four players
    record = Benchmark(bot, replace(SHORT, deals=4)).play()
    assert record["is_partial"]
    assert record["score"] is None
    assert record["editions"]["2022"]["score"] is None  # six players are missing
    assert "num_players (it is 6" in record["settings"][3]["problem"]
    assert "trained" in record["settings"][4]["problem"]
    assert [row["score"] is None for row in record["settings"]] == [False] * 3 + [True] * 3
    cells = leaderboard_line(record).strip("| ").split(" | ")
    assert cells[1:4] == ["partial", "-", "-"]
    assert cells[-2:] == ["-", "-"]


@pytest.mark.slow
def test_an_edition_that_is_played_whole_has_a_score(tmp_path):
    metadata = METADATA.model_copy(update={"num_players": tuple(range(2, 7))})
    bot = load_bot(str(write_bot_file(tmp_path / "bot.onnx", metadata=metadata)))
    record = Benchmark(bot, replace(SHORT, deals=2)).play()
    assert record["is_partial"]
    assert record["editions"]["2022"]["score"] is not None
    assert record["editions"]["1980"]["score"] is None


def test_a_bot_that_can_play_nothing_is_refused(tmp_path):
    metadata = METADATA.model_copy(update={"num_players": (5,)})
    bot = load_bot(str(write_bot_file(tmp_path / "bot.onnx", metadata=metadata)))
    with pytest.raises(ValueError, match="can play none of the settings of ONO99-Bench v0"):
        Benchmark(bot)


def test_a_quick_benchmark_plays_one_deal_in_a_hundred():
    quick, whole = Benchmark(load_bot("highest"), is_quick=True), Benchmark(load_bot("highest"))
    assert whole.games == 100 * quick.games


def test_the_leaderboard_has_a_heading_for_every_cell():
    record = {"bot": "x", "is_quick": False, "score": 1.0, "interval": [0.9, 1.1]}
    part = {"score": 1.0}
    rows = [part] * len(V0.settings)
    line = leaderboard_line({**record, "editions": {"2022": part, "1980": part}, "settings": rows})
    head, rule = leaderboard_headings().splitlines()
    assert line.count("|") == head.count("|") == rule.count("|")
    assert "1.000 ± 0.100" in line
