"""Bots of a user's own modules and of installed packages; a broken one spoils nothing."""

import importlib

import numpy as np
import pytest

from ono99_env import Game, Rules, load_bot
from ono99_env.bots import bot_names, list_bots

MODULE = """
from ono99_env import Bot

class First(Bot):
    \"\"\"Takes the first legal action.

    More text.
    \"\"\"

    def __init__(self, offset: int = 0):
        self.offset = offset

    def act(self, views, rng):
        return views.action_mask.argmax(axis=1)

class Half(Bot):
    pass

def make(offset: int = 5) -> Bot:
    return First(offset)

def make_nothing() -> Bot:
    return None

def make_silently():
    return First()

def fail() -> Bot:
    raise RuntimeError("no luck")

THING = 3
"""

ENTRY_POINTS = """
[ono99_env.bots]
first = own_bots:First
made = own_bots:make
broken = own_broken:First
gone = own_bots:Gone
highest = own_bots:First
"""


@pytest.fixture
def own_module(tmp_path, monkeypatch):
    """A folder on the path with a module of bots and one that cannot be imported."""
    (tmp_path / "own_bots.py").write_text(MODULE)
    (tmp_path / "own_broken.py").write_text("import no_such_package_at_all")
    (tmp_path / "own_raises.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield tmp_path
    for name in ("own_bots", "own_broken", "own_raises"):
        importlib.sys.modules.pop(name, None)


@pytest.fixture
def installed(own_module):
    """A package that brings these bots, installed as far as Python can tell."""
    folder = own_module / "own_bots-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: own-bots\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(ENTRY_POINTS)
    importlib.invalidate_caches()


@pytest.mark.parametrize(
    ("name", "offset"),
    [
        ("own_bots:First", 0),
        ("own_bots:make", 5),
        ("own_bots:First:offset=2", 2),
    ],
)
def test_a_class_or_function_of_a_module_is_a_bot(own_module, name, offset):
    bot = load_bot(name)
    assert bot.name == name
    assert bot.offset == offset
    game = Game(Rules.preset("2022", num_players=2), seed=1)
    assert bot.act(game.views(), np.random.default_rng(0))[0] == game.legal_actions()[0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own_botz:First", "'own_botz:First': there is no module 'own_botz'"),
        ("own_broken:First", "there is no module 'no_such_package_at_all'"),
        ("own_raises:First", "own_raises cannot be imported .ZeroDivisionError"),
        ("own_bots:Frist", r"has no 'Frist'; did you mean 'First'\?"),
        ("own_bots:THING", "THING is int, and a subclass of ono99_env.Bot or a function"),
        ("own_bots:make_nothing", "is not a bot: its factory returned NoneType"),
        ("own_bots:make_silently", "does not say that it returns a bot"),
        ("own_bots:Half", "could not be made: TypeError: .*abstract"),
        ("own_bots:fail", "could not be made: RuntimeError: no luck"),
        ("own_bots:First:depth=1", "has no option 'depth'.*its options are: offset"),
    ],
)
def test_what_is_no_bot_is_refused_with_the_reason(own_module, name, message):
    with pytest.raises(ValueError, match=message):
        load_bot(name)


def test_an_installed_package_brings_bots(installed):
    assert load_bot("first:offset=3").offset == 3
    assert load_bot("made").offset == 5
    assert {"first", "made", "broken", "gone"} <= set(bot_names())
    assert bot_names().count("highest") == 1
    assert type(load_bot("highest")).__name__ == "CompiledBot"


def test_a_broken_package_is_named_and_spoils_nothing(installed):
    with pytest.raises(
        ValueError, match="'broken' of package own-bots is broken: own_broken:First"
    ):
        load_bot("broken")
    with pytest.raises(ValueError, match="'gone' of package own-bots is broken"):
        load_bot("gone")
    entries = list_bots()
    listed = {entry.name: entry for entry in entries if entry.description}
    problems = {entry.name: entry.problem for entry in entries if entry.problem}
    assert listed["first"].description == "Takes the first legal action."
    assert listed["highest"].problem is None
    assert "own_broken:First cannot be imported" in problems["broken"]
    assert "has the name of a bot of this package" in problems["highest"]
    assert set(problems) == {"broken", "gone", "highest"}
