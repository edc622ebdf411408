"""Runs that take seconds, and what of them must not depend on interruptions."""

import csv
from pathlib import Path

import numpy as np
import yaml

from tests.training.conftest import TINY
from training.run.checkpoint import read_checkpoint
from training.train import main

UPDATE = 16 * 32
"""Decisions of one update of the runs here."""

COMMON = {
    **TINY,
    "total_decisions": 12 * UPDATE,
    "checkpoint_seconds": 0,
    "evaluation": {
        **{"opponents": ["random"], "games": 20, "games_between": 20},
        "decisions_between": 3 * UPDATE,
    },
}
CONFIGS = {
    "plain": COMMON,
    "self-play": {
        **COMMON,
        "rules": "1980",
        "formats": ["chips", "points_lowest"],
        "self_play": {
            **{"learner": 0.6, "snapshots": 0.3, "bots": {"highest": 0.1}},
            **{"decisions_between_snapshots": 2 * UPDATE, "max_snapshots": 2},
        },
        "ppo": {**TINY["ppo"], "final_learning_rate": 1e-5},
    },
}


def outcome(folder: Path) -> dict:
    """What must not depend on interruptions."""
    state = read_checkpoint(folder / "checkpoint.npz")
    with (folder / "progress.csv").open(newline="") as file:
        # Rates and times differ from run to run, and so does the order of the columns.
        log = [
            {
                key: float(np.float32(text))
                for key, text in sorted(row.items())
                if text and key.split("/")[0] != "time"
            }
            for row in csv.DictReader(file)
        ]
    return {
        "learner": state["learner"],
        "league": state["league"],
        "evaluations": state["evaluations"],
        "log": log,
        "table": (folder / "evaluations.csv").read_text(),
    }


def start(folder: Path, name: str, fields: dict) -> None:
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump({**fields, "name": name}))
    assert main([str(path)]) == 0


def refusal(capsys, *words: str) -> str:
    """The error of a command that must fail and leave every file as it was."""
    files = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    assert main(["--resume", "run", *words]) == 2
    after = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    assert {path: after.get(path) for path in files} == files
    return capsys.readouterr().err
