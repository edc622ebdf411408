"""Play a tournament, in one process or several, and continue it after an interruption."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from functools import partial

import numpy as np

from ono99_env.arena.plan.line_ups import LineUps, mixed_line_ups, one_vs_rest_line_ups
from ono99_env.arena.plan.schedule import LEAST_JOBS, MOST_JOB_GAMES, Job, Schedule
from ono99_env.arena.plan.tournament_setup import TournamentSetup
from ono99_env.arena.play.jobs import Outcome, play_job
from ono99_env.arena.play.processes import share_out
from ono99_env.arena.play.tally import Tally
from ono99_env.arena.play.umpire import Umpire
from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import check_bot
from ono99_env.tables.tables import Tables

SECONDS_BETWEEN_SAVES = 5.0

Watch = Callable[[Tally], None]
"""Called with what has been played so far."""


class Tournament:
    """A tournament: a setup with its bots and its jobs.

    Args:
        setup: What to play.
        bots: The bots of the setup, in its order.

    Raises:
        ValueError: If a bot cannot play the rules, or the games are too few.
    """

    def __init__(self, setup: TournamentSetup, bots: Sequence[Bot]) -> None:
        self.setup = setup
        self.bots: list[Bot] = list(bots)
        for count in setup.players:
            for bot in bots:
                check_bot(bot, setup.rules_at(count))
        self.jobs: list[Job] = []
        schedules: list[Schedule] = []
        for count in setup.players:
            played = [Schedule.of(each, setup.games) for each in self._line_ups_at(count)]
            games = sum(each.games for each in played)
            for schedule in played:
                job_games = min(MOST_JOB_GAMES, -(-games // LEAST_JOBS))
                self.jobs += schedule.cut(len(schedules), len(self.jobs), job_games)
                schedules.append(schedule)
        self.schedules: tuple[Schedule, ...] = tuple(schedules)
        """One for each player count; in one-vs-rest, one for each player count and opponent."""
        self._tables: dict[int, Tables] = {}
        self.umpire: Umpire = Umpire(setup.forfeit, setup.time_limit)
        """Asks the bots, and decides what becomes of a game whose bot fails."""

    @property
    def games(self) -> int:
        """Return the number of games in all."""
        return sum(schedule.games for schedule in self.schedules)

    def new_tally(self) -> Tally:
        """Return an empty tally."""
        return Tally(self.schedules, len(self.jobs))

    def play(
        self,
        tally: Tally,
        processes: int = 1,
        watch: Watch | None = None,
        keep: Watch | None = None,
        executor: Executor | None = None,
    ) -> None:
        """Play the jobs that the tally lacks. The final tally depends on the setup alone.

        Args:
            tally: What has been played; it is added to.
            processes: How many processes play. With more than one, bots must be picklable and the
                program importable (``if __name__ == "__main__":``).
            watch: Called after every job.
            keep: Called every few seconds, at the end and when interrupted, to save the tally.
            executor: Plays the jobs in its processes; None starts processes here.

        Raises:
            BotError: If a bot fails and the setup does not let it forfeit the game.
            WorkerError: If a process ends by itself; what was played before is in the tally.
        """
        missing = [job for job in self.jobs if not tally.is_done[job.number]]
        # All schedules advance together, so that the standings on the way are comparable.
        missing.sort(key=lambda job: job.first_round / self.schedules[job.schedule].rounds)
        outcomes: Iterator[Outcome]
        if processes == 1 and executor is None:
            outcomes = map(self.play_job, missing)
        else:
            outcomes = share_out(
                self, missing, processes, executor, partial(Tournament, self.setup, self.bots)
            )
        saved = time.monotonic()
        try:
            for outcome in outcomes:
                tally.add(outcome)
                if watch is not None:
                    watch(tally)
                if keep is not None and time.monotonic() - saved > SECONDS_BETWEEN_SAVES:
                    keep(tally)
                    saved = time.monotonic()
        finally:
            if keep is not None and tally.is_whole:
                keep(tally)

    def play_job(self, job: Job) -> Outcome:
        """Play one job in this process."""
        line_ups = self.schedules[job.schedule].line_ups
        count = line_ups.num_players
        if count not in self._tables:
            most = count * max(
                each.num_rounds
                for each in self.jobs
                if self.schedules[each.schedule].num_players == count
            )
            rules = self.setup.rules_at(count)
            self._tables[count] = Tables(rules, self.bots, most, ask=self.umpire)
        return play_job(self._tables[count], self.umpire, line_ups, job)

    def names(self, job: Job) -> dict[int, str]:
        """Return the bots that may sit at the tables of a job, by their index there."""
        line_ups = self.schedules[job.schedule].line_ups
        indices = (
            range(len(self.setup.bots)) if line_ups.table is None else np.unique(line_ups.table)
        )
        return {int(index): self.setup.bots[index] for index in indices}

    def _line_ups_at(self, num_players: int) -> list[LineUps]:
        setup = self.setup
        if setup.seating == "mixed":
            return [mixed_line_ups(setup.bots, num_players, setup.games, setup.seed)]
        return one_vs_rest_line_ups(setup.bots, num_players, setup.games, setup.seed)
