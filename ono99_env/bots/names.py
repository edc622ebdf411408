"""Tell what the name of a bot refers to, and whether a file may name it.

A name that a user types may run any code. A name in a file (a config, the folder of a run, the
results or the state of a tournament) may not, unless the user has typed it as well.
"""

import shlex
from collections.abc import Collection, Iterable
from enum import Enum

from ono99_env.bots.plugins import plugins
from ono99_env.bots.policies.shipped_files import shipped_files
from ono99_env.bots.registry import NAMED_BOTS

ALLOW_CODE = "--allow-code"
"""The option of every command that reads names of bots from files."""

ALLOW_CODE_HELP = (
    "Let the bot NAME of a file run code; NAME as it stands there, of the kinds "
    "package.module:factory and sb3:PATH. May be given several times."
)


OPTION_MARK = "?"
"""What stands between the path of a bot file and its option."""


class BotKind(Enum):
    """What the name of a bot refers to."""

    PACKAGE = "a bot of this package"
    FILE = "a bot file"
    SB3 = "sb3: opens a file that can hold any code"
    PLUGIN = "a bot of an installed package"
    MODULE = "package.module:factory imports and calls any code"
    UNKNOWN = "no bot"


def split_file_option(name: str) -> tuple[str, str]:
    """Return the path that a bot's name holds, and the option after it, such as ``sample``.

    Only a question mark after the file's name starts an option; folders may have one in theirs.

    Args:
        name: The name, such as ``"what?/bot.onnx?sample"``.
    """
    path, mark, option = name.rpartition(OPTION_MARK)
    is_option = mark and not name.endswith(".onnx")
    if is_option and (path.endswith(".onnx") or path in shipped_files()):
        return path, option
    return name, ""


def bot_kind(name: str) -> BotKind:
    """Return what a name refers to, without opening or importing anything."""
    head, _, rest = name.partition(":")
    path, _ = split_file_option(name)
    if head in NAMED_BOTS:
        return BotKind.PACKAGE
    if path.endswith(".onnx") or path in shipped_files():
        return BotKind.FILE
    if head == "sb3":
        return BotKind.SB3
    if head in plugins():
        return BotKind.PLUGIN
    if rest and all(part.isidentifier() for part in head.split(".")):
        return BotKind.MODULE
    return BotKind.UNKNOWN


def runs_code(name: str) -> bool:
    """Return whether loading a bot runs code from outside this and the installed packages."""
    return bot_kind(name) in (BotKind.SB3, BotKind.MODULE)


def check_name_of_file(name: str, allow_code: Collection[str] = ()) -> None:
    """Refuse a name from a file that runs code.

    Args:
        name: The name.
        allow_code: Names that the user has typed.

    Raises:
        ValueError: If it runs code and the user has not typed the same name; the message says how
            to allow it.
    """
    if runs_code(name) and name not in allow_code:
        raise ValueError(
            f"bot {name!r} stands in a file and would run code ({bot_kind(name).value}). If you "
            f"trust it, say so on the command line:{allow_code_words([name])}"
        )


def allow_code_words(names: Iterable[str]) -> str:
    """Return the options that let the names of a file run code, with a space before each.

    Args:
        names: All names in the file; those that run no code need no option.
    """
    return "".join(f" {ALLOW_CODE} {shlex.quote(name)}" for name in names if runs_code(name))
