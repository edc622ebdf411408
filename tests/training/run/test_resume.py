"""A run that is killed and resumed ends with the same bits as one that never stopped."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import yaml

from tests.training.run.small_runs import CONFIGS, UPDATE, outcome
from tests.training.run.test_checkpoint import assert_same
from training.run.checkpoint import read_checkpoint, write_checkpoint
from training.run.checkpoint_callback import CheckpointCallback
from training.run.progress_callback import ProgressCallback
from training.train import main

ROOT = Path(__file__).parents[3]


class Killed(BaseException):
    """Ends a run where it stands, as a signal would."""


def start(folder: Path, name: str, fields: dict) -> None:
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump({**fields, "name": name}))
    assert main([str(path)]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", CONFIGS)
def test_a_run_that_was_killed_ends_like_one_that_was_not(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    start(tmp_path, "whole", CONFIGS[kind])
    steps = random.Random(kind).sample(range(12 * 32), 3)

    def kill(callback: CheckpointCallback) -> bool:
        if callback.num_timesteps // 16 in steps:
            steps.remove(callback.num_timesteps // 16)
            raise Killed
        return True

    monkeypatch.setattr(CheckpointCallback, "_on_step", kill)
    with pytest.raises(Killed):
        start(tmp_path, "killed", CONFIGS[kind])
    while steps:
        with pytest.raises(Killed):
            main(["--resume", "runs/killed"])
    assert main(["--resume", "runs/killed"]) == 0
    assert_same(outcome(Path("runs/whole")), outcome(Path("runs/killed")))
    assert Path("runs/killed/report.md").exists()


@pytest.mark.slow
def test_a_run_that_was_stopped_ends_like_one_that_was_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    start(tmp_path, "whole", CONFIGS["self-play"])
    stops = [100, 170]
    usual = ProgressCallback._on_step

    def stop(callback: ProgressCallback) -> bool:
        if stops and callback.num_timesteps // 16 >= stops[0]:
            stops.pop(0)
            signal.raise_signal(signal.SIGINT)
        return usual(callback)

    monkeypatch.setattr(ProgressCallback, "_on_step", stop)
    (tmp_path / "stopped.yaml").write_text(yaml.safe_dump({**CONFIGS["self-play"], "name": "two"}))
    assert main(["stopped.yaml"]) == 130
    assert Path("runs/two/bot.onnx").exists()
    assert main(["--resume", "runs/two"]) == 130
    assert main(["--resume", "runs/two"]) == 0
    whole, stopped = outcome(Path("runs/whole")), outcome(Path("runs/two"))
    assert_same(whole["learner"]["policy"], stopped["learner"]["policy"])
    assert_same(whole["learner"]["environment"], stopped["learner"]["environment"])
    decisions = [each["decisions"] for each in stopped["evaluations"]["history"]]
    usual_ones = [each["decisions"] for each in whole["evaluations"]["history"]]
    assert decisions == sorted({*usual_ones, 4 * UPDATE, 6 * UPDATE})


@pytest.mark.slow
def test_a_process_that_is_killed_at_any_moment_is_resumed_exactly(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fields = {**CONFIGS["self-play"], "total_decisions": 40 * UPDATE}
    start(tmp_path, "whole", fields)
    whole = outcome(Path("runs/whole"))
    (tmp_path / "killed.yaml").write_text(yaml.safe_dump({**fields, "name": "killed"}))
    checkpoint, rng, words = Path("runs/killed/checkpoint.npz"), random.Random(), ["killed.yaml"]
    for _ in range(3):
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        process = subprocess.Popen(
            [sys.executable, "-m", "training.train", *words],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
        )
        # From the first checkpoint of the process on it may be killed at any time.
        while process.poll() is None and not (
            checkpoint.exists() and checkpoint.stat().st_mtime_ns > before
        ):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 1.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        words = ["--resume", "runs/killed"]
    if not Path("runs/killed/report.md").exists():
        assert main(words) == 0
    assert_same(whole, outcome(Path("runs/killed")))
    assert not list(Path("runs/killed").rglob(".*.npz.*"))


@pytest.mark.slow
@pytest.mark.parametrize("whole_checkpoints", [0, 2])
def test_a_full_disk_ends_a_run_that_goes_on_when_there_is_room(
    tiny, monkeypatch, capsys, whole_checkpoints
):
    left = whole_checkpoints

    def write(path: Path, state: dict) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_checkpoint(path, state)

    monkeypatch.setattr("training.run.run.write_checkpoint", write)
    assert main([str(tiny), "--checkpoint_seconds", "0"]) == 2
    message = capsys.readouterr().err
    assert "cannot write to runs/tiny: No space left on device." in message
    monkeypatch.undo()
    monkeypatch.chdir(tiny.parent)
    if whole_checkpoints:
        assert "go on with it: --resume runs/tiny" in message
        assert main(["--resume", "runs/tiny"]) == 0
    else:
        assert "delete runs/tiny and start again" in message
        assert not Path("runs/tiny/checkpoint.npz").exists()


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """The folder of a run in self-play that has finished."""
    folder = tmp_path_factory.mktemp("finished")
    before = Path.cwd()
    os.chdir(folder)
    start(folder, "run", CONFIGS["self-play"])
    os.chdir(before)
    return folder / "runs" / "run"


@pytest.fixture
def run(finished, tmp_path, monkeypatch) -> Path:
    """A copy of it, which a test may break."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished, "run")
    return Path("run")


