"""The folder that a run writes: made fresh, never over an older one."""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import yaml

from training.config import Config
from training.errors import UsageError

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
            fields = {**config.model_dump(mode="json"), "name": self.path.name}
            self.config.write_text(yaml.safe_dump(fields, sort_keys=False), encoding="utf-8")
        except FileExistsError as error:
            raise self._exists() from error
        except OSError as error:
            raise UsageError(f"cannot write the folder {self.path}: {error.strerror}") from error

    @property
    def config(self) -> Path:
        """Every field of the config, with its value."""
        return self.path / "config.yaml"

    @property
    def bot(self) -> Path:
        """The trained bot."""
        return self.path / "bot.onnx"

    @property
    def league(self) -> Path:
        """Folder of the snapshots that a self-play run met, as bot files."""
        return self.path / "league"

    @property
    def tensorboard(self) -> Path:
        """Folder of TensorBoard's event files."""
        return self.path / "tensorboard"

    @property
    def progress(self) -> Path:
        """What TensorBoard shows, as a table of comma-separated values."""
        return self.path / "progress.csv"

    @property
    def report(self) -> Path:
        """The results, to be read."""
        return self.path / "report.md"

    def write_results(self, results: dict[str, Any], report: str) -> None:
        """Write ``results.json`` and ``report.md``."""
        text = json.dumps(results, indent=2) + "\n"
        (self.path / "results.json").write_text(text, encoding="utf-8")
        self.report.write_text(report, encoding="utf-8")

    def _exists(self) -> UsageError:
        return UsageError(
            f"{self.path} exists, and a run is never written over another. Choose another name "
            f"(--name {self.path.name}-2), or move or delete that folder."
        )
