"""What is to be played: rounds of all line-ups at each player count, cut into jobs.

In a round every line-up is played once in every arrangement, on deals of its own, so rounds are
independent of each other and alike: intervals are computed over them. A job is some rounds of one
line-up. It is played in one go and what it gives depends on nothing else, so jobs may be played in
any order and process.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ono99_env.arena.plan.line_ups import LEAST_ROUNDS, LineUp, games_of_a_round

BLOCK_GAMES = 4096
"""Games that are played side by side, at most."""

LEAST_JOBS = 16
"""A tournament is cut at least so small that it can be shared out and continued."""

MOST_GROUPS = 1000
"""Rounds are counted in groups of equally many: this many are enough to see how they vary."""

_MOST_COUNTS = 2_000_000
"""With many line-ups there are fewer groups, so that the counts stay small."""


@dataclass(frozen=True)
class Job:
    """Some rounds of one line-up."""

    number: int
    table: int
    """Index of the schedule in the tournament."""
    line_up: int
    """Index into `Schedule.line_ups`."""
    first_round: int
    num_rounds: int


@dataclass(frozen=True)
class Schedule:
    """All that is played at one player count."""

    num_players: int
    line_ups: tuple[LineUp, ...]
    num_groups: int
    rounds_per_group: int

    @classmethod
    def of(cls, num_players: int, line_ups: Sequence[LineUp], games: int) -> "Schedule":
        """Plan rounds for at least so many games."""
        rounds = -(-games // games_of_a_round(line_ups))
        cells = sum(len(each.bots) for each in line_ups)
        most_groups = min(MOST_GROUPS, max(LEAST_ROUNDS, _MOST_COUNTS // cells))
        per_group = -(-rounds // most_groups)
        return cls(num_players, tuple(line_ups), -(-rounds // per_group), per_group)

    @property
    def rounds(self) -> int:
        """Rounds in all."""
        return self.num_groups * self.rounds_per_group

    @cached_property
    def games_of_a_round(self) -> int:
        """Games in a round."""
        return games_of_a_round(self.line_ups)

    @property
    def games(self) -> int:
        """Games in all."""
        return self.rounds * self.games_of_a_round

    @cached_property
    def cell_line_ups(self) -> NDArray[np.int64]:
        """The line-up of each cell. A cell is a bot in a line-up; shape (cells,)."""
        return np.repeat(np.arange(len(self.line_ups)), [len(each.bots) for each in self.line_ups])

    @cached_property
    def cell_bots(self) -> NDArray[np.int64]:
        """The bot of each cell, shape (cells,)."""
        return np.concatenate([each.bots for each in self.line_ups]).astype(np.int64)

    @cached_property
    def cell_copies(self) -> NDArray[np.int64]:
        """Seats that the bot of each cell has in a game, shape (cells,)."""
        return np.concatenate([each.copies for each in self.line_ups])

    @cached_property
    def cell_games(self) -> NDArray[np.int64]:
        """Games of each cell in a round, shape (cells,)."""
        games = np.array([len(each.arrangements) for each in self.line_ups])
        return games[self.cell_line_ups]

    def cells_of(self, line_up: int) -> slice:
        """The cells of a line-up."""
        start, stop = np.searchsorted(self.cell_line_ups, [line_up, line_up + 1])
        return slice(int(start), int(stop))

    def cut(self, table: int, first_number: int) -> list[Job]:
        """Cut the schedule into jobs.

        Args:
            table: Index of the schedule in the tournament.
            first_number: Number of the first job.
        """
        block_games = min(BLOCK_GAMES, -(-self.games // LEAST_JOBS))
        jobs: list[Job] = []
        for index, line_up in enumerate(self.line_ups):
            length = max(1, block_games // len(line_up.arrangements))
            for start in range(0, self.rounds, length):
                count = min(length, self.rounds - start)
                jobs.append(Job(first_number + len(jobs), table, index, start, count))
        return jobs
