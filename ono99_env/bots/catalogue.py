"""List all bots with a line each."""

import inspect
from dataclasses import dataclass

from ono99_env.bots.plugins import plugin_factory, plugins
from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.bots.policies.shipped_files import shipped_files
from ono99_env.bots.registry import NAMED_BOTS


@dataclass(frozen=True)
class BotEntry:
    """A bot in a list."""

    name: str
    """The name that `load_bot` accepts."""
    description: str
    """The bot in one line."""
    problem: str | None = None
    """Why it cannot be loaded; None if nothing is wrong with it."""


def list_bots() -> list[BotEntry]:
    """List all bots with a name: of this package, its bot files, and of installed packages.

    It imports the installed packages that bring bots. A broken bot is listed with its problem.
    """
    named = [BotEntry(name, bot.description) for name, bot in NAMED_BOTS.items()]
    files = [_file_entry(name) for name in sorted(shipped_files())]
    taken = {entry.name for entry in [*named, *files]}
    return [*named, *files, *(_plugin_entry(name, name in taken) for name in sorted(plugins()))]


def _file_entry(name: str) -> BotEntry:
    try:
        return BotEntry(name, read_metadata(shipped_files()[name]).description)
    except ValueError as error:
        return BotEntry(name, "", problem=str(error))


def _plugin_entry(name: str, is_taken: bool) -> BotEntry:
    entry = plugins()[name]
    if is_taken:
        return BotEntry(name, "", problem=f"{entry.value} has the name of a bot of this package")
    try:
        factory = plugin_factory(entry)
    except ValueError as error:
        return BotEntry(name, "", problem=str(error))
    text = getattr(factory, "description", "") or inspect.getdoc(factory) or entry.value
    return BotEntry(name, str(text).partition("\n")[0])
