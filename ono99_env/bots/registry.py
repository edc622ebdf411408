"""The bots that come with the package, apart from bot files: a table from name to factory."""

from dataclasses import dataclass
from functools import partial

from ono99_env.bots.options import BotFactory
from ono99_env.bots.scripted.compiled import CompiledBot
from ono99_env.bots.search import SearchBot


@dataclass(frozen=True)
class NamedBot:
    """How a bot that has a name is made."""

    make: BotFactory
    """Called with the options that a user writes: ``name:option=value,option=value``."""
    description: str
    """The bot in one line."""


NAMED_BOTS: dict[str, NamedBot] = {
    **{
        name: NamedBot(partial(CompiledBot, name), description)
        for name, description in CompiledBot.DESCRIPTIONS.items()
    },
    "search": NamedBot(SearchBot, SearchBot.description),
}
"""Every bot that is known by its name alone. To add one, enter it here."""
