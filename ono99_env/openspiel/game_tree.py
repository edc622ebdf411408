"""The whole tree of a small game: exact values and exploitability of any policy.

OpenSpiel's C++ code gets the tree as an extensive-form game, so that its algorithms need not call
Python at every history.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import check_bot
from ono99_env.engine.records import STATE
from ono99_env.observation.views import Views
from ono99_env.openspiel.open_table import BoundedRules
from ono99_env.openspiel.policies import ASKED, action_probabilities
from ono99_env.openspiel.walk import CHANCE, Decision, Walk
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.rules.rules import Rules

MOST_HISTORIES = 5_000_000
"""The most histories that are walked: this takes minutes, and gigabytes."""

Policy: TypeAlias = NDArray[np.float64]
"""What all seats do: a row for each information set of the tree, the probability of each of the 17
actions in its columns."""


class GameTree:
    """All histories of a game.

    Args:
        rules: The rules of a small game, such as ``configs/rules/mini_2022.yaml``.
        most_histories: The most histories to walk.

    Raises:
        ValueError: If the game has more histories.
    """

    def __init__(self, rules: Rules, most_histories: int = MOST_HISTORIES) -> None:
        self.rules: Rules = BoundedRules.of(rules).rules
        """The rules, bounded in length."""
        self._walk = Walk(self.rules, most_histories)
        self.decisions: list[Decision] = self._walk.decisions
        """The information sets of all seats."""

    @property
    def num_histories(self) -> int:
        """How many histories there are: where a player or chance decides, and finished ones."""
        return len(self._walk.steps)

    @cached_property
    def game(self) -> Any:
        """The tree as a `pyspiel.Game` in C++."""
        return pyspiel.load_efg_game(self._walk.efg)

    @cached_property
    def views(self) -> Views:
        """What a bot sees in each information set."""
        seats = np.array([decision.seat for decision in self.decisions], np.int64)
        return Views.of(self.rules, np.array(self._walk.records, STATE), seats)

    def policy(self, bots: Bot | Sequence[Bot], seed: int = 0, asked: int = ASKED) -> Policy:
        """Return what bots do in every information set.

        Args:
            bots: One bot for all seats, or one for each.
            seed: Randomness of bots that do not tell their probabilities.
            asked: How often such a bot is asked in every information set.

        Raises:
            ValueError: If a bot does not fit the rules, or their number the seats.
        """
        by_seat = [bots] * self.rules.num_players if isinstance(bots, Bot) else list(bots)
        if len(by_seat) != self.rules.num_players:
            raise ValueError(
                f"bots: {len(by_seat)} were given for {self.rules.num_players} seats; give one bot "
                "for all seats, or one for each"
            )
        policy = np.zeros((len(self.decisions), NUM_ACTIONS))
        for seat, bot in enumerate(by_seat):
            check_bot(bot, self.rules)
            rows = np.flatnonzero(self.views.seats == seat)
            views = self.views.take(rows)
            policy[rows] = action_probabilities(bot, views, np.random.default_rng(seed), asked)
        return policy

    def to_spiel(self, policy: Policy) -> Any:
        """Return a policy as a `pyspiel.TabularPolicy` of `game`."""
        table = {}
        for decision, row in zip(self.decisions, policy.tolist(), strict=True):
            chosen = [row[action] for action in decision.legal_actions]
            table[decision.spiel_name] = list(zip(decision.spiel_actions, chosen, strict=True))
        return pyspiel.TabularPolicy(table)

    def from_spiel(self, policy: Any) -> Policy:
        """Return a `pyspiel` policy of `game`, for example a solver's, as a `Policy`."""
        rows = np.zeros((len(self.decisions), NUM_ACTIONS))
        for row, decision in zip(rows, self.decisions, strict=True):
            chosen = policy.action_probabilities(decision.spiel_name)
            for action, number in zip(decision.legal_actions, decision.spiel_actions, strict=True):
                row[action] = chosen.get(number, 0.0)
        return rows

    def values(self, policy: Policy) -> list[float]:
        """Return the exact mean return of each seat when all follow the policy."""
        start = self.game.new_initial_state()
        values: list[float] = pyspiel.expected_returns(start, self.to_spiel(policy), -1, True)
        return values

    def nash_conv(self, policy: Policy) -> float:
        """Return the sum over the seats of what a best response to the others' policy gains."""
        return float(pyspiel.nash_conv(self.game, self.to_spiel(policy)))

    def exploitability(self, policy: Policy) -> float:
        """Return what a best response gains on average over the seats; 0 in an equilibrium."""
        return self.nash_conv(policy) / self.rules.num_players

    def reach(self, policy: Policy) -> NDArray[np.float64]:
        """Return how likely each information set is reached under the policy, shape (sets,)."""
        met = np.zeros(len(self.decisions))
        likely: list[float] = []
        for place, step in zip(self._walk.places, self._walk.steps, strict=True):
            chosen = 1.0 if step.decision == CHANCE else policy[step.decision, step.action]
            before = likely[step.parent] if likely else 1.0
            likely.append(before * step.chance * float(chosen))
            if place != CHANCE:
                met[place] += likely[-1]
        return met
