"""A damaged file in the folder of a run is named, and no other is blamed for it."""

import pytest

from tests.training.run.small_runs import refusal
from training.train import main


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"", b"\x08\x01", None], ids=["empty", "cut", "missing"])
def test_a_damaged_bot_is_named_with_how_to_write_it_anew(run, capsys, damage):
    (run / "report.md").unlink()
    content = (run / "bot.onnx").read_bytes()
    (run / "bot.onnx").unlink() if damage is None else (run / "bot.onnx").write_bytes(damage)
    assert main(["--resume", "run"]) == 2
    told = capsys.readouterr().err
    assert "the bot of the run cannot be measured: " in told
    assert "python -m training.export run run/bot.onnx --overwrite" in told
    (run / "bot.onnx").write_bytes(content)
    assert main(["--resume", "run"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"\xff\n1\n", b"a,b\n1,2\n", b"time/total_timesteps\nx\n"])
def test_a_damaged_log_is_named_and_not_the_checkpoint(run, capsys, damage):
    (run / "report.md").unlink()
    (run / "progress.csv").write_bytes(damage)
    assert "the log run/progress.csv is damaged" in refusal(capsys)
    (run / "progress.csv").unlink()
    assert main(["--resume", "run"]) == 0
