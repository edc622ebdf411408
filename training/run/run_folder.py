"""The folder that a run writes: made fresh, never over an older one, and used by one process."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import yaml
from filelock import FileLock, Timeout

from ono99_env.files.atomic import drafts_in, write_atomically
from ono99_env.messages.errors import UsageError
from training.config.config import Config

RUNS = Path("runs")
"""Where runs are written, in the current folder."""


@dataclass(frozen=True)
class RunFolder:
    """The files of a run."""

    path: Path

    @classmethod
    def choose(cls, config: Config, origin: Path) -> Self:
        """Choose the folder of a new run; nothing is written yet.

        Args:
            config: The config of the run.
            origin: The config file; its name and the time name a run that has no name.

        Raises:
            UsageError: If the folder exists.
        """
        folder = cls(RUNS / (config.name or f"{origin.stem}-{datetime.now():%Y%m%d-%H%M%S}"))
        if folder.path.exists():
            raise folder._exists()
        return folder

    def create(self, config: Config) -> None:
        """Make the folder and write the resolved config into it.

        Raises:
            UsageError: If the folder exists or cannot be made.
        """
        try:
            self.path.mkdir(parents=True)
            self.write_config(config)
        except FileExistsError as error:
            raise self._exists() from error
        except OSError as error:
            raise UsageError(f"cannot write the folder {self.path}: {error.strerror}") from error

    def write_config(self, config: Config) -> None:
        """Write ``config.yaml``: every field of the config, with its value."""
        fields = {**config.model_dump(mode="json"), "name": self.path.name}
        write_atomically(self.config, yaml.safe_dump(fields, sort_keys=False).encode())

    def lock(self) -> FileLock:
        """Take the folder for this process until the lock is released or the process ends.

        Raises:
            UsageError: If another process has it, or it would write outside itself.
        """
        self._check_links()
        lock = FileLock(self.path / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise UsageError(
                f"{self.path} is in use: another process is training there. Wait for it, or stop it"
            ) from error
        return lock

    def has_begun(self) -> bool:
        """Return whether the run has written anything that follows from training."""
        logged = self.progress.exists() and self.progress.stat().st_size > 0
        return logged or self.bot.exists() or self.evaluations.exists() or self.league.exists()

    def remove_drafts(self) -> None:
        """Remove what an earlier process had begun to write when it was killed."""
        for folder in (self.path, self.league):
            for draft in drafts_in(folder):
                draft.unlink()

    @property
    def config(self) -> Path:
        """Every field of the config, with its value."""
        return self.path / "config.yaml"

    @property
    def checkpoint(self) -> Path:
        """What the run continues from."""
        return self.path / "checkpoint.npz"

    @property
    def bot(self) -> Path:
        """The best bot so far."""
        return self.path / "bot.onnx"

    @property
    def league(self) -> Path:
        """Folder of the snapshots that a self-play run took, as bot files."""
        return self.path / "league"

    def snapshot(self, decisions: int) -> Path:
        """Return the path of the snapshot that was taken after that many decisions."""
        return self.league / f"after-{decisions}.onnx"

    @property
    def rllib(self) -> Path:
        """Folder of RLlib's checkpoints, of a run on a cluster."""
        return self.path / "rllib"

    @property
    def tensorboard(self) -> Path:
        """Folder of TensorBoard's event files."""
        return self.path / "tensorboard"

    @property
    def progress(self) -> Path:
        """What TensorBoard shows, as a table of comma-separated values."""
        return self.path / "progress.csv"

    @property
    def evaluations(self) -> Path:
        """Every measurement while it trained, as a table of comma-separated values."""
        return self.path / "evaluations.csv"

    @property
    def curve(self) -> Path:
        """A picture of these measurements."""
        return self.path / "learning_curve.png"

    @property
    def report(self) -> Path:
        """The results, to be read."""
        return self.path / "report.md"

    def write_results(self, results: dict[str, Any], report: str) -> None:
        """Write ``results.json`` and ``report.md``."""
        text = json.dumps(results, indent=2) + "\n"
        write_atomically(self.path / "results.json", text.encode())
        write_atomically(self.report, report.encode())

    def _check_links(self) -> None:
        """Refuse links where the run writes: what they lead to would be written over."""
        written = (self.path / ".lock", self.progress, self.tensorboard, self.league, self.rllib)
        for path in written:
            if path.is_symlink():
                raise UsageError(
                    f"{path} is a link, and a run writes only into its own folder. Put the file or "
                    "folder itself there"
                )

    def _exists(self) -> UsageError:
        resume = (
            f" To go on with that run: --resume {self.path}." if self.checkpoint.exists() else ""
        )
        return UsageError(
            f"{self.path} exists, and a run is never written over another. Choose another name "
            f"(--name {self.path.name}-2), or move or delete that folder.{resume}"
        )
