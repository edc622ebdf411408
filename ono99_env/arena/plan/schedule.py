"""Plan what is played: schedules of rounds, cut into jobs.

A job is some rounds that are played side by side. Its outcome depends on nothing else, so jobs can
be played in any order and in any process.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ono99_env.arena.plan.line_ups import LineUps

MOST_JOB_GAMES = 4096
"""Games that are played side by side, at most."""

LEAST_JOBS = 16
"""Jobs of a player count at least, so that it can be spread over processes and continued."""


@dataclass(frozen=True)
class Job:
    """Some rounds of one schedule, played side by side."""

    number: int
    schedule: int
    """Index of the schedule in the tournament."""
    first_round: int
    num_rounds: int


@dataclass(frozen=True)
class Schedule:
    """Rounds with line-ups; all games of a round have the same deal, and its bots every seat."""

    line_ups: LineUps
    rounds: int
    """How many rounds are played."""

    @classmethod
    def of(cls, line_ups: LineUps, games: int) -> "Schedule":
        """Plan as many rounds as are needed for a number of games."""
        return cls(line_ups, -(-games // line_ups.num_players))

    @property
    def num_players(self) -> int:
        """Return the number of games in a round, which is that of seats at the table."""
        return self.line_ups.num_players

    @property
    def games(self) -> int:
        """Return the number of games in all rounds."""
        return self.rounds * self.num_players

    def cut(self, index: int, first_number: int, job_games: int = MOST_JOB_GAMES) -> Iterator[Job]:
        """Cut the schedule into jobs.

        Args:
            index: Index of the schedule in the tournament.
            first_number: Number of the first job.
            job_games: Games of a job, at most (a round at least).
        """
        length = max(1, job_games // self.num_players)
        for number, start in enumerate(range(0, self.rounds, length), first_number):
            yield Job(number, index, start, min(length, self.rounds - start))
