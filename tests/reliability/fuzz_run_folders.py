"""Mutants of the files in the folder of a training run, which is then resumed and exported."""

import contextlib
import os
import shutil
from pathlib import Path

import numpy as np
import yaml

from tests.reliability.mutants import mutate_bytes, mutate_tree

TAKEN, REFUSED = "taken", "refused"

UPDATE = 16 * 32
CONFIG = {
    **{"name": "run", "rules": "1980", "num_players": [2, 3], "formats": ["chips"]},
    **{"features": ["hand", "headroom"], "net_arch": [8], "num_envs": 16, "num_threads": 1},
    **{"device": "cpu", "checkpoint_seconds": 0, "total_decisions": 4 * UPDATE},
    "ppo": {"n_steps": 32, "batch_size": 256, "n_epochs": 1},
    "evaluation": {
        **{"opponents": ["random"], "games": 6, "games_between": 6},
        "decisions_between": 2 * UPDATE,
    },
    "self_play": {
        **{"learner": 0.6, "snapshots": 0.3, "bots": {"highest": 0.1}},
        **{"decisions_between_snapshots": UPDATE, "max_snapshots": 2},
    },
}
"""A run in self-play that takes a second."""


class RunFolders:
    """Folders of runs with one damaged file."""

    def __init__(self, folder: Path) -> None:
        from training.train import main

        self.folder, self.main = folder / "runs" / "run", main
        (folder / "config.yaml").write_text(yaml.safe_dump(CONFIG))
        with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):  # noqa: PTH123
            assert main([str(folder / "config.yaml")]) == 0
        (self.folder / "report.md").unlink()
        self.whole = folder / "whole"
        self.folder.rename(self.whole)

    def __call__(self, rng: np.random.Generator) -> str:
        from ono99_env.files.array_archive import read_archive, write_archive

        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.whole, self.folder)
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        path = paths[rng.integers(len(paths))]
        if rng.random() < 0.4:
            path = self.folder / "checkpoint.npz"
        if path.suffix == ".npz" and rng.random() < 0.8:
            write_archive(path, mutate_tree(read_archive(path), rng))
        elif path.name == "config.yaml" and rng.random() < 0.5:
            path.write_text(yaml.safe_dump(mutate_tree(yaml.safe_load(path.read_text()), rng)))
        else:
            path.write_bytes(mutate_bytes(path.read_bytes(), rng))
        decisions = str(int(rng.choice([4, 5])) * UPDATE)
        code = self.main(["--resume", "runs/run", "--total_decisions", decisions])
        assert code in (0, 2), code
        return REFUSED if code else TAKEN
