"""Bots that configs and run folders name: they run no code, and are shown as they are."""

import csv
import json
import os
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from ono99_env.messages.errors import UsageError
from training.config.command_line import make_config, read_command
from training.config.config import Config
from training.config.field_checks import allowing
from training.distributed.checkpoints import check_allowed, rllib_checkpoint
from training.distributed.cluster_config import DistributedConfig
from training.exploit import parser, read_options
from training.export import main as export
from training.run.run_folder import RunFolder
from training.train import main

OWN = """
open("called", "w").close()
from ono99_env import Bot

class Shy(Bot):
    def act(self, views, rng):
        return views.action_mask.argmax(axis=1)
"""
NAME = "shy_bots:Shy"
TINY = {
    "name": "tiny",
    "num_players": [2],
    "opponents": ["random"],
    "net_arch": [8],
    "total_decisions": 2048,
    "num_envs": 64,
    "ppo": {"n_steps": 16, "batch_size": 512, "n_epochs": 1},
    "evaluation": {"games": 100, "games_between": 100, "decisions_between": 1024},
}
FIELDS = [
    {"opponents": [NAME]},
    {"evaluation": {"opponents": [NAME]}},
    {"self_play": {"bots": {NAME: 0.5}}},
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "shy_bots.py").write_text(OWN)
    yield tmp_path
    sys.modules.pop("shy_bots", None)


def write(fields: dict, path: str = "run.yaml") -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(yaml.safe_dump(fields))
    return path


@pytest.mark.parametrize("fields", FIELDS)
@pytest.mark.parametrize("model", [Config, DistributedConfig])
def test_a_config_runs_no_code_unless_it_is_allowed(fields, model):
    with pytest.raises(ValueError, match="would run code"):
        model.model_validate(fields)
    with pytest.raises(UsageError, match=f"--allow-code {NAME}"):
        read_command([write(fields)], model)
    assert not Path("called").exists()
    for option in ("--allow-code", "--allow_code"):
        assert NAME in read_command([write(fields), option, NAME], model).config.bots
    assert NAME in model.model_validate(fields, context=allowing([NAME])).bots


@pytest.mark.parametrize("words", [["--opponents", NAME], ["--evaluation.opponents", NAME]])
def test_what_is_typed_is_allowed(words):
    assert NAME in read_command([write({}), *words]).config.bots


def test_typing_one_bot_allows_no_other():
    fields = {"opponents": [NAME], "evaluation": {"opponents": [f"{NAME}:"]}}
    with pytest.raises(UsageError, match="would run code"):
        read_command([write(fields), "--evaluation.opponents", f"{NAME}: "])


@pytest.mark.parametrize("command", [main, export])
def test_a_run_folder_runs_no_code(command, capsys):
    write({"opponents": ["os:system:command=touch called"]}, "runs/x/config.yaml")
    words = ["runs/x"] if command is export else ["--resume", "runs/x"]
    assert command(words) == 2
    assert "would run code" in capsys.readouterr().err
    assert not Path("called").exists()


def test_exploit_takes_a_typed_bot_and_asks_for_one_in_a_file():
    command = read_options(parser().parse_args([NAME, "--players", "2"]))
    assert command.config.opponents == (NAME,)
    fields = command.config.model_dump(mode="json")
    write(fields, "runs/x/config.yaml")
    words = ["--resume", "runs/x"]
    with pytest.raises(UsageError, match=f"--allow-code {NAME}"):
        read_options(parser().parse_args(words))
    allowed = read_options(parser().parse_args([*words, "--allow-code", NAME]))
    assert allowed.config == command.config


@pytest.mark.parametrize("name", ["os:system:command=touch called", NAME, "sb3:x.zip", "highest"])
def test_networks_come_from_bot_files_only(name):
    with pytest.raises(UsageError, match=r"init_from: .* is a bot without networks"):
        make_config({"init_from": name}, {}, "run.yaml", allow_code=[name])
    assert not Path("called").exists()


