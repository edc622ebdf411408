"""What is to be played: rounds of a line_ups, cut into jobs.

A job is some rounds. It is played in one go and what it gives depends on nothing else, so jobs may
be played in any order and process.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ono99_env.arena.plan.line_ups import LineUps

BLOCK_GAMES = 4096
"""Games that are played side by side, at most."""

LEAST_JOBS = 16
"""A player count is cut at least so small that it can be shared out and continued."""


@dataclass(frozen=True)
class Job:
    """Some rounds of one schedule."""

    number: int
    schedule: int
    """Index of the schedule in the tournament."""
    first_round: int
    num_rounds: int


@dataclass(frozen=True)
class Schedule:
    """Rounds of one line_ups; in each every game has the same deal, and every bot every seat."""

    line_ups: LineUps
    rounds: int
    """How many rounds are played."""

    @classmethod
    def of(cls, line_ups: LineUps, games: int) -> "Schedule":
        """Plan rounds for at least so many games."""
        return cls(line_ups, -(-games // line_ups.num_players))

    @property
    def num_players(self) -> int:
        """Games in a round, and seats at the table."""
        return self.line_ups.num_players

    @property
    def games(self) -> int:
        """Games in all."""
        return self.rounds * self.num_players

    def cut(self, index: int, first_number: int, block_games: int = BLOCK_GAMES) -> Iterator[Job]:
        """Cut the schedule into jobs.

        Args:
            index: Index of the schedule in the tournament.
            first_number: Number of the first job.
            block_games: Games of a job, at most (a round at least).
        """
        length = max(1, block_games // self.num_players)
        for number, start in enumerate(range(0, self.rounds, length), first_number):
            yield Job(number, index, start, min(length, self.rounds - start))
