"""Small runs, and Ray with little memory and no dashboard."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import ray

from training.distributed.cluster_config import DistributedConfig

STORE = 100_000_000

SMALL: dict[str, Any] = {
    "name": "small",
    "num_players": [2, 3, 4],
    "features": ["hand", "legal", "total", "headroom", "turn", "players_left", "unseen"],
    "net_arch": [64, 64],
    "total_decisions": 250_000,
    "num_envs": 256,
    "num_threads": 1,
    "device": "cpu",
    "self_play": {"decisions_between_snapshots": 60_000, "max_snapshots": 3},
    "ppo": {"n_steps": 32, "batch_size": 1024, "n_epochs": 3, "learning_rate": 0.002},
    "evaluation": {
        "opponents": ["random"],
        "games": 4000,
        "decisions_between": 100_000,
        "games_between": 500,
    },
    "cluster": {"num_env_runners": 1},
}

TINY: dict[str, Any] = {
    **SMALL,
    "num_envs": 64,
    "net_arch": [32],
    "self_play": {"decisions_between_snapshots": 2048, "max_snapshots": 3},
    "ppo": {"n_steps": 16, "batch_size": 256, "n_epochs": 2},
}


def config(base: dict[str, Any], **fields: Any) -> DistributedConfig:
    return DistributedConfig.model_validate({**base, **fields})


@pytest.fixture(scope="module")
def ray_here() -> Iterator[None]:
    """Ray on this machine, for as many processes as a test needs."""
    ray.init(
        "local",
        num_cpus=4,
        include_dashboard=False,
        object_store_memory=STORE,
        logging_level=logging.ERROR,
        log_to_driver=False,
    )
    yield
    ray.shutdown()
