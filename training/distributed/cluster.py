"""Connect to a Ray cluster, and check whether it is large enough for a run."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ray

from ono99_env.messages.errors import UsageError
from training.distributed.cluster_config import ClusterConfig

_LOCAL_STORE = 512 * 2**20
"""Bytes of shared memory for what processes hand to each other, when Ray is started here."""


@contextmanager
def connected(cluster: ClusterConfig) -> Iterator[None]:
    """Connect to the cluster; an existing connection is used and left open.

    Args:
        cluster: Where it is and what it must have.

    Raises:
        UsageError: If there is no such cluster, or it has too few CPUs or GPUs.
    """
    is_new = not ray.is_initialized()
    if is_new:
        _connect(cluster)
    try:
        _check_size(cluster)
        yield
    finally:
        if is_new:
            ray.shutdown()


def _connect(cluster: ClusterConfig) -> None:
    is_started_here = cluster.address is None and "RAY_ADDRESS" not in os.environ
    # Processes that wait for each other most of the time may share a core.
    fresh: dict[str, Any] = {
        "address": "local",
        "num_cpus": max(os.cpu_count() or 1, int(_needed(cluster)["CPU"])),
        "object_store_memory": _LOCAL_STORE,
        "include_dashboard": False,
    }
    # RLlib's greetings; what goes wrong is still shown.
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    try:
        ray.init(
            logging_level=logging.ERROR,
            **(fresh if is_started_here else {"address": cluster.address}),
        )
    except (ConnectionError, ValueError, RuntimeError) as error:
        where = cluster.address or os.environ.get("RAY_ADDRESS", "a new cluster here")
        raise UsageError(
            f"cluster.address: cannot connect to {where}: {error}. Start a cluster first "
            "(ray start --head), or leave the address null"
        ) from error


def _needed(cluster: ClusterConfig) -> dict[str, float]:
    return {
        "CPU": cluster.num_env_runners * cluster.num_cpus_per_env_runner
        + cluster.num_learners * cluster.num_cpus_per_learner,
        "GPU": cluster.num_learners * cluster.num_gpus_per_learner,
    }


def _check_size(cluster: ClusterConfig) -> None:
    """Refuse a run that would wait for machines that do not exist."""
    existing = ray.cluster_resources()
    for resource, needed in _needed(cluster).items():
        if needed > existing.get(resource, 0.0):
            raise UsageError(
                f"cluster: {cluster.num_env_runners} env runners and {cluster.num_learners} "
                f"learners take {needed:g} {resource}s, and the cluster has "
                f"{existing.get(resource, 0.0):g}. Ask for fewer, or add machines "
                "(ray start --address=HEAD:6379)"
            )
