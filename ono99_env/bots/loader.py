"""Load a bot by what a user writes: a name, a file, or a class of their own."""

import contextlib
from collections.abc import Collection
from os import PathLike

from ono99_env.bots.base import Bot
from ono99_env.bots.names import BotKind, bot_kind, check_name_of_file, split_file_option
from ono99_env.bots.options import make_bot
from ono99_env.bots.plugins import load_from_module, load_plugin, plugins
from ono99_env.bots.policies.shipped_files import find_file, shipped_files
from ono99_env.bots.registry import NAMED_BOTS
from ono99_env.messages.suggestions import did_you_mean

_OTHER_SPELLINGS = (
    "the path of an .onnx file, sb3:PATH (a Stable-Baselines3 model) or package.module:factory (a "
    "bot of your own)"
)


def bot_names() -> list[str]:
    """List the names that `load_bot` accepts: the package's bots, its bot files, and plugins."""
    return list(dict.fromkeys([*NAMED_BOTS, *sorted(shipped_files()), *sorted(plugins())]))


def load_bot(name: str | PathLike[str]) -> Bot:
    """Load a bot. A name that comes from a file is loaded by `load_bot_of_file`.

    Args:
        name: One of

            - the name of a bot of this package or of an installed one, with options if it has any:
              ``"highest"``, ``"search:simulations=2000,threads=2"``;
            - the name of a bot file that comes with the package, ``"2022"`` or
              ``"models/2022.onnx"``, or the path of a bot file, ``"runs/x/bot.onnx"``; both may be
              followed by ``?sample`` to draw actions from its policy instead of taking the best;
            - ``"sb3:PATH"``, a ``.zip`` that Stable-Baselines3 saved; **it runs code from the
              file**;
            - ``"package.module:factory"``, a `Bot` subclass or a function annotated as returning a
              `Bot`, with options after another colon; it runs that module's code.

    Raises:
        ValueError: If there is no such bot, it refuses its options, or the file is not a bot file
            of this version; the message lists those that exist.
        FileNotFoundError: If the path does not exist.
        ImportError: If it needs a package that is not installed.
    """
    if not isinstance(name, str | PathLike):
        raise ValueError(f"a bot is named by a string or a path, not by {name!r}")
    name = str(name)
    if not name.isascii() and any("\ud800" <= each <= "\udfff" for each in name):
        raise ValueError(f"the name {name!r} is not UTF-8, so no file can hold it; rename the bot")
    head, _, rest = name.partition(":")
    match bot_kind(name):
        case BotKind.PACKAGE:
            return _renamed(make_bot(NAMED_BOTS[head].make, rest, head), name)
        case BotKind.FILE:
            path, option = split_file_option(name)
            return _load_file(path, option, name)
        case BotKind.SB3:
            from ono99_env.bots.policies.sb3_bot import Sb3Bot  # torch takes seconds to import

            return Sb3Bot(rest, name=name)
        case BotKind.PLUGIN:
            return _renamed(load_plugin(plugins()[head], rest, head), name)
        case BotKind.MODULE:
            return _renamed(load_from_module(name), name)
        case BotKind.UNKNOWN:
            raise _unknown(name, head)


def load_bot_of_file(name: str, allow_code: Collection[str] = ()) -> Bot:
    """Load a bot whose name was found in a file. It runs code only if the user allows that.

    Args:
        name: See `load_bot`.
        allow_code: Names that may run code, each exactly as it stands in the file.

    Raises:
        ValueError: If the name would run code and is not allowed to, or as `load_bot` says.
        FileNotFoundError: If the path does not exist.
        ImportError: If it needs a package that is not installed.
    """
    check_name_of_file(name, allow_code)
    return load_bot(name)


def _renamed(bot: Bot, name: str) -> Bot:
    """Give a bot the name that the user wrote."""
    with contextlib.suppress(AttributeError):  # a user's class may not allow it
        bot.name = name
    return bot


def _load_file(path: str, option: str, name: str) -> Bot:
    if option not in ("", "sample"):
        raise ValueError(f"unknown bot option {option!r} in {name!r}; there is only '?sample'")
    file = find_file(path)
    from ono99_env.bots.policies.onnx_bot import (
        OnnxBot,  # onnxruntime takes a third of a second to import
    )

    return OnnxBot(file, sample=option == "sample", name=name)


def _unknown(name: str, head: str) -> ValueError:
    hint = did_you_mean(head.partition("?")[0], bot_names())
    if head.endswith(".zip"):
        hint = (
            f"; a Stable-Baselines3 model is written 'sb3:{name}', which runs code from the file."
        )
    known = f"{', '.join(bot_names())}, or {_OTHER_SPELLINGS}"
    return ValueError(f"unknown bot {name!r}{hint or '.'} Known are: {known}")
