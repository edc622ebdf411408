"""Processes of this machine that play jobs; if one dies, the bot it was asking is named."""

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import Lock
from typing import Any, Protocol

from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.play.jobs import Outcome
from ono99_env.arena.play.umpire import Umpire
from ono99_env.bots.answers import Question
from ono99_env.bots.foreign import error_in_words
from ono99_env.jit.notice import NOTICE
from ono99_env.messages.errors import BotError, WorkerError

_JOBS_WAITING = 2
"""Jobs that a process is given, with the one it plays, so that it never waits for the next."""

_SECONDS_BETWEEN_LOOKS = 1.0
"""How often to check that the processes live: one that leaves a child process behind may end
without closing its connection."""

_SECONDS_TO_END = 2.0
"""How long a process may take to end when it is told to."""

_NOBODY = -1


class JobRunner(Protocol):
    """Plays jobs, such as a tournament or a benchmark; an outcome depends on its job alone."""

    umpire: Umpire
    """Asks the bots."""

    def play_job(self, job: Job) -> Outcome:
        """Play one job in this process."""

    def names(self, job: Job) -> dict[int, str]:
        """Return the bots of a job by their index at its tables."""


class Workers:
    """Processes that play jobs; use it as a context manager.

    Args:
        runner: Tells the names of the bots of a job.
        maker: A pickled function without arguments that makes the runner of each process.
        processes: How many processes.
    """

    def __init__(self, runner: JobRunner, maker: bytes, processes: int) -> None:
        self._runner = runner
        context = multiprocessing.get_context("spawn")
        self._speaker = context.Lock()  # kept until all processes have opened it
        if not NOTICE.is_due:
            self._speaker.acquire()
        self._workers = [_Worker(context, maker, self._speaker) for _ in range(processes)]

    def __enter__(self) -> "Workers":
        """Return the workers."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes; the outcomes of their present jobs are lost."""
        for worker in self._workers:
            worker.tell_to_end()
        for worker in self._workers:
            worker.end()

    def play(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Yield the outcomes of jobs, in any order.

        Raises:
            BotError: If a bot fails.
            WorkerError: If a process ends by itself.
        """
        jobs_left = iter(jobs)
        while True:
            for worker in self._workers:
                for job in islice(jobs_left, _JOBS_WAITING - len(worker.jobs)):
                    worker.give(job)
            busy = [worker for worker in self._workers if worker.jobs]
            if not busy:
                return
            signs = [sign for each in busy for sign in (each.connection, each.process.sentinel)]
            wait(signs, _SECONDS_BETWEEN_LOOKS)
            failures: list[Exception] = []
            for worker in busy:
                is_alive = worker.process.is_alive()
                while isinstance(answer := worker.take_answer(), Outcome):
                    yield answer
                if answer is not None:
                    failures.append(answer)
                elif worker.jobs and not is_alive:
                    failures.append(self._death_of(worker))
            if failures:
                raise failures[0]

    def _death_of(self, worker: "_Worker") -> WorkerError:
        """Return the error for a process that has ended by itself, with its cause if known."""
        names = self._runner.names(worker.jobs[0])
        index, seat, num_players = worker.asked
        if index in names:
            place = (
                f"while bot {names[index]!r} was choosing in seat {seat} of a table of "
                f"{num_players} players"
            )
        else:
            place = f"at the tables of {names_in_words(names)}"
        return WorkerError(
            f"a process that played ended by itself ({_cause(worker.process.exitcode)}), {place}"
        )


class _Worker:
    """The handle of a process that plays one job after the other."""

    def __init__(self, context: SpawnContext, maker: bytes, speaker: Lock) -> None:
        self.connection, other_end = context.Pipe()
        self._asked = context.RawArray("i", [_NOBODY, 0, 0])
        self.process = context.Process(
            target=_work, args=(other_end, maker, speaker, self._asked), name="ono99 worker"
        )
        self.jobs: deque[Job] = deque()
        """The jobs that it has; it plays the first one."""
        self.process.start()
        other_end.close()

    @property
    def asked(self) -> tuple[int, int, int]:
        """Return who is being asked: index of the bot or -1, seat, and number of players."""
        index, seat, num_players = self._asked
        return index, seat, num_players

    def give(self, job: Job) -> None:
        """Send another job to the process."""
        self.jobs.append(job)
        with suppress(OSError):  # it has ended; `play` notices that
            self.connection.send(job)

    def take_answer(self) -> Outcome | Exception | None:
        """Return the outcome or the error of its first job; None if there is none yet."""
        try:
            if not self.connection.poll():
                return None
            answer: Outcome | Exception = self.connection.recv()
        except (EOFError, OSError):  # it is about to end
            return None
        if isinstance(answer, Outcome):
            self.jobs.popleft()
        return answer

    def tell_to_end(self) -> None:
        """Tell the process to end, at once if it plays: the outcome is not needed any more."""
        self.connection.close()
        if self.jobs:
            self.process.terminate()

    def end(self) -> None:
        """Wait until the process has ended, and end it by force if it takes too long."""
        for force in (self.process.terminate, self.process.kill):
            self.process.join(_SECONDS_TO_END)
            if self.process.is_alive():
                force()
        self.process.join()
        self.process.close()


def names_in_words(names: dict[int, str]) -> str:
    """Return the names of the bots of a job as part of a sentence."""
    return ", ".join(f"{name!r}" for name in names.values())


def portable(error: BaseException) -> Exception:
    """Return an error that can be sent to another process and raised there."""
    sent: Exception
    if isinstance(error, BotError):
        sent = BotError(str(error))
    else:
        sent = WorkerError(f"a process that played failed: {error_in_words(error)}")
    sent.add_note("".join(traceback.format_exception(error)))
    return sent


def make_runner(maker: bytes) -> JobRunner:
    """Make the runner of this process.

    Raises:
        BotError: If a bot cannot be opened here.
    """
    try:
        make = pickle.loads(maker)
    except BaseException as error:  # a bot of a user may raise anything
        raise BotError(
            "processes: the bots cannot be opened in another process, where their pickled copies "
            f"raise {error_in_words(error)}"
        ) from error
    runner: JobRunner = make()
    return runner


def _work(connection: Connection, maker: bytes, speaker: Lock, asked: Any) -> None:
    """Play the jobs that come over the connection, until it is closed."""
    prepare_process(speaker)
    runner: JobRunner | None = None
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        answer: Outcome | Exception
        try:
            if runner is None:
                runner = make_runner(maker)
                runner.umpire.note = _SharedNote(asked)
            answer = runner.play_job(job)
        except BaseException as error:
            answer = portable(error)
        with suppress(OSError):  # nobody waits for the answer any more
            connection.send(answer)


class _SharedNote:
    """Writes who is being asked into shared memory, which outlives this process."""

    def __init__(self, asked: Any) -> None:
        self._asked = asked

    def __call__(self, question: Question | None) -> None:
        if question is None:
            self._asked[0] = _NOBODY
        else:
            game = question.games[0]
            seat, num_players = int(game["current_player"]), int(game["num_players"])
            self._asked[:] = [question.asked.index, seat, num_players]


def prepare_process(speaker: Lock) -> None:
    """Prepare a process that plays.

    Args:
        speaker: Taken by the one process that may print the notice that it compiles.
    """
    NOTICE.is_due = speaker.acquire(block=False)
    # Ctrl-C reaches every process of the terminal. The main process ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()


def _end_with_parent() -> None:
    """End this process, even during a job, when the process that started it has ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _cause(exit_code: int | None) -> str:
    """Describe an exit code."""
    if exit_code is None or exit_code >= 0:
        return f"exit code {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    return f"killed by {name}{', as a system out of memory does' if name == 'SIGKILL' else ''}"
