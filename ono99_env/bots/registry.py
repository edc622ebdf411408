"""The table of the bots of this package, apart from bot files: how each name is made."""

from dataclasses import dataclass
from functools import partial

from ono99_env.bots.options import BotFactory
from ono99_env.bots.scripted.compiled import CompiledBot
from ono99_env.bots.search import SearchBot


@dataclass(frozen=True)
class NamedBot:
    """A bot of the table."""

    make: BotFactory
    """Makes the bot; its arguments are the options in ``name:option=value,option=value``."""
    description: str
    """The bot in one line."""


NAMED_BOTS: dict[str, NamedBot] = {
    **{
        name: NamedBot(partial(CompiledBot, name), description)
        for name, description in CompiledBot.DESCRIPTIONS.items()
    },
    "search": NamedBot(SearchBot, SearchBot.description),
}
"""All bots that are known by name. To add a bot, add it here."""
