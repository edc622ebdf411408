"""A training ends with a bot file that beats `random`, and goes on from RLlib's checkpoints."""

import csv
from pathlib import Path

import numpy as np
import pytest
import ray
import yaml
from ray.rllib.algorithms.algorithm import Algorithm

from ono99_env.bots.files import read_metadata
from ono99_env.bots.onnx import OnnxBot
from tests.libraries.measuring import beats_random
from tests.libraries.rllib.conftest import SMALL, TINY, config
from training.checkpoint import read_checkpoint
from training.distributed.__main__ import main
from training.distributed.algorithm import LeaguePPO
from training.distributed.settings import algorithm_config
from training.export_command import main as export
from training.run_folder import RunFolder


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
    assert export([str(trained.path), str(path)]) == 0
    assert read_metadata(path).training["decisions"] == 31 * 8192
    beats_random(path)


def test_a_finished_run_goes_on_with_another_number_of_processes(trained, monkeypatch):
    monkeypatch.chdir(trained.path.parent.parent)
    words = ["--total_decisions", "270000", "--cluster.num_env_runners", "2"]
    assert main(["--resume", str(trained.path), *words]) == 0
    state = read_checkpoint(trained.checkpoint)
    assert state["learner"]["num_timesteps"] == 33 * 8192
    assert [path.name for path in trained.rllib.iterdir()] == [state["learner"]["rllib"]]


def test_a_checkpoint_holds_all_that_was_learned(ray_here, tmp_path):
    algorithm: LeaguePPO = algorithm_config(config(TINY)).build_algo()
    for _ in range(5):
        algorithm.train()
    saved = algorithm.save_to_path(str(tmp_path / "saved"))
    again = Algorithm.from_checkpoint(saved)
    assert again.decisions == algorithm.decisions == 5 * 1024
    assert again.league.size == 2
    assert again.next_snapshot == algorithm.next_snapshot
    assert np.array_equal(again.league.seats, algorithm.league.seats)
    for part in (0, 1):
        saved_bot, bot = again.league.bots[part].copy, algorithm.league.bots[part].copy
        for name, weights in bot.state_dict().items():
            assert (saved_bot.state_dict()[name] == weights).all()
    before, after = (each.learner_group.get_state()["learner"] for each in (algorithm, again))
    _check_same(before["rl_module"], after["rl_module"])
    _check_same(before["optimizer"], after["optimizer"])
    again.train()
    assert again.decisions == 6 * 1024
    algorithm.stop()
    again.stop()


def test_two_learners_stay_the_same(ray_here):
    two = {"num_env_runners": 1, "num_learners": 2}
    algorithm: LeaguePPO = algorithm_config(config(TINY, cluster=two)).build_algo()
    for _ in range(3):
        algorithm.train()
    states = [each.get() for each in algorithm.learner_group.foreach_learner(_weights)]
    assert len(states) == 2
    _check_same(*states)
    assert algorithm.decisions == 3 * 1024
    algorithm.stop()


def test_a_run_that_is_too_large_for_the_cluster_is_refused(ray_here, tmp_path, capsys):
    path = Path(tmp_path / "tiny.yaml")
    path.write_text(yaml.safe_dump({**TINY, "cluster": {"num_env_runners": 9}}))
    assert main([str(path)]) == 2
    assert "9 env runners and 0 learners take 9 CPUs, and the cluster has 4" in (
        capsys.readouterr().err
    )


def test_it_starts_from_a_bot_file(ray_here, trained):
    from training.distributed.learner import ClusterLearner

    fields = {"init_from": str(trained.bot), "cluster": {"num_env_runners": 0}}
    learner = ClusterLearner(config(SMALL, **fields))
    observation = np.zeros((1, 466), np.float32)
    mask = np.ones((1, 17), np.bool_)
    wanted, _ = OnnxBot(trained.bot).evaluate(observation, mask)
    weights = learner.algorithm.learner_group.get_weights()["default_policy"]
    assert learner.policy.state_dict().keys() == {
        name.removeprefix("policy.") for name in weights
    }
    for name, tensor in learner.policy.state_dict().items():
        assert np.array_equal(tensor.numpy(), weights[f"policy.{name}"])
    assert np.isfinite(wanted).all()
    learner.stop()


def _weights(learner):
    return learner.module.get_state()


def _check_same(one, other) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            _check_same(one[name], other[name])
    else:
        assert np.array_equal(np.asarray(one), np.asarray(other))
