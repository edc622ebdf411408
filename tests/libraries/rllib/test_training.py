"""A training ends with a bot file that beats `random`, and goes on from RLlib's checkpoints."""

import csv

import pytest
import ray
import yaml

from ono99_env.bots.policies.bot_file import read_metadata
from tests.libraries.measuring import beats_random
from tests.libraries.rllib.conftest import SMALL
from training.distributed.__main__ import main
from training.export import main as export
from training.run.checkpoint import read_checkpoint
from training.run.run_folder import RunFolder


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> RunFolder:
    """A run that has ended; its processes have too."""
    folder = tmp_path_factory.mktemp("training")
    (folder / "small.yaml").write_text(yaml.safe_dump(SMALL))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["small.yaml"]) == 0
    assert not ray.is_initialized()
    return RunFolder(folder / "runs" / "small")


def test_the_bot_beats_random(trained):
    beats_random(trained.bot)


def test_the_bot_file_says_how_it_was_trained(trained):
    metadata = read_metadata(trained.bot)
    assert metadata.num_players == (2, 3, 4)
    assert metadata.training["config"]["cluster"]["num_env_runners"] == 1
    assert metadata.training["decisions"] >= SMALL["total_decisions"] // 2
    assert len(metadata.results["evaluation"]) == 3


def test_progress_is_logged(trained):
    rows = list(csv.DictReader(trained.progress.open()))
    decisions = [int(row["time/total_timesteps"]) for row in rows]
    assert decisions == [8192 * number for number in range(1, 32)]
    assert float(rows[-1]["league/snapshots"]) == 3
    assert float(rows[-1]["train/entropy"]) < float(rows[0]["train/entropy"])
    assert float(rows[-1]["rollout/ep_rew_mean"]) > float(rows[0]["rollout/ep_rew_mean"])


def test_the_last_checkpoint_can_be_exported(trained, tmp_path):
    path = tmp_path / "latest.onnx"
    assert export([str(trained.path), str(path), "--allow-code", str(trained.path)]) == 0
    assert read_metadata(path).training["decisions"] == 31 * 8192
    beats_random(path)


def test_a_finished_run_goes_on_with_another_number_of_processes(trained, monkeypatch):
    monkeypatch.chdir(trained.path.parent.parent)
    words = ["--total_decisions", "270000", "--cluster.num_env_runners", "2"]
    resume = ["--resume", str(trained.path)]
    assert main([*resume, *words]) == 2
    assert main([*resume, *words, "--allow-code", str(trained.path)]) == 0
    state = read_checkpoint(trained.checkpoint)
    assert state["learner"]["num_timesteps"] == 33 * 8192
    assert [path.name for path in trained.rllib.iterdir()] == [state["learner"]["rllib"]]
