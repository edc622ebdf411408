"""The config of a training on a cluster: that of `training.train` with a part on the cluster."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from ono99_env.messages.fields import FieldsError
from training.config.config import AboveZero, Config, NotNegative, Part, Positive, SelfPlayConfig

Count = Annotated[int, Field(ge=0)]


class ClusterConfig(Part):
    """Which machines do what."""

    address: str | None = None
    """Where the cluster is: "auto" for the one of this machine, "HOST:6379"; null starts Ray here
    unless the environment variable RAY_ADDRESS names a cluster."""
    num_env_runners: Count = 2
    """Processes that play; 0 plays in the process that learns."""
    num_cpus_per_env_runner: AboveZero = 1
    """CPUs that each of them takes."""
    num_learners: Count = 0
    """Processes that learn together; 0 learns in the process that is started."""
    num_cpus_per_learner: AboveZero = 1
    """CPUs that each of them takes."""
    num_gpus_per_learner: NotNegative = 0
    """GPUs that each of them takes."""
    patience: Positive = 600
    """Seconds to wait for machines to come back when nobody plays any more."""


class DistributedConfig(Config):
    """A training run on a Ray cluster."""

    self_play: SelfPlayConfig | None = SelfPlayConfig()
    """Who holds the seats; on a cluster the learner always plays itself."""
    cluster: ClusterConfig = ClusterConfig()
    """Which machines do what."""

    @property
    def tables_of_runner(self) -> int:
        """The number of tables, of all `num_envs`, that each process has that plays."""
        return -(-self.num_envs // max(1, self.cluster.num_env_runners))

    @model_validator(mode="after")
    def _check_cluster(self) -> Self:
        if self.self_play is None:
            raise FieldsError("self_play", "on a cluster the learner always plays itself")
        if self.ppo.target_kl is not None:
            raise FieldsError("ppo.target_kl", "RLlib's PPO has no such stop; leave it null")
        if self.tables_of_runner < len(self.formats):
            raise FieldsError(
                "formats",
                f"{len(self.formats)} parts of the {self.tables_of_runner} tables of each process "
                "that plays (num_envs by cluster.num_env_runners)",
                others=["num_envs", "cluster.num_env_runners"],
            )
        return self
