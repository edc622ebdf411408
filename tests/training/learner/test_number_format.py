"""The format `auto` takes what is faster here, says so, and a resumed run keeps it."""

from io import StringIO
from pathlib import Path

import pytest
import torch
import yaml
from rich.console import Console

from ono99_env.bots.policies.bot_file import read_metadata
from tests.training.conftest import TINY
from tests.training.run.test_resume import CONFIGS
from training.config.config import Config
from training.export import main as export
from training.learner.learner import make_learner
from training.learner.number_format import (
    FORMATS,
    keep_number_format,
    measure_formats,
    settle_number_format,
)
from training.networks.layers import Bfloat16Layers
from training.run.checkpoint import read_checkpoint
from training.run.run import Run
from training.run.run_folder import RunFolder
from training.train import main

FASTER_BFLOAT16 = {"float32": 0.02, "bfloat16": 0.01}
FASTER_FLOAT32 = {"float32": 0.01, "bfloat16": 0.02}
SELF_PLAY = Config.model_validate({**TINY, "self_play": {}})


@pytest.mark.parametrize(
    ("seconds", "chosen"),
    [
        (FASTER_BFLOAT16, "bfloat16"),
        (FASTER_FLOAT32, "float32"),
        (dict.fromkeys(FORMATS, 0.01), "float32"),
    ],
)
def test_the_faster_format_is_taken_and_said(seconds, chosen):
    config, sentence = settle_number_format(SELF_PLAY, lambda config: seconds)
    assert config == SELF_PLAY.model_copy(update={"number_format": chosen})
    assert f"number_format: {chosen} is the faster here" in sentence
    assert f"bfloat16 {1000 * seconds['bfloat16']:.1f} ms" in sentence


@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        ({"self_play": {}, "number_format": "float32"}, "float32"),
        ({"self_play": {}, "number_format": "bfloat16"}, "bfloat16"),
        ({}, "float32"),
    ],
)
def test_nothing_is_measured_where_nothing_is_open(fields, chosen):
    def measure(config: Config) -> dict[str, float]:
        raise AssertionError("measured")

    config, sentence = settle_number_format(Config.model_validate({**TINY, **fields}), measure)
    assert (config.number_format, sentence) == (chosen, "")


def test_both_formats_are_tried_and_the_random_generator_stays():
    before = torch.get_rng_state()
    seconds = measure_formats(SELF_PLAY)
    assert tuple(seconds) == FORMATS
    assert all(0 < each < 60 for each in seconds.values())
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("number_format", FORMATS)
def test_the_learner_computes_in_the_format_of_the_config(number_format):
    learner, _ = make_learner(SELF_PLAY.model_copy(update={"number_format": number_format}))
    layers = learner.policy.mlp_extractor
    assert isinstance(layers, Bfloat16Layers) == (number_format == "bfloat16")


def test_a_choice_of_the_command_line_is_not_overruled_by_the_checkpoint():
    asked = SELF_PLAY.model_copy(update={"number_format": "float32"})
    assert keep_number_format(asked, {"number_format": "bfloat16"}).number_format == "float32"


@pytest.fixture(scope="module")
def run_in_bfloat16(tmp_path_factory) -> Path:
    """The folder, in `runs`, of a finished run that found bfloat16 the faster."""
    folder = tmp_path_factory.mktemp("formats")
    (folder / "config.yaml").write_text(yaml.safe_dump({**CONFIGS["self-play"], "name": "own"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("training.run.run.measure_formats", lambda config: FASTER_BFLOAT16)
        assert main(["config.yaml"]) == 0
    return folder


@pytest.mark.slow
def test_a_resumed_run_keeps_its_format(run_in_bfloat16, monkeypatch):
    monkeypatch.chdir(run_in_bfloat16)
    monkeypatch.setattr("training.run.run.measure_formats", lambda config: FASTER_FLOAT32)
    folder, words = RunFolder(Path("runs/own")), ["--resume", "runs/own"]
    decisions = CONFIGS["self-play"]["total_decisions"]
    assert read_checkpoint(folder.checkpoint)["config"]["number_format"] == "bfloat16"
    assert yaml.safe_load(folder.config.read_text())["number_format"] == "auto"
    assert main([*words, "--total_decisions", str(2 * decisions)]) == 0
    assert read_checkpoint(folder.checkpoint)["config"]["number_format"] == "bfloat16"
    assert read_metadata(folder.bot).training["config"]["number_format"] == "bfloat16"
    assert export(["runs/own"]) == 0
    exported = read_metadata(folder.path / "latest.onnx")
    assert exported.training["config"]["number_format"] == "bfloat16"


@pytest.mark.slow
def test_a_run_does_not_go_on_in_another_format(run_in_bfloat16, monkeypatch, capsys):
    monkeypatch.chdir(run_in_bfloat16)
    words = ["--resume", "runs/own", "--number_format", "float32"]
    assert main([*words, "--total_decisions", "99_999"]) == 2
    assert "number_format is float32, and was bfloat16" in capsys.readouterr().err


def test_a_run_says_what_it_chose(tmp_path, monkeypatch):
    monkeypatch.setattr("training.run.run.measure_formats", lambda config: FASTER_BFLOAT16)
    console = Console(file=StringIO())
    run = Run(SELF_PLAY, RunFolder(tmp_path / "run"), console)
    assert run.config.number_format == "bfloat16"
    assert "number_format: bfloat16 is the faster here" in console.file.getvalue()
