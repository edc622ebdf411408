"""How fast a cluster trains: ``python -m benchmarks.distributed [CONFIG] --runners 0 1 2``.

The learner of a config, in turn with each number of processes that play, all on this machine. The
fastest of several iterations counts, so that other work on the machine matters little.
"""

import argparse
import logging
import time
from pathlib import Path

import numpy as np
import ray
from rich.console import Console
from rich.table import Table

from training.distributed.algorithm import LeaguePPO
from training.distributed.cluster_config import DistributedConfig
from training.distributed.cluster_learner import ClusterLearner
from training.run.command_line import read_command

ITERATIONS = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", nargs="?", type=Path, default=Path("configs/distributed.yaml"))
    parser.add_argument("--runners", nargs="+", type=int, default=[0, 1, 2], metavar="N")
    parser.add_argument("--learners", type=int, default=0, metavar="N")
    options = parser.parse_args()
    table = Table("processes that play", "decisions per second", "while playing", "while learning")
    for runners in options.runners:
        table.add_row(str(runners), *measure(options.config, runners, options.learners))
    Console().print(table)


def measure(path: Path, runners: int, learners: int) -> list[str]:
    """Train some iterations; returns the cells of a row."""
    words = ["--cluster.num_env_runners", str(runners), "--cluster.num_learners", str(learners)]
    config = read_command([str(path), *words], DistributedConfig).config
    assert isinstance(config, DistributedConfig)
    ray.init(
        num_cpus=max(1, runners + learners),
        include_dashboard=False,
        object_store_memory=400_000_000,
        logging_level=logging.ERROR,
        log_to_driver=False,
    )
    algorithm = ClusterLearner(config).algorithm
    decisions = config.num_envs * config.ppo.n_steps
    playing, learning = np.min([iterate(algorithm) for _ in range(ITERATIONS)], axis=0)
    algorithm.stop()
    ray.shutdown()
    rates = decisions / np.array([playing + learning, playing, learning])
    return [f"{rate:,.0f}" for rate in rates]


def iterate(algorithm: LeaguePPO) -> tuple[float, float]:
    """Return seconds that an iteration plays and learns."""
    start = time.perf_counter()
    rollouts = algorithm.collect()
    middle = time.perf_counter()
    algorithm.learn_from(rollouts)
    algorithm.share_weights()
    return middle - start, time.perf_counter() - middle


if __name__ == "__main__":
    main()
