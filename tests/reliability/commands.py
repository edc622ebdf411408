"""The commands that write for a long time: how each begins, goes on, and what it must end with."""

import json
import shutil
from pathlib import Path
from typing import Any

import yaml

import ono99_env.cli
from ono99_env.arena.play import tournament
from tests.training.run.small_runs import CONFIGS, outcome
from training import export, train

Words = list[str]


class TrainingCommand:
    """``python -m training.train``, in the current folder."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.folder = Path("runs/run")

    def prepare(self) -> None:
        """Write what the command needs."""
        Path("config.yaml").write_text(yaml.safe_dump({**CONFIGS[self.kind], "name": "run"}))

    def next_words(self) -> Words | None:
        """Return the words that begin or go on; None if all is done."""
        if (self.folder / "report.md").exists():
            return None
        if not self.folder.exists():
            return ["config.yaml"]
        if not (self.folder / "config.yaml").exists():
            shutil.rmtree(self.folder)  # as its message says: nothing was trained yet
            return ["config.yaml"]
        return ["--resume", str(self.folder)]

    def run(self, words: Words) -> int:
        """Run the command; returns its exit code."""
        return train.main(words)

    def outcome(self) -> Any:
        """Return what must not depend on faults."""
        files = sorted(str(path) for path in self.folder.iterdir())
        drafts = [name for name in files if "npz." in name]
        return {**outcome(self.folder), "drafts": drafts}


class ArenaCommand:
    """``ono99 arena`` with a state that is saved after every job."""

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes

    def prepare(self) -> None:
        """Save more often than users do."""
        tournament.SECONDS_BETWEEN_SAVES = 0.0

    def next_words(self) -> Words | None:
        """Return the words that begin or go on; None if all is done."""
        if Path("out.json").exists():
            return None
        how = ["--processes", str(self.processes)]
        if Path("out.json.state").exists():
            return ["arena", "--continue", "out.json", *how]
        return ["arena", "highest", "counter", "--players", "2", "--games", "60000", *how,
                "--json", "out.json"]  # fmt: skip

    def run(self, words: Words) -> int:
        """Run the command; returns its exit code."""
        return ono99_env.cli.main(words)

    def outcome(self) -> Any:
        """Return what must not depend on faults."""
        return json.loads(Path("out.json").read_text())


class ExportCommand:
    """``python -m training.export`` of a run that has finished."""

    def __init__(self, run: Path) -> None:
        self.source = run.absolute()

    def prepare(self) -> None:
        """Copy the run."""
        if not Path("run").exists():
            shutil.copytree(self.source, "run")

    def next_words(self) -> Words | None:
        """Return the words that begin; None if it is done."""
        return None if Path("bot.onnx").exists() else ["run", "bot.onnx"]

    def run(self, words: Words) -> int:
        """Run the command; returns its exit code."""
        return export.main(words)

    def outcome(self) -> Any:
        """Return what must not depend on faults."""
        return Path("bot.onnx").read_bytes()


Command = TrainingCommand | ArenaCommand | ExportCommand
