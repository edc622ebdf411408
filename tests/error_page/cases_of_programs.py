"""Errors of bots, commands, the arena, training and OpenSpiel: a call or a command line by the message on docs/errors.md."""

# ruff: noqa: E501 - messages stay whole, so that they can be found
# Wrong arguments are the point.
# mypy: disable-error-code="arg-type, call-overload"

from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from unittest import mock

from ono99_env import load_bot
from ono99_env.arena import Arena, one_vs_rest
from ono99_env.bots.names import check_name_of_file
from ono99_env.bots.plugins import plugin_factory
from ono99_env.bots.policies.bot_file import LARGEST_FILE, open_model
from ono99_env.envs.single import Ono99Env
from ono99_env.jit.cache import _unpickled
from ono99_env.messages.extras import need_extra
from tests.error_page.situations import (
    TWO,
    Cheat,
    diverged_training,
    file_of,
    full_lobby,
    openspiel,
    other_tournament,
    read_only_folder,
)
from training.distributed.checkpoints import check_allowed
from training.run.run_folder import RunFolder
from training.self_play.snapshot_bot import SnapshotBot

CASES: dict[str, Callable[[], Any] | list[str]] = {
    # Bots and bot files
    "unknown bot ... Known are: ...": lambda: load_bot("grandmaster"),
    "a bot is named by a string or a path, not by ...": lambda: load_bot(7),
    "the name ... is not UTF-8, so no file can hold it; rename the bot": lambda: load_bot("\udce9"),
    "bot ... stands in a file and would run code (...). If you trust it, say ...": lambda: (
        check_name_of_file("sb3:x.zip")
    ),
    "bot ... has no option ...": lambda: load_bot("search:depth=3"),
    "option ... of bot ... needs a value: '...=...'": lambda: load_bot("search:simulations"),
    "bot ...: there is no module ... It must be installed, or lie in the current ...": lambda: (
        load_bot("no_such_package.bots:make")
    ),
    "bot ...: module ... has no ...": lambda: load_bot("json:no_such_factory"),
    "... does not say that it returns a bot: ..., such as 'def ...(...) -> Bot:'": lambda: load_bot(
        "json:loads"
    ),
    "there is no bot file ...; those that come with the package are: ...": lambda: load_bot(
        "no_such.onnx"
    ),
    "there is no file ...; after sb3: comes the path of the .zip that model.save() wrote": lambda: (
        load_bot("sb3:no_such.zip")
    ),
    "bot ... is not a bot: its factory returned ..., and an instance of a subclass of ...": lambda: (
        load_bot("tests.error_page.situations:make_nothing")
    ),
    "bot ... could not be made: ...": lambda: load_bot("tests.error_page.situations:make_trouble"),
    "bot ... is broken: ... cannot be imported (...: ...). Update or remove the package.": lambda: (
        plugin_factory(EntryPoint("mine", "no_such_package:make", "ono99_env.bots"))
    ),
    "bot ... chose the illegal action ... in ..., at a total of ...; legal were: ...": lambda: (
        one_vs_rest(TWO, Cheat(), load_bot("random"), 2, 100, 1)
    ),
    "is not an ONNX file, or is cut short": lambda: load_bot(
        str(Path(file_of(b"x")).rename("x.onnx"))
    ),
    "bot ... cannot play this game: ...": lambda: Ono99Env("1980", 3, opponents=["2022"]),
    # Command line and arena
    "No such command ...": ["ono99", "arenas"],
    "No such option: ...": ["ono99", "arena", "--gmaes", "3"],
    "ono99 has no command ...": ["ono99", "train"],
    "...: ... exists; say --overwrite to replace it, or name another": [
        *("ono99", "arena", "random", "highest", "--json", file_of(b"")),
    ],
    "...: ... is a folder; name a file": ["ono99", "arena", "random", "highest", "--json", "/tmp"],
    "...: there is no folder ...": ["ono99", "arena", "random", "highest", "--json", "/no/x.json"],
    "...: the folder ... cannot be written to": read_only_folder,
    "... Remove it, or say --overwrite.": other_tournament,
    "... With --forfeit a bot that fails only loses the game it fails in.": [
        "ono99",
        "arena",
        "tests.error_page.situations:Cheat",
        "random",
    ],
    "--report: ... is a file; name a folder": [
        "ono99",
        "arena",
        "random",
        "highest",
        "--report",
        file_of(b""),
    ],
    "must be numbers from ... to ..., such as 4 or 2,4, not ...": [
        "ono99",
        "arena",
        "random",
        "highest",
        "--players",
        "two",
    ],
    "--continue and --repeat read from a file what to play: give one of them, ...": [
        *("ono99", "arena", "random", "--continue", "a.state", "--repeat", "a.json"),
    ],
    "name the bots that play, such as: ono99 arena highest random": ["ono99", "arena"],
    "bots: a tournament needs two at least, not ...": lambda: Arena(["random"]),
    "games: ... are too few for ... bots at tables of ...; at least ... are needed for ...": lambda: (
        Arena(["random", "highest"], games=1)
    ),
    # Training
    "name either a config file (configs/quickstart.yaml) or a run to go on with (--resume runs/quickstart), ...": [
        "training.train"
    ],
    "--resume: there is no folder ...": ["training.train", "--resume", "no_such_run"],
    "cannot read the config ...: ...": ["training.train", "no_such_config.yaml"],
    # Playing
    "all ... tables are in use; try again later": full_lobby,
    "--players: ... bots need as many seats, not ...": [
        *("ono99", "watch", "random", "random", "random", "--players", "2"),
    ],
    # Installs and compiled code
    "... needs ..., which the extra ... brings: ...": lambda: need_extra("x", "this", "no_such"),
    "... is larger than ... MiB.": lambda: open_model(bytes(LARGEST_FILE + 1), "big.onnx"),
    "... is damaged": lambda: _unpickled(Path(file_of(b"nothing")), b""),
    "... has not been taken yet": lambda: SnapshotBot("snapshot").copy,
    "... holds checkpoints of RLlib, and opening one runs whatever code is in it. If ...": lambda: (
        check_allowed(RunFolder(Path("runs/other")), [])
    ),
    "processes: must be at least 1, not ...": lambda: Arena(["random", "highest"], games=960).play(
        0
    ),
    "... does not hold the results of a tournament": [
        *("ono99", "arena", "--repeat", file_of(b"{}")),
    ],
    "there is no run and no saved model ...": ["training.export", "no_such_run"],
    "unrecognized arguments: ...": ["training.export", "x", "--outptu", "y"],
    "must be auto, cpu, cuda, cuda:NUMBER or mps, not ...": [
        *("training.train", "configs/quickstart.yaml", "--device", "cud"),
    ],
    "the training has diverged: ... A lower learning rate may help. The bot is the best one ...": (
        diverged_training
    ),
    # OpenSpiel
    "bots: ... were given for ... seats; give one bot for all seats, or one for each": lambda: (
        openspiel().GameTree.policy(mock.Mock(rules=TWO), [load_bot("random")])
    ),
    "... holds no bot that TabularBot.save wrote: ...": lambda: openspiel().tabular.load_tabular(
        file_of(b"[]")
    ),
    "observers of ... take no parameters, but ... were given": lambda: (
        openspiel().load_game("2022").make_py_observer(params={"colour": 1})
    ),
}