def refusal(capsys, *words: str) -> str:
    """The error of a command that must fail and leave every file as it was."""
    files = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    assert main(["--resume", "run", *words]) == 2
    after = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    assert {path: after.get(path) for path in files} == files
    return capsys.readouterr().err


@pytest.mark.slow
def test_a_finished_run_can_be_trained_further(run, capsys):
    assert "is finished; see run/report.md" in refusal(capsys)
    more = str(16 * UPDATE)
    assert main(["--resume", "run", "--total_decisions", more]) == 0
    state = read_checkpoint(run / "checkpoint.npz")
    assert state["learner"]["num_timesteps"] == int(more)
    assert yaml.safe_load((run / "config.yaml").read_text())["total_decisions"] == int(more)


@pytest.mark.slow
def test_a_run_that_was_killed_while_it_was_measured_is_measured(run):
    before = outcome(run)
    (run / "report.md").unlink()
    assert main(["--resume", "run"]) == 0
    assert_same(before, outcome(run))
    assert (run / "report.md").exists()


@pytest.mark.slow
def test_a_run_that_was_killed_before_it_began_is_begun(run):
    whole = outcome(run)
    for path in run.iterdir():
        if path.name != "config.yaml":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert main(["--resume", "run"]) == 0
    assert_same(whole, outcome(run))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seed", "5"], "does not fit the checkpoint run/checkpoint.npz: seed is 5, and was 0"),
        (["--net_arch", "8,8"], "net_arch is [8, 8], and was [16]"),
        (["--num_players", "2"], "num_players is [2], and was [2, 3]"),
        (["--rules", "2022"], "rules.edition is 2022, and was 1980; rules.deck."),
        (["--ppo.gamma", "7"], "--ppo.gamma: must be from 0 to 1"),
        (["configs/x.yaml"], "name either a config file"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(run, capsys, words, message):
    told = refusal(capsys, *words)
    assert message in told
    assert len(told) < 500  # what differs, and not the whole of what it differs in


@pytest.mark.slow
def test_what_is_missing_or_damaged_is_named(run, capsys):
    (run / "report.md").unlink()
    snapshot = next((run / "league").iterdir())
    kept = [run / "league" / f"after-{n}.onnx" for n in league_of(run)]
    assert snapshot.exists()
    content = kept[0].read_bytes()
    kept[0].write_bytes(content[:100])
    assert f"cannot go on without its snapshot {kept[0]}" in refusal(capsys)
    kept[0].unlink()
    assert f"cannot go on without its snapshot {kept[0]}" in refusal(capsys)
    kept[0].write_bytes(content)
    checkpoint = run / "checkpoint.npz"
    checkpoint.write_bytes(checkpoint.read_bytes()[:-5000])
    assert "the checkpoint run/checkpoint.npz is damaged" in refusal(capsys)
    checkpoint.unlink()
    message = refusal(capsys)
    assert "there is no checkpoint run/checkpoint.npz" in message
    assert "training.train run/config.yaml --name NEW" in message
    (run / "config.yaml").unlink()
    assert "cannot read the config run/config.yaml" in refusal(capsys)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "value"),
    [
        (["config"], None),
        (["evaluations"], {}),
        (["evaluations", "history"], [{"decisions": 3}]),
        (["seconds"], "long"),
        (["learner"], {}),
        (["learner", "num_timesteps"], "many"),
        (["learner", "policy"], {}),
        (["learner", "optimizer"], {}),
        (["learner", "to_be_logged"], 3),
        (["learner", "environment"], {"parts": []}),
        (["learner", "buffer"], None),
        (["league"], None),
        (["league", "league", "wins"], np.zeros(7)),
    ],
    ids=str,
)
def test_a_checkpoint_that_lacks_something_is_refused_in_a_sentence(run, capsys, place, value):
    (run / "report.md").unlink()
    state = read_checkpoint(run / "checkpoint.npz")
    fields = state
    for name in place[:-1]:
        fields = fields[name]
    fields[place[-1]] = value
    write_checkpoint(run / "checkpoint.npz", state)
    message = refusal(capsys)
    assert "the checkpoint run/checkpoint.npz does not" in message
    assert message.count("\n") == 1


def league_of(run: Path) -> list[int]:
    league = read_checkpoint(run / "checkpoint.npz")["league"]["league"]
    return league["taken_after"][: league["size"]].tolist()


def test_a_folder_that_is_not_there_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["--resume", "runs/none"]) == 2
    assert "--resume: there is no folder runs/none" in capsys.readouterr().err


@pytest.mark.slow
def test_two_processes_do_not_train_in_one_folder(run, capsys):
    from training.run.run_folder import RunFolder

    with RunFolder(run).lock():
        assert "run is in use: another process is training there" in refusal(capsys)
