"""Runs that take seconds, and what of them must not depend on interruptions."""

import csv
from pathlib import Path

import numpy as np

from tests.training.conftest import TINY
from training.run.checkpoint import read_checkpoint

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
