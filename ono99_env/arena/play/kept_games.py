"""Records of games of a tournament, to look at them.

A tournament only counts. The first games of each schedule are played again here, one decision at a
time: the same deals and line-ups, and the same random numbers of compiled bots. What other bots
draw at random depends on which tables they are asked about together, and so may differ.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ono99_env.arena.plan.schedule import Schedule
from ono99_env.arena.play.jobs import DealtGames, arrange_games
from ono99_env.arena.play.umpire import Umpire
from ono99_env.bots.answers import FORFEIT, Question
from ono99_env.bots.base import Bot
from ono99_env.game.game import Game
from ono99_env.jit.types import States
from ono99_env.rules.rules import Rules
from ono99_env.tables.play_by_play import list_decisions
from ono99_env.tables.seated_bots import SeatedBots
from ono99_env.tables.tables import Tables


class KeptGames:
    """Plays games of one schedule again.

    Args:
        rules: The rules, with the player count of the schedule.
        bots: The bots of the tournament.
        names: What they are called.
        umpire: Asks the bots that are not compiled.
    """

    def __init__(
        self, rules: Rules, bots: Sequence[Bot], names: Sequence[str], umpire: Umpire
    ) -> None:
        self._rules, self._bots, self._names, self._umpire = rules, bots, names, umpire
        self._seated = SeatedBots(bots, rules, 0)

    def records(self, schedule: Schedule, count: int) -> Iterator[dict[str, Any]]:
        """Yield the records of the first games of a schedule.

        Args:
            schedule: The schedule.
            count: How many games, at most.
        """
        rounds = min(schedule.rounds, -(-count // schedule.num_players))
        dealt = arrange_games(schedule.line_ups, 0, rounds)
        tables = Tables(self._rules, self._bots, len(dealt.seeds))
        tables.seed(dealt.bots_seed)
        self._seated.seed(dealt.bots_seed)
        for row in range(min(count, len(dealt.seeds))):
            yield self._play(tables, dealt, row)

    def _play(self, tables: Tables, dealt: DealtGames, row: int) -> dict[str, Any]:
        """Play one game, and return its record."""
        game = Game(self._rules, int(dealt.seeds[row]))
        rosters = tables.rosters[row : row + 1].copy()
        rosters["holders"], rosters["learners"] = dealt.holders[row], 0
        kinds = self._seated.kinds["kinds"][0]
        table = game.games.copy()
        for _, action in list_decisions(table, tables.rules_array, rosters, kinds, self._ask):
            if action == FORFEIT:
                game.forfeit()
            else:
                game.play(action)
        seats = range(self._rules.num_players)
        return game.record([self._names[dealt.holders[row, seat]] for seat in seats])

    def _ask(self, games: States, holder: int) -> int:
        asked = self._seated.asked[holder]
        return int(np.asarray(self._umpire(Question(asked, self._rules, games)))[0])
