"""Two machines, emulated: what is lost with one of them is played or learned again elsewhere."""

import json
import logging
from collections.abc import Iterator

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster
from stable_baselines3.common.logger import Logger

from ono99_env import load_bot
from ono99_env.arena import Arena, RayExecutor
from ono99_env.cli import main as ono99
from tests.libraries.rllib.conftest import STORE, TINY, config
from training.distributed.algorithm import LeaguePPO
from training.distributed.cluster_learner import ClusterLearner
from training.distributed.exploit import main as exploit
from training.distributed.rllib_settings import algorithm_config

MACHINE = {"num_cpus": 1, "object_store_memory": STORE}
UPDATE = 1024


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two machines with one CPU each; the first is the one of the test."""
    cluster = Cluster(initialize_head=True, head_node_args={"include_dashboard": False, **MACHINE})
    cluster.add_node(**MACHINE)
    ray.init(cluster.address, logging_level=logging.ERROR, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def second(cluster: Cluster):
    (node,) = cluster.worker_nodes
    return node


def test_a_machine_that_plays_may_leave_and_another_may_come(cluster):
    algorithm: LeaguePPO = algorithm_config(
        config(TINY, cluster={"num_env_runners": 2})
    ).build_algo()
    for number in range(1, 5):
        algorithm.train()
        assert algorithm.decisions == number * UPDATE
    places = algorithm.env_runner_group.foreach_env_runner(_place, local_env_runner=False)
    assert second(cluster).node_id in places
    league = algorithm.league.state_dict()
    weights = algorithm.learner_group.get_weights()["default_policy"]

    cluster.remove_node(second(cluster))
    algorithm.train()
    assert algorithm.env_runner_group.num_healthy_remote_env_runners() == 1
    # The update is as large as any, and nothing that was learned before is gone.
    assert algorithm.decisions == 5 * UPDATE
    assert algorithm.league.size >= league["size"] > 0
    after = algorithm.learner_group.get_weights()["default_policy"]
    moved = max(np.abs(after[name] - weights[name]).max() for name in weights)
    assert 0 < moved < 0.1

    cluster.add_node(**MACHINE)
    for number in range(6, 200):
        algorithm.train()
        assert algorithm.decisions == number * UPDATE
        if algorithm.env_runner_group.num_healthy_remote_env_runners() == 2:
            break
    places = algorithm.env_runner_group.foreach_env_runner(_place, local_env_runner=False)
    assert second(cluster).node_id in places
    algorithm.train()
    assert algorithm.decisions == (number + 1) * UPDATE
    algorithm.stop()


def test_no_update_is_lost_with_the_machine_that_learns(cluster):
    learner = ClusterLearner(config(TINY, cluster={"num_env_runners": 1, "num_learners": 1}))
    learner.set_logger(Logger(None, []))
    learner.learn(4 * UPDATE, [])
    (place,) = learner.algorithm.learner_group.foreach_learner(_place)
    assert place.get() == second(cluster).node_id
    league = learner.algorithm.league.taken_after.copy()
    steps = _optimizer_steps(learner)

    cluster.remove_node(second(cluster))
    cluster.add_node(**MACHINE)
    learner.learn(2 * UPDATE, [])
    assert learner.num_timesteps == 6 * UPDATE
    assert (learner.algorithm.league.taken_after[: (league > 0).sum()] == league[league > 0]).all()
    # Minibatches of two updates, times epochs; new games leave more decisions for the next one.
    assert _optimizer_steps(learner) == steps + (3 + 4) * 2
    learner.stop()


def test_the_arena_finds_on_a_cluster_what_it_finds_here(cluster, tmp_path):
    settings = {"players": (2, 3), "games": 6000, "seed": 4}
    bots = ["highest", "lowest", "random"]
    here = Arena(bots, **settings).play()
    with RayExecutor() as executor:
        assert executor.workers == 2
        there = Arena(bots, **settings).play(executor.workers, executor=executor)
    assert there.as_dict() == here.as_dict()

    path = tmp_path / "results.json"
    words = ["arena", *bots, "--players", "2,3", "--games", "6000", "--seed", "4"]
    assert ono99([*words, "--cluster", cluster.address, "--json", str(path)]) == 0
    found = json.loads(path.read_text())
    assert found["tables"] == json.loads(json.dumps(here.as_dict()))["tables"]


def test_games_on_a_machine_that_leaves_are_played_again(cluster):
    settings = {"players": 4, "games": 40_000, "seed": 4}
    removed = []

    def leave(tally) -> None:
        if not removed:
            removed.append(second(cluster))
            cluster.remove_node(removed[0])

    bots = ["highest", "counter", "random"]
    with RayExecutor() as executor:
        there = Arena(bots, **settings).play(executor.workers, watch=leave, executor=executor)
    assert removed
    assert there.as_dict() == Arena(bots, **settings).play().as_dict()


def test_best_responses_at_several_player_counts_are_found_at_once(cluster, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["random", "--players", "2", "3", "--decisions", "30000", "--games", "300"]
    assert exploit([*words, "--address", cluster.address]) == 0
    for count in (2, 3):
        folder = tmp_path / "runs" / f"exploit-random-{count}-players"
        found = json.loads((folder / "results.json").read_text())
        assert found["num_players"] == count
        assert found["games"] == 300
        assert load_bot(str(folder / "bot.onnx")).metadata.num_players == (count,)


def _place(_) -> str:
    return ray.get_runtime_context().get_node_id()


def _optimizer_steps(learner: ClusterLearner) -> float:
    (optimizer,) = learner.algorithm.learner_group.get_state()["learner"]["optimizer"].values()
    (steps,) = {each["step"] for each in optimizer["state"]["state"].values()}
    return steps
