"""A bot's name in a file runs no code, and a name never calls what makes no bots."""

import importlib
import sys
from pathlib import Path

import pytest

from ono99_env import load_bot
from ono99_env.bots import load_bot_of_file, plugins
from ono99_env.bots.names import BotKind, allow_code_words, bot_kind
from tests.bots.policies.bot_files import write_bot_file

DECOYS = """
import functools
from os import system
from pathlib import Path
from typing import Optional
from ono99_env import Bot, load_bot as alias

class First(Bot):
    def act(self, views, rng):
        return views.action_mask.argmax(axis=1)

class Registered:
    def __init__(self, path="called"):
        Path(path).touch()

Bot.register(Registered)

class Calling:
    def __call__(self, path="called") -> Bot:
        Path(path).touch()

calling = Calling()
bound = calling.__call__
partial = functools.partial(First)
anonymous = lambda path="called": Path(path).touch()

def unannotated(path="called"):
    Path(path).touch()

def a_string(path="called") -> str:
    Path(path).touch()

def unknown(path="called") -> "Nothing":
    Path(path).touch()

def kind(path="called") -> type[Bot]:
    Path(path).touch()

def perhaps(path="called") -> Optional[First]:
    Path(path).touch()

def quoted() -> "First":
    return First()

def decorated(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper

@decorated
def wrapped() -> First:
    return First()
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A current folder that is not on the path, with a module of bots and of what is none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each not in ("", ".")])
    (tmp_path / "decoys.py").write_text(DECOYS)
    yield tmp_path
    for name in ("decoys", "own_random", "own_helper"):
        sys.modules.pop(name, None)


RUNS_CODE = [
    "os:system:command=touch called",
    "builtins:exec:code=1",
    "builtins:eval",
    "subprocess:run:args=ls",
    "decoys:First",
    "ono99_env.bots:load_bot:name=sb3:x.zip",
    "ono99_env.bots.policies.sb3_bot:Sb3Bot:path=x.zip",
    "sb3:model.zip",
    "sb3:../../model.zip?sample",
    "Sb3:model.zip",
    "SB3:model.zip",
    "random_:x",
]


@pytest.mark.parametrize("name", RUNS_CODE)
def test_a_name_in_a_file_runs_no_code(here, name):
    modules = set(sys.modules)
    with pytest.raises(ValueError, match=r"stands in a file and would run code.*--allow-code "):
        load_bot_of_file(name)
    assert set(sys.modules) - modules <= {"ono99_env.bots.names"}
    assert not (here / "called").exists()


def test_only_the_very_name_that_was_typed_is_allowed(here):
    assert load_bot_of_file("decoys:First", ["decoys:First"]).name == "decoys:First"
    for typed in ("decoys", "decoys:", "decoys:First:", "decoys:First ", "*"):
        with pytest.raises(ValueError, match="--allow-code decoys:First"):
            load_bot_of_file("decoys:First", [typed])


@pytest.mark.parametrize(
    "name", ["highest", "search:simulations=5", "2022", "2022?sample", "models/2022.onnx"]
)
def test_bots_of_the_package_may_stand_in_files(here, name):
    assert load_bot_of_file(name).name == name


@pytest.mark.parametrize("path", ["sub/bot.onnx", "sub/../sub/bot.onnx", "sub/link.onnx?sample"])
def test_a_bot_file_may_stand_in_a_file_wherever_it_lies(here, path):
    (here / "sub").mkdir()
    write_bot_file(here / "sub" / "bot.onnx")
    (here / "sub" / "link.onnx").symlink_to("bot.onnx")
    assert load_bot_of_file(path).name == path


def test_an_installed_bot_may_stand_in_a_file_with_its_options(here, monkeypatch):
    entry = importlib.metadata.EntryPoint("shy", "decoys:First", plugins.GROUP)
    monkeypatch.setattr(plugins, "entry_points", lambda group: [entry])
    monkeypatch.syspath_prepend(here)
    assert bot_kind("shy:depth=3") is BotKind.PLUGIN
    assert load_bot_of_file("shy").name == "shy"


@pytest.mark.parametrize(
    "name", ["sb3:x.onnx", "os:system:command=touch called;.onnx", "a b:c.onnx"]
)
def test_what_ends_like_a_bot_file_is_one_and_nothing_else(here, name):
    assert bot_kind(name) is BotKind.FILE
    with pytest.raises(FileNotFoundError):
        load_bot_of_file(name)


@pytest.mark.parametrize(
    "thing",
    [
        "system",
        "Registered",
        "calling",
        "bound",
        "partial",
        "anonymous",
        "unannotated",
        "a_string",
        "unknown",
        "kind",
        "perhaps",
        "functools",
        "Path",
    ],
)
def test_a_name_calls_nothing_that_does_not_say_it_makes_bots(here, thing):
    with pytest.raises(ValueError, match=r"subclass of ono99_env.Bot or a function that is annota"):
        load_bot(f"decoys:{thing}")
    assert not (here / "called").exists()


@pytest.mark.parametrize("name", ["os:system:command=touch called", "builtins:exec:object=1"])
def test_what_was_not_written_to_make_bots_is_not_called(here, name):
    with pytest.raises(ValueError, match="builtin_function_or_method"):
        load_bot(name)
    assert not (here / "called").exists()


@pytest.mark.parametrize("thing", ["First", "quoted", "wrapped"])
def test_subclasses_and_annotated_functions_make_bots(here, thing):
    assert load_bot(f"decoys:{thing}").name == f"decoys:{thing}"


def test_a_module_of_the_current_folder_is_found_last(here):
    (here / "random.py").write_text("raise SystemExit('shadowed')")
    (here / "colorsys.py").write_text("raise SystemExit('shadowed')")
    (here / "own_helper.py").write_text("OFFSET = 4")
    (here / "own_random.py").write_text(
        "import random, colorsys, own_helper\nfrom decoys import First\nrandom.random()"
    )
    sys.modules.pop("colorsys", None)
    assert load_bot("own_random:First").name == "own_random:First"
    assert sys.path[-1] == str(here)
    assert Path(sys.modules["colorsys"].__file__).parent != here


def test_the_path_stays_as_it_is_where_the_current_folder_is_not_needed(here):
    (here / "own_random.py").write_text("1 / 0")
    before = list(sys.path)
    load_bot("highest")
    for name in ("json:JSONDecoder", "no_such_module:Bot", "own_random:Bot"):
        with pytest.raises(ValueError, match=name):
            load_bot(name)
    assert sys.path == before


def test_a_command_line_is_told_what_to_allow():
    words = allow_code_words(["highest", "my_bots:Shy", "sb3:a b.zip", "2022"])
    assert words == " --allow-code my_bots:Shy --allow-code 'sb3:a b.zip'"


@pytest.mark.parametrize("folder", ["what?", "a?sample", "x.onnx?y"])
def test_folders_may_have_a_question_mark_in_their_names(here, folder):
    path = Path(folder) / "bot.onnx"
    path.parent.mkdir()
    write_bot_file(path)
    assert not load_bot(str(path)).sample
    assert load_bot(f"{path}?sample").sample
    with pytest.raises(ValueError, match="unknown bot option 'smaple'"):
        load_bot(f"{path}?smaple")
