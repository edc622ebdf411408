"""`tabular`: a policy of a small game as a table of what a seat sees, in a JSON file.

A solver finds a policy for information states, which remember everything; a bot of this package
sees a view. Where several information states share a view, the table has the mean of what the
policy does there, each weighted by how likely it is met.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.policies.rules_fit import differences_in_words
from ono99_env.files.atomic import write_atomically
from ono99_env.jit.types import State
from ono99_env.observation.views import Views
from ono99_env.openspiel.game_tree import GameTree, Policy
from ono99_env.openspiel.observations import view_string
from ono99_env.openspiel.open_table import BoundedRules
from ono99_env.rules.rules import Rules

_UNLIKELY = 1e-12
"""Added to how likely an information state is met, for the mean over those that never are."""


class TabularBot(Bot):
    """A bot that looks up what it does. In a view that is not in its table it plays at random.

    By name: ``ono99_env.openspiel.tabular:load_tabular:path=FILE``.

    Args:
        rules: The rules of the game that the table is for.
        table: Probabilities of the 17 actions by `view_key`.
        name: What reports and messages call the bot.
    """

    _fitting: Rules | None = None
    """The rules last played by: to compare all their fields in every call would cost time."""

    description = "a solved small game, looked up in a table"

    def __init__(
        self, rules: Rules, table: Mapping[str, list[float]], name: str = "tabular"
    ) -> None:
        self.rules: Rules = BoundedRules.of(rules).rules
        self.table: dict[str, list[float]] = dict(table)
        self.name: str = name

    @classmethod
    def of(cls, tree: GameTree, policy: Policy, name: str = "tabular") -> Self:
        """Return the bot that plays a policy of a game tree, as nearly as a bot can."""
        weights = tree.reach(policy) + _UNLIKELY
        sums: dict[str, NDArray[np.float64]] = {}
        seats = tree.views.seats.tolist()
        for view, seat, row in zip(
            tree.views.states, seats, weights[:, None] * policy, strict=True
        ):
            key = view_key(view, seat)
            sums[key] = sums.get(key, 0.0) + row
        table = {key: (row / row.sum()).round(6).tolist() for key, row in sums.items()}
        return cls(tree.rules, table, name)

    def save(self, path: str | Path) -> None:
        """Write the bot into a JSON file; an older file stays until the new one is complete."""
        fields = {"rules": self.rules.model_dump(mode="json"), "table": self.table}
        write_atomically(Path(path), json.dumps(fields).encode())

    def check_rules(self, rules: Rules) -> None:
        """See `Bot.check_rules`: the rules must be those of the table."""
        asked = BoundedRules.of(rules).rules
        names = Rules.model_fields
        fields = [name for name in names if getattr(asked, name) != getattr(self.rules, name)]
        if fields:
            different = "; ".join(differences_in_words(fields, self.rules, asked))
            raise ValueError(
                f"bot {self.name!r} cannot play this game: it is a table for one small game. What "
                f"differs: {different}. Play it by its own rules (its attribute rules)."
            )

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return how likely each action is, shape (views, 17)."""
        mask = views.action_mask / views.action_mask.sum(axis=1, keepdims=True)
        keys = [
            view_key(view, seat)
            for view, seat in zip(views.states, views.seats.tolist(), strict=True)
        ]
        chosen = np.array([self.table.get(key, row) for key, row in zip(keys, mask, strict=True)])
        return np.asarray(chosen / chosen.sum(axis=1, keepdims=True))

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """See `Bot.act`.

        Raises:
            ValueError: If the rules are not those of the table; see `check_rules`.
        """
        if views.rules is not self._fitting:
            self.check_rules(views.rules)
            self._fitting = views.rules
        chosen = np.where(views.action_mask, self.probabilities(views), 0.0).cumsum(axis=1)
        drawn = rng.random((len(views), 1)) * chosen[:, -1:]
        return np.asarray((chosen <= drawn).sum(axis=1), np.int64)


def load_tabular(path: str) -> TabularBot:
    """Read a bot that `TabularBot.save` wrote.

    Args:
        path: The JSON file.

    Raises:
        FileNotFoundError: If there is no such file.
        ValueError: If it holds no such bot.
    """
    try:
        fields = json.loads(Path(path).read_text(encoding="utf-8"))
        return TabularBot(Rules.model_validate(fields["rules"]), fields["table"], path)
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"{path} holds no bot that TabularBot.save wrote: {error}") from error


def view_key(view: State, seat: int) -> str:
    """Return a short name for what a seat sees: a digest of `view_string`."""
    return hashlib.blake2b(view_string(view, seat).encode(), digest_size=10).hexdigest()
