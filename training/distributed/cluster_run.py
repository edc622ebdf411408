"""A training run on a cluster: that of `training.train` with RLlib's learner and checkpoints."""

import shlex
import shutil
from typing import Any

from rich.console import Console

from ono99_env.arena import RayExecutor
from ono99_env.bots.names import ALLOW_CODE
from ono99_env.messages.errors import UsageError
from training.config.config import Config
from training.distributed.checkpoints import rllib_checkpoint
from training.distributed.cluster_config import DistributedConfig
from training.distributed.cluster_learner import ClusterLearner
from training.run.run import Run
from training.run.run_folder import RunFolder


class DistributedRun(Run):
    """A run whose learner is a `ClusterLearner`; Ray must be connected.

    ``checkpoint.npz`` in its folder names the checkpoint of RLlib that it continues from, a folder
    in ``rllib/``. That is written first, so a run that is killed at any moment has a whole one.

    Args:
        config: What to do.
        folder: Where to write; it need not exist before `train`.
        console: Where to report.

    Raises:
        UsageError: If the learner cannot be made.
    """

    learner: ClusterLearner

    def __init__(self, config: Config, folder: RunFolder, console: Console) -> None:
        super().__init__(config, folder, console)
        # Who plays waits while the policy is measured, so measuring needs no CPUs of its own.
        self._executor = RayExecutor(num_cpus=0)

    @property
    def allow_code_words(self) -> str:
        """See `Run.allow_code_words`; the folder holds checkpoints of RLlib."""
        return f"{super().allow_code_words} {ALLOW_CODE} {shlex.quote(str(self.folder.path))}"

    def train(self) -> None:
        """See `Run.train`; ends the processes."""
        try:
            super().train()
        finally:
            self.learner.stop()

    def _make_learner(self) -> None:
        assert isinstance(self.config, DistributedConfig)
        self.learner, self.league = ClusterLearner(self.config), None

    def _learner_state(self) -> dict[str, Any]:
        decisions = self.learner.num_timesteps
        return {"learner": {"num_timesteps": decisions, "rllib": f"after-{decisions}"}}

    def _restore_learner(self, state: dict[str, Any]) -> None:
        path = rllib_checkpoint(self.folder, state)
        if not path.is_dir():
            raise UsageError(
                f"the run cannot go on without {path}, a checkpoint of RLlib. Restore the folder "
                "from a copy, or train anew."
            )
        self._open_logs(state)
        self.learner.restore(path)

    def _save(self) -> None:
        newest = self.folder.rllib / self._learner_state()["learner"]["rllib"]
        self.learner.save(newest)
        super()._save()
        for older in self.folder.rllib.iterdir():
            if older != newest:
                shutil.rmtree(older)
