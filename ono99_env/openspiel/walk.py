"""Walk all histories of a small game once and write them in Gambit's format.

Cards that are dealt in a row are one step here, and deals that differ in their order alone are one
history, so the tree is several times smaller than the one that OpenSpiel's own exporter
(`open_spiel.python.algorithms.gambit`) finds, and the same game. The format:
http://www.gambit-project.org/gambit16/formats.html.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

from ono99_env.openspiel.information import information_string
from ono99_env.openspiel.open_table import BoundedRules, OpenTable
from ono99_env.rules.rules import Rules

Results: TypeAlias = dict[tuple[str, ...], tuple[OpenTable, float]]
"""Positions, each with how likely it is, by the information states of all seats."""

CHANCE = -1
"""In place of an information set: chance decides, or the game is over."""


@dataclass(frozen=True)
class Decision:
    """An information set: all histories that one seat cannot tell apart when it is to act."""

    seat: int
    information: str
    """The information state in words."""
    legal_actions: tuple[int, ...]
    spiel_name: str
    """The information-state string of the extensive-form game in OpenSpiel."""
    spiel_actions: tuple[int, ...]
    """The numbers that the extensive-form game gives to the legal actions, in the same order."""


@dataclass(frozen=True)
class Step:
    """How a history follows from a shorter one."""

    parent: int
    """The shorter history; -1 for the beginning."""
    decision: int
    """The information set in which the step was decided, or `CHANCE`."""
    action: int
    chance: float
    """How likely chance takes the step; 1 for a player's."""


class Walk:
    """All histories of a game, depth first.

    Args:
        rules: The rules of a small game.
        most_histories: The most histories to walk; deals that differ in order alone count.

    Raises:
        ValueError: If there are more histories.
    """

    def __init__(self, rules: Rules, most_histories: int) -> None:
        self.steps: list[Step] = []
        """The last step of every history; the first history is the empty one."""
        self.places: list[int] = []
        """The information set that each history is in, or `CHANCE`."""
        self.decisions: list[Decision] = []
        """The information sets, in the order in which they are met."""
        self.records: list[Any] = []
        """The engine's record of one history of each information set."""
        self._numbers: dict[str, int] = {}
        self._in_spiel: dict[int, int] = {}
        self._seats = [0] * rules.num_players
        self._visited, self._most = 0, most_histories
        players = " ".join(f'"seat {seat}"' for seat in range(rules.num_players))
        self._lines = [f'EFG 2 R "ONO 99" {{ {players} }}']
        self._walk(OpenTable(BoundedRules.of(rules)), Step(-1, CHANCE, -1, 1.0))

    @property
    def efg(self) -> str:
        """The tree in Gambit's format."""
        return "\n".join(self._lines) + "\n"

    def _walk(self, table: OpenTable, step: Step) -> None:
        history = len(self.steps)
        self._count_one_more()
        self.steps.append(step)
        self.places.append(CHANCE)
        if table.is_over:
            returns = " ".join(map(repr, table.returns()))
            self._lines.append(f't "" {history + 1} "" {{ {returns} }}')
        elif table.is_chance:
            self._walk_chance(table, history)
        else:
            self._walk_decision(table, history)

    def _walk_chance(self, table: OpenTable, history: int) -> None:
        results = list(self._results_of_chance(table).values())
        named = " ".join(f'"{number}" {chance!r}' for number, (_, chance) in enumerate(results))
        self._lines.append(f'c "" {history + 1} "" {{ {named} }} 0')
        for after, chance in results:
            self._walk(after, Step(history, CHANCE, CHANCE, chance))

    def _results_of_chance(self, table: OpenTable) -> Results:
        """Return the positions after all the chance that is due, by what the seats know of them."""
        self._count_one_more()
        if not table.is_chance:
            seats = range(table.setup.rules.num_players)
            return {tuple(information_string(table.events, seat) for seat in seats): (table, 1.0)}
        merged: Results = {}
        for outcome, chance in table.chance_outcomes():
            for known, (after, further) in self._results_of_chance(_after(table, outcome)).items():
                position, before = merged.get(known, (after, 0.0))
                merged[known] = (position, before + chance * further)
        return merged

    def _count_one_more(self) -> None:
        self._visited += 1
        if self._visited > self._most:
            raise ValueError(
                f"the game has more than {self._most:,} histories; use a smaller deck or hand, a "
                "lower highest_total or max_plays"
            )

    def _walk_decision(self, table: OpenTable, history: int) -> None:
        number = self._number_of(table)
        self.places[history] = number
        decision = self.decisions[number]
        named = " ".join(f'"{action}"' for action in decision.legal_actions)
        infoset = decision.spiel_name.split("-")[2]
        self._lines.append(f'p "" {decision.seat + 1} {infoset} "" {{ {named} }} 0')
        for action in decision.legal_actions:
            self._walk(_after(table, action), Step(history, number, action, 1.0))

    def _number_of(self, table: OpenTable) -> int:
        """Return the information set of a position, a new one if it was not met before."""
        seat = table.player
        information = information_string(table.events, seat)
        if information not in self._numbers:
            self._numbers[information] = len(self.decisions)
            self._seats[seat] += 1
            legal = tuple(table.legal_actions())
            # OpenSpiel numbers actions as it meets their names, and sorts the numbers of a node.
            numbers = [self._in_spiel.setdefault(each, len(self._in_spiel)) for each in legal]
            self.decisions.append(
                Decision(
                    seat,
                    information,
                    legal,
                    f"{seat}-{seat}-{self._seats[seat]}-",
                    tuple(sorted(numbers)),
                )
            )
            self.records.append(table.games[0].copy())
        return self._numbers[information]


def _after(table: OpenTable, outcome: int) -> OpenTable:
    table = deepcopy(table)
    table.apply(outcome)
    return table
