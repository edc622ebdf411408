from pathlib import Path

import pytest
import yaml

TINY = {
    "name": "tiny",
    "num_players": [2, 3],
    "opponents": ["highest", "random"],
    "features": ["hand", "headroom", "unseen"],
    "net_arch": [16],
    "total_decisions": 2000,
    "num_envs": 16,
    "num_threads": 1,
    "device": "cpu",
    "ppo": {"n_steps": 32, "batch_size": 128, "n_epochs": 2},
    "evaluation": {"opponents": ["random"], "games": 100},
}


@pytest.fixture
def tiny(tmp_path, monkeypatch) -> Path:
    """A config file of a run that takes a second, in an empty current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY))
    return path
