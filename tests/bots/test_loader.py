"""`load_bot` finds what a user means, and says what there is when it cannot."""

import subprocess
import sys

import pytest

from ono99_env import load_bot
from ono99_env.bots import bot_names, list_bots
from ono99_env.bots.policies import shipped_files
from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.bots.scripted.compiled import CompiledBot
from ono99_env.messages.errors import BotFileError
from tests.bots.policies.bot_files import METADATA, write_bot_file


@pytest.fixture
def models(tmp_path, monkeypatch):
    """Two folders in place of the package's own, and an empty current folder."""
    folders = tmp_path / "package" / "models", tmp_path / "checkout" / "models"
    for folder in folders:
        folder.mkdir(parents=True)
    monkeypatch.setattr(shipped_files, "MODEL_FOLDERS", folders)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return folders


@pytest.mark.parametrize("name", CompiledBot.NAMES)
def test_scripted_bots_go_by_their_names(name):
    assert load_bot(name).name == name


def test_a_path_is_a_bot_file(models, tmp_path):
    path = write_bot_file(tmp_path / "mine.onnx")
    assert load_bot(str(path)).name == str(path)
    sampling = load_bot(f"{path}?sample")
    assert sampling.sample
    assert sampling.name == f"{path}?sample"


@pytest.mark.parametrize("name", ["champion", "models/champion.onnx", "champion?sample"])
def test_a_bot_of_the_package_goes_by_its_name_or_path_from_anywhere(models, name):
    write_bot_file(models[1] / "champion.onnx")
    assert load_bot(name).name == name
    assert bot_names() == [*CompiledBot.NAMES, "search", "champion"]


def test_an_installed_package_does_not_look_beside_itself(models):
    write_bot_file(models[0] / "champion.onnx")
    write_bot_file(models[1] / "stranger.onnx")
    assert bot_names() == [*CompiledBot.NAMES, "search", "champion"]
    with pytest.raises(ValueError, match="unknown bot 'stranger'"):
        load_bot("stranger")


def test_a_users_own_file_comes_before_one_of_the_package(models, tmp_path):
    write_bot_file(models[1] / "champion.onnx")
    own = tmp_path / "here" / "models"
    own.mkdir()
    (own / "champion.onnx").write_bytes(b"mine")
    with pytest.raises(BotFileError):
        load_bot("models/champion.onnx")


@pytest.mark.parametrize("name", ["", "fool", "models/fool", "random?sample", "bot.zip"])
def test_an_unknown_bot_is_refused_with_those_there_are(models, name):
    write_bot_file(models[1] / "champion.onnx")
    with pytest.raises(ValueError, match=r"Known are: random, highest, .*, champion, or the path"):
        load_bot(name)


def test_a_missing_file_is_refused(models):
    write_bot_file(models[1] / "champion.onnx")
    message = r"there is no bot file runs/x/bot\.onnx in .*/here; .* the package are: champion$"
    with pytest.raises(FileNotFoundError, match=message):
        load_bot("runs/x/bot.onnx")
    with pytest.raises(FileNotFoundError, match=r"no file .*/here/gone\.zip; after sb3: comes"):
        load_bot("sb3:gone.zip")


def test_metadata_is_read_by_name_or_path(models, tmp_path):
    write_bot_file(models[1] / "champion.onnx")
    path = write_bot_file(tmp_path / "here" / "mine.bot")
    assert read_metadata("champion") == read_metadata("models/champion.onnx") == METADATA
    assert read_metadata(path) == METADATA
    with pytest.raises(FileNotFoundError, match="there is no bot file fool"):
        read_metadata("fool")


def test_a_bot_shows_what_it_is(models):
    assert repr(load_bot("highest")) == (
        "<CompiledBot 'highest': dumps its highest number, keeps the helpers>"
    )
    write_bot_file(models[1] / "champion.onnx")
    assert repr(load_bot("champion")).startswith("<OnnxBot 'champion': a trained policy for the 20")


def test_an_unknown_option_is_refused(models):
    write_bot_file(models[1] / "champion.onnx")
    with pytest.raises(ValueError, match=r"unknown bot option 'greedy'.*only '\?sample'"):
        load_bot("champion?greedy")


def test_a_misspelt_name_is_understood(models):
    with pytest.raises(ValueError, match=r"unknown bot 'hihgest'; did you mean 'highest'\? Known"):
        load_bot("hihgest")
    with pytest.raises(ValueError, match=r"is written 'sb3:runs/bot\.zip', which runs code"):
        load_bot("runs/bot.zip")


def test_a_bot_without_options_refuses_them():
    with pytest.raises(ValueError, match="'highest' has no option 'seed'; its options are: none"):
        load_bot("highest:seed=3")


def test_every_bot_has_a_line(models):
    write_bot_file(models[1] / "champion.onnx")
    (models[1] / "damaged.onnx").write_bytes(b"")
    listed = {entry.name: entry for entry in list_bots()}
    assert list(listed) == bot_names()
    for name in [*CompiledBot.NAMES, "search", "champion"]:
        assert listed[name].problem is None
        assert 10 < len(listed[name].description) < 100
        assert listed[name].description == load_bot(name).description
    assert "2 to 4 players" in listed["champion"].description
    assert "damaged" in listed["damaged"].problem


@pytest.mark.slow
def test_scripted_bots_need_no_other_package():
    code = (
        "import sys, ono99_env; ono99_env.load_bot('highest');"
        "print([m for m in ('torch', 'stable_baselines3', 'onnx', 'onnxruntime', 'pygame')"
        " if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
