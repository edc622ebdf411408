"""``python -m training.export`` writes bot files from runs and from saved models."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.envs.sb3 import Ono99VecEnv
from tests.training.test_train import weights_of
from training.export import main
from training.train import main as train


@pytest.mark.slow
def test_the_last_state_of_a_run_is_written(tiny, capsys):
    assert train([str(tiny), "--evaluation.games", "2"]) == 0
    assert main(["runs/tiny"]) == 0
    assert "The bot is runs/tiny/latest.onnx" in capsys.readouterr().out
    # The run was measured at its end only, so the bot that it kept is its last state.
    latest, kept = weights_of("runs/tiny/latest.onnx"), weights_of("runs/tiny/bot.onnx")
    assert all(np.array_equal(one, two) for one, two in zip(latest, kept, strict=True))
    assert read_metadata("runs/tiny/latest.onnx").training["decisions"] == 2048

    assert main(["runs/tiny"]) == 2
    assert "runs/tiny/latest.onnx exists" in capsys.readouterr().err
    assert main(["runs/tiny", "--overwrite"]) == 0


@pytest.mark.slow
def test_a_saved_model_is_written(tmp_path, capsys):
    envs = Ono99VecEnv("2022", num_envs=4, num_players=2)
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=8, batch_size=16, policy_kwargs={"net_arch": [8]}
    )
    model.save(tmp_path / "model.zip")
    words = [str(tmp_path / "model.zip"), str(tmp_path / "mine.onnx")]
    assert main(words) == 2
    assert "--players: say for how many players" in capsys.readouterr().err
    assert main([*words, "--players", "2", "3"]) == 0
    assert read_metadata(tmp_path / "mine.onnx").num_players == (2, 3)


def test_what_cannot_be_exported_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["runs/none"]) == 2
    assert "there is no run and no saved model runs/none" in capsys.readouterr().err
    (tmp_path / "x.zip").write_text("no model")
    assert main(["x.zip", "--players", "2"]) == 2
    assert "x.zip is not a model of Stable-Baselines3" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert main(["empty"]) == 2
    assert "cannot read the config empty/config.yaml" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.onnx"))
