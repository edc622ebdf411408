"""The algorithm as RLlib's users know it: checkpoints, several learners, what it starts from."""

import numpy as np
import pytest
import torch
import yaml
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.core import DEFAULT_MODULE_ID

from ono99_env import Game, Rules
from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.bots.policies.onnx_bot import OnnxBot
from tests.libraries.rllib.conftest import TINY, config
from training.distributed.__main__ import main
from training.distributed.algorithm import LeaguePPO
from training.distributed.cluster_learner import ClusterLearner
from training.distributed.rllib_settings import algorithm_config
from training.networks.policy_network import PolicyNetwork


def test_a_checkpoint_holds_all_that_was_learned(ray_here, tmp_path):
    here = config(TINY, cluster={"num_env_runners": 0})
    algorithm: LeaguePPO = algorithm_config(here).build_algo()
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
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump({**TINY, "cluster": {"num_env_runners": 9}}))
    assert main([str(path)]) == 2
    assert "9 env runners and 0 learners take 9 CPUs, and the cluster has 4" in (
        capsys.readouterr().err
    )


def test_it_starts_from_a_bot_file(ray_here):
    champion = read_metadata("models/2022.onnx").training["config"]
    networks = {name: champion[name] for name in ("features", "net_arch")}
    fields = {"init_from": "models/2022.onnx", "cluster": {"num_env_runners": 0}, **networks}
    learner = ClusterLearner(config(TINY, **fields))
    weights = learner.algorithm.learner_group.get_weights()[DEFAULT_MODULE_ID]
    learner.policy.load_state_dict(
        {name.removeprefix("policy."): torch.tensor(each) for name, each in weights.items()}
    )
    views = Game(Rules.preset("2022"), seed=1).views()
    wanted = OnnxBot("models/2022.onnx").evaluate(views.observation, views.action_mask > 0)
    with torch.no_grad():
        found = PolicyNetwork(learner.policy)(
            torch.from_numpy(views.observation), torch.from_numpy(views.action_mask > 0)
        )
    for tensor, array in zip(found, wanted, strict=True):
        assert tensor.numpy() == pytest.approx(array, rel=1e-4, abs=1e-4)
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
