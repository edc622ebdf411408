"""One command measures a bot; mistakes are explained before anything is played."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from rich.console import Console

from ono99_env import Rules, load_bot
from ono99_env.bots.policies.bot_file import BotMetadata
from ono99_env.cli.progress import GamesProgress
from tests.bots.policies.bot_files import write_bot_file
from training.evaluate import main
from training.measure import evaluation
from training.measure.evaluation import EvaluationPlan, evaluate, evaluate_in_parallel
from training.measure.measurements import Evaluation

SILENT = GamesProgress(Console(quiet=True))


@pytest.fixture
def bot_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_bot_file(tmp_path / "bot.onnx").name


def played(path) -> dict:
    return json.loads(path.read_text())


@pytest.mark.slow
def test_each_opponent_is_met_at_each_player_count(tmp_path, capsys):
    path = tmp_path / "results.json"
    words = ["highest", "--opponents", "random", "highest", "--players", "2", "3", "--seed", "4"]
    assert main([*words, "--games", "500", "--json", str(path)]) == 0
    record = played(path)
    rows = [(row["opponent"], row["num_players"], row["games"]) for row in record["results"]]
    assert rows == [
        ("random", 2, 500),
        ("highest", 2, 500),
        ("random", 3, 501),
        ("highest", 3, 501),
    ]
    assert (record["bot"], record["seed"]) == ("highest", 4)
    assert record["rules"]["highest_total"] == 98
    shown = capsys.readouterr().out
    for row in record["results"]:
        assert row["interval"][0] < row["win_rate"] < row["interval"][1]
        assert f"{row['win_rate']:.1%}" in shown


@pytest.mark.slow
def test_an_executor_gives_the_same_figures():
    bots = [load_bot(name) for name in ("highest", "random", "lowest")]
    tables = [Rules.preset("2022", num_players=count) for count in (2, 3)]
    plan = EvaluationPlan(bots[1:], tables, games=500, seed=4)
    with ThreadPoolExecutor(max_workers=1) as executor:
        shared = list(evaluate_in_parallel(bots[0], plan, executor))
    assert shared == list(evaluate(bots[0], plan, SILENT))
    assert len(shared) == 4


@pytest.mark.slow
def test_a_bot_file_brings_its_rules_and_player_counts(bot_file, tmp_path):
    rules = Rules.preset("1980", hand_size=3)
    write_bot_file(tmp_path / bot_file, metadata=BotMetadata(rules=rules, num_players=[3, 7]))
    assert main([bot_file, "--opponents", "random", "--games", "10", "--json", "r.json"]) == 0
    record = played(tmp_path / "r.json")
    assert [row["num_players"] for row in record["results"]] == [3, 7]
    assert (record["rules"]["edition"], record["rules"]["hand_size"]) == ("1980", 3)


def test_bot_files_and_rule_files_can_be_opponents_and_rules(bot_file, tmp_path):
    (tmp_path / "rules.yaml").write_text("hand_size: 5\n")
    words = ["--rules", "rules.yaml", "--players", "2", "--games", "20", "--json", "r.json"]
    assert main(["highest", "--opponents", "random", *words]) == 0
    assert played(tmp_path / "r.json")["rules"]["hand_size"] == 5
    assert main(["highest", "--opponents", f"{bot_file}?sample", *words[2:], "--overwrite"]) == 0
    assert played(tmp_path / "r.json")["results"][0]["opponent"] == "bot.onnx?sample"


@pytest.mark.slow
def test_the_same_command_gives_the_same_figures(bot_file, tmp_path):
    words = [f"{bot_file}?sample", "--opponents", "random", "--players", "2", "--games", "200"]
    for name in ("one.json", "two.json"):
        assert main([*words, "--json", name]) == 0
    assert played(tmp_path / "one.json") == played(tmp_path / "two.json")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fool"], "unknown bot 'fool'. Known are: random, highest"),
        (["gone.onnx"], "there is no bot file gone.onnx"),
        (["highest", "--opponents", "fool"], "unknown bot 'fool'"),
        (["highest", "--players", "7"], "--players: the 2022 edition is for 2 to 6 players"),
        (["highest", "--rules", "2021"], "--rules: must be '2022' or '1980', a"),
        (["highest", "--rules", "gone.yaml"], "--rules gone.yaml: No such file"),
        (["bot.onnx", "--players", "5"], "num_players (it is 5, and not 2 to 4)"),
        (
            ["highest", "--opponents", "bot.onnx", "--rules", "1980"],
            "format (it is chips, and not single_round)",
        ),
        (["highest", "--json", "gone/results.json"], "--json: there is no folder gone"),
        (["broken.onnx"], "broken.onnx is not an ONNX file"),
    ],
)
def test_mistakes_are_explained_before_anything_is_played(
    bot_file, tmp_path, monkeypatch, capsys, words, message
):
    (tmp_path / "broken.onnx").write_bytes(b"hello world")
    monkeypatch.setattr(evaluation, "one_vs_rest", None)
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["highest", "--games", "0"], "--games: must be a whole number from 1, not '0'"),
        (["highest", "--seed", "-3"], "--seed: must be a whole number from 0, not '-3'"),
        (
            ["highest", "--players", "two"],
            "--players/--num_players: must be numbers from 2 to 8, such as 4 or 2,4, not 'two'",
        ),
        (["highest", "--qqq"], "unrecognized arguments: --qqq; "),
        (["highest", "--fast"], "unrecognized arguments: --fast"),
        (["highest", "--gmaes", "3"], "--gmaes 3; did you mean --games?"),
        (["highest", "--oponents=random"], "--oponents=random; did you mean --opponents?"),
        ([], "arguments are required: BOT"),
    ],
)
def test_wrong_words_end_the_program_with_the_usage(capsys, words, message):
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_an_interrupted_evaluation_says_so(bot_file, tmp_path, monkeypatch, capsys):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluation, "one_vs_rest", interrupt)
    assert main([bot_file, "--json", "results.json"]) == 130
    assert "Interrupted" in capsys.readouterr().out
    assert not (tmp_path / "results.json").exists()


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_a_result_that_cannot_be_written_is_refused_before_playing(
    bot_file, tmp_path, monkeypatch, capsys, kind
):
    path = tmp_path / "results.json"
    path.mkdir() if kind == "folder" else path.write_text("older")
    monkeypatch.setattr(evaluation, "one_vs_rest", lambda *_, **__: pytest.fail("it was played"))
    assert main([bot_file, "--json", str(path)]) == 2
    message = "is a folder; name a file" if kind == "folder" else "exists; say --overwrite"
    assert message in capsys.readouterr().err
    assert path.is_dir() or path.read_text() == "older"


def test_the_help_names_every_option(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    for option in ("BOT", "--opponents", "--players", "--rules", "--games", "--seed", "--json"):
        assert option in shown


@pytest.mark.slow
def test_measurements_with_deals_of_their_own_are_independent():
    # With shared deals the variance of a mean over like opponents is far above what is stated.
    opponents = [load_bot(name) for name in ("random", "random", "random")]
    for number, opponent in enumerate(opponents):
        opponent.name = f"random {number}"
    bot, tables = load_bot("highest"), [Rules(num_players=2)]
    found = []
    for seed in range(250):
        plan = EvaluationPlan(opponents, tables, 60, seed, has_own_deals=True)
        found.append(Evaluation(1, list(evaluate(bot, plan, SILENT))))
    stated = np.mean([each.stderr**2 for each in found])
    true = np.var([each.score for each in found], ddof=1)
    assert true / stated == pytest.approx(1, abs=0.3)
