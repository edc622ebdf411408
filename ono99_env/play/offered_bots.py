"""The bots that may be seated: those that run no code of others, and those typed by the host."""

from collections.abc import Sequence
from typing import Any

from ono99_env.bots import Bot, list_bots, load_bot
from ono99_env.bots.foreign import check_bot
from ono99_env.bots.policies.shipped_files import shipped_files
from ono99_env.bots.registry import NAMED_BOTS
from ono99_env.messages.errors import RefusedError
from ono99_env.messages.suggestions import did_you_mean
from ono99_env.rules.rules import Rules


class OfferedBots:
    """Bots by name. A page may only name one of these: it can open no file and run no code.

    Args:
        own: What the host typed on the command line; anything that `load_bot` takes.

    Raises:
        ValueError: If one of `own` is no bot.
        FileNotFoundError: If a path does not exist.
    """

    def __init__(self, own: Sequence[str] = ()) -> None:
        self._bots: dict[str, Bot] = {name: load_bot(name) for name in own}
        known = {*NAMED_BOTS, *shipped_files()}
        self._descriptions = {
            entry.name: entry.description for entry in list_bots() if entry.name in known
        }
        for name, bot in self._bots.items():
            self._descriptions.setdefault(name, bot.description)

    @property
    def names(self) -> list[str]:
        """All names: the host's own first, then bot files, then the scripted ones."""
        own = list(self._bots)
        files = [each for each in shipped_files() if each not in own]
        return list(dict.fromkeys([*own, *files, *self._descriptions]))

    def bot(self, name: str, rules: Rules) -> Bot:
        """Return a bot for a table.

        Args:
            name: One of `names`.
            rules: The rules of the table.

        Raises:
            RefusedError: If there is no such bot, or it cannot play these rules.
        """
        if name not in self._descriptions:
            shown = name if len(name) <= 60 else f"{name[:60]}..."
            raise RefusedError(
                f"there is no bot {shown!r} here{did_you_mean(shown, self.names)} Known are: "
                f"{', '.join(self.names)}. A file of your own is named on the command line"
            )
        if name not in self._bots:
            self._bots[name] = load_bot(name)
        try:
            check_bot(self._bots[name], rules)
        except ValueError as error:
            raise RefusedError(str(error)) from error
        return self._bots[name]

    def best_for(self, rules: Rules) -> str:
        """Return the first bot file that can play some rules, or ``"search"``."""
        for name in self.names:
            if name in shipped_files():
                try:
                    self.bot(name, rules)
                except RefusedError:
                    continue
                return name
        return "search"

    def as_data(self) -> list[dict[str, Any]]:
        """Return name, title and description of each, for a page."""
        return [
            {"name": name, "title": bot_title(name), "description": self._descriptions[name]}
            for name in self.names
        ]


def bot_title(name: str) -> str:
    """Return what a bot is called at a table: the bot files of the package are champions."""
    return f"Champion {name}" if name in shipped_files() else name
