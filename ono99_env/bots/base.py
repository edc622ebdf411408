"""`Bot`, the base class of all bots: a policy from views to actions."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from ono99_env.observation.views import Views
from ono99_env.rules.rules import Rules


class Bot(ABC):
    """A policy for any seat. It gets views, which hold nothing that a seat may not know.

    A bot keeps no memory of a game between calls: one object may hold many seats of many tables,
    and one call mixes them.
    """

    name: str = "bot"
    """The name of the bot in reports and messages."""

    description: str = ""
    """The bot in one line, for lists of bots."""

    @abstractmethod
    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """Choose an action for each view.

        Args:
            views: A batch; every view is of a seat that is to act.
            rng: The only source of randomness that the bot may use.

        Returns:
            A legal action for each view, shape (batch,).
        """

    def check_rules(self, rules: Rules) -> None:  # noqa: B027 - most bots play everything
        """Refuse rules that the bot cannot play. By default it plays all.

        Raises:
            ValueError: If the bot does not fit the rules; the message says what differs.
        """

    def __repr__(self) -> str:
        """Show the class, the name and the description of the bot."""
        description = f": {self.description}" if self.description else ""
        return f"<{type(self).__name__} {self.name!r}{description}>"