def test_tags_of_yaml_make_no_objects():
    Path("run.yaml").write_text("seed: !!python/object/apply:os.system ['touch called']")
    with pytest.raises(UsageError, match="is not valid YAML"):
        read_command(["run.yaml"])
    assert not Path("called").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [" * 5000, "is not valid YAML"),
        ("seed: 2020-13-45", "is not valid YAML"),
        ("a: " + "x" * 2_000_000, "is too long"),
        (
            "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
            + "\n".join(f"{b}: &{b} [{','.join([f'*{a}'] * 10)}]" for a, b in pairwise("abcdefg"))
            + "\nrules: *g",
            "holds more values",
        ),
    ],
)
def test_a_file_of_fields_takes_no_time_and_no_memory(text, message):
    Path("run.yaml").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_command(["run.yaml"])


def test_rules_are_read_from_no_pipe_and_no_device():
    os.mkfifo("pipe.yaml")
    Path("zero.yaml").symlink_to("/dev/zero")
    for name in ("pipe.yaml", "zero.yaml"):
        with pytest.raises(UsageError, match="is no regular file"):
            make_config({"rules": name}, {}, "run.yaml")


def test_checkpoints_of_rllib_are_opened_only_where_the_folder_was_typed():
    folder = RunFolder(Path("runs/x"))
    with pytest.raises(UsageError, match="--allow-code runs/x"):
        check_allowed(folder, ["runs", "runs/y", "x"])
    check_allowed(folder, ["runs/x/"])
    for name in ("../../elsewhere", "after-1/../..", "/tmp", 3, None):
        with pytest.raises(UsageError, match="names no checkpoint"):
            rllib_checkpoint(folder, {"learner": {"rllib": name}})
    assert rllib_checkpoint(folder, {"learner": {"rllib": "after-1"}}) == folder.rllib / "after-1"


@pytest.mark.parametrize("name", ["progress.csv", ".lock", "league", "tensorboard", "rllib"])
def test_a_run_writes_only_into_its_own_folder(name, capsys):
    write({**TINY, "name": "x"}, "runs/x/config.yaml")
    Path("precious").write_text("mine")
    Path("runs/x", name).symlink_to(Path("precious").absolute())
    assert main(["--resume", "runs/x"]) == 2
    assert f"{name} is a link" in capsys.readouterr().err
    assert Path("precious").read_text() == "mine"


def test_a_run_that_claims_to_be_of_a_cluster_opens_no_pickle(capsys):
    write({"cluster": {}}, "runs/x/config.yaml")
    Path("runs/x/bot.onnx").write_bytes(b"")
    Path("runs/x/rllib").mkdir()
    assert export(["runs/x"]) == 2
    assert "there is no checkpoint" in capsys.readouterr().err


@pytest.mark.slow
def test_a_training_shows_names_as_they_are(capsys):
    from tests.bots.policies.bot_files import write_bot_file

    names = ["a[/b],$x_{$.onnx", "b|c.onnx"]
    for name in names:
        Path(name).parent.mkdir(exist_ok=True)
        write_bot_file(Path(name))
    own = [*names, NAME]
    fields = {**TINY, "evaluation": {**TINY["evaluation"], "opponents": own}}
    assert main([write(fields), "--allow-code", NAME]) == 0
    shown = capsys.readouterr().out
    for name in own:
        assert name in shown
    report = Path("runs/tiny/report.md").read_text()
    assert r"b\|c.onnx" in report
    with Path("runs/tiny/progress.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert all(None not in row for row in rows)
    assert "evaluation/single_round_2_players_a[/b]%2C%24x_%7B%24.onnx" in rows[-1]
    results = json.loads(Path("runs/tiny/results.json").read_text())
    assert [each["opponent"] for each in results["evaluation"]] == own
    more = ["--resume", "runs/tiny", "--total_decisions", "4096"]
    assert main(more) == 2
    assert main([*more, "--allow-code", NAME]) == 0
