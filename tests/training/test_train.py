"""One command trains, exports and measures a bot, into a folder of its own."""

import csv
import json

import numpy as np
import onnx
import pytest
import yaml
from onnx import numpy_helper

from ono99_env import load_bot
from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.messages.errors import UsageError
from training.config.command_line import read_command
from training.run.run_folder import RunFolder
from training.train import main

FILES = [
    *(".lock", "bot.onnx", "checkpoint.npz", "config.yaml", "evaluations.csv"),
    *("learning_curve.png", "progress.csv", "report.md", "results.json", "tensorboard"),
]


def weights_of(path) -> list[np.ndarray]:
    return [numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer]


@pytest.mark.slow
def test_a_run_writes_everything(tiny, capsys):
    assert main([str(tiny)]) == 0
    folder = tiny.parent / "runs" / "tiny"
    assert sorted(path.name for path in folder.iterdir()) == FILES

    metadata = read_metadata(folder / "bot.onnx")
    assert metadata.num_players == (2, 3)
    assert metadata.training["decisions"] == 2048  # whole updates
    assert load_bot(str(folder / "bot.onnx")) is not None

    results = json.loads((folder / "results.json").read_text())
    assert results["evaluation"] == metadata.results["evaluation"]
    played = [(row["opponent"], row["num_players"], row["games"]) for row in results["evaluation"]]
    assert played == [("random", 2, 100), ("random", 3, 102)]  # every deal in every seat
    for row in results["evaluation"]:
        low, high = row["interval"]
        assert 0 <= low <= row["win_rate"] <= high <= 1

    config = yaml.safe_load((folder / "config.yaml").read_text())
    assert config["rules"]["highest_total"] == 98
    assert config["ppo"]["gamma"] == 1.0
    rows = list(csv.DictReader((folder / "progress.csv").open()))
    assert [int(row["time/total_timesteps"]) for row in rows] == [512, 1024, 1536, 2048]
    assert list((folder / "tensorboard").iterdir())
    report = (folder / "report.md").read_text()
    shown = capsys.readouterr().out
    for row in results["evaluation"]:
        assert f"{row['win_rate']:.1%}" in report
        assert f"{row['win_rate']:.1%}" in shown


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bot(tiny):
    for name, seed in (("first", "3"), ("again", "3"), ("other", "4")):
        words = [str(tiny), "--name", name, "--seed", seed, "--evaluation.games", "2"]
        np.random.seed(len(name))  # global generators must not matter
        assert main(words) == 0
    first, again, other = (
        weights_of(tiny.parent / "runs" / name / "bot.onnx") for name in ("first", "again", "other")
    )
    assert all(np.array_equal(one, two) for one, two in zip(first, again, strict=True))
    assert not all(np.array_equal(one, two) for one, two in zip(first, other, strict=True))


def test_an_older_run_is_never_written_over(tiny, capsys):
    old = tiny.parent / "runs" / "tiny" / "bot.onnx"
    old.parent.mkdir(parents=True)
    old.write_text("precious")
    assert main([str(tiny)]) == 2
    assert "runs/tiny exists" in capsys.readouterr().err
    assert old.read_text() == "precious"
    assert [path.name for path in old.parent.iterdir()] == ["bot.onnx"]


@pytest.mark.parametrize("words", [["--seed", "-1"], ["--device", "cuda:99"], ["--rules", "x"]])
def test_nothing_is_written_when_a_run_cannot_start(tiny, words, capsys):
    assert main([str(tiny), *words]) == 2
    message = capsys.readouterr().err
    assert message.startswith("error: ")
    assert words[0].removeprefix("--") in message
    assert not (tiny.parent / "runs").exists()


def test_a_run_without_a_name_gets_one_from_its_config_and_the_time(tiny):
    command = read_command([str(tiny), "--name", "null"])
    folder = RunFolder.choose(command.config, command.origin)
    folder.create(command.config)
    assert folder.path.name.startswith("tiny-20")
    assert yaml.safe_load(folder.config.read_text())["name"] == folder.path.name
    with pytest.raises(UsageError, match="exists"):
        folder.create(command.config)
