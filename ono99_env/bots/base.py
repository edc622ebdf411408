"""What every bot is: a policy that sees views and answers with actions."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from ono99_env.observation.views import Views
from ono99_env.rules.rules import Rules


class Bot(ABC):
    """A policy for any seat. It gets views, which hold nothing a seat may not know, and no game.

    A bot keeps no memory of a game between calls: one bot object may hold many seats of many
    tables, and a call mixes them.
    """

    name: str = "bot"
    """How reports and messages call the bot."""

    description: str = ""
    """The bot in one line, for lists of bots."""

    @abstractmethod
    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """Choose an action for each view.

        Args:
            views: A batch; every view is of a seat that is to act.
            rng: The only source of randomness the bot may use.

        Returns:
            A legal action for each view, shape (batch,).
        """

    def check_rules(self, rules: Rules) -> None:  # noqa: B027 - most bots play everything
        """Refuse rules that the bot cannot play; by default it plays all.

        Raises:
            ValueError: If the bot does not fit the rules; the message says what differs.
        """

    def __repr__(self) -> str:
        """The bot by its class, name and description."""
        description = f": {self.description}" if self.description else ""
        return f"<{type(self).__name__} {self.name!r}{description}>"
