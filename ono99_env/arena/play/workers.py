"""Processes of this machine that play jobs: one that dies is named with the bot it was asking."""

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
"""Jobs that a process is given, the one it plays included, so that it need not wait."""

_SECONDS_BETWEEN_LOOKS = 1.0
"""How often it is looked whether the processes live: one that has left a child of its own behind
may end without a sign."""

_SECONDS_TO_END = 2.0
"""How long a process may take to end when it is told to."""

_NOBODY = -1


class Player(Protocol):
    """Something that plays jobs; what a job gives depends on nothing else."""

    umpire: Umpire
    """Asks the bots."""

    def play_job(self, job: Job) -> Outcome:
        """Play one job in this process."""

    def names(self, job: Job) -> dict[int, str]:
        """Return the bots of a job by their index at its tables."""


class Workers:
    """Processes that play jobs; use it as a context manager.

    Args:
        player: What plays the jobs, for the names of its bots.
        maker: What makes the player of each process, pickled: a callable and its arguments.
        processes: How many processes.
    """

    def __init__(self, player: Player, maker: bytes, processes: int) -> None:
        self._player = player
        context = multiprocessing.get_context("spawn")
        self._speaker = context.Lock()  # kept, or it would be gone before all have opened it
        if not NOTICE.is_due:
            self._speaker.acquire()
        self._workers = [_Worker(context, maker, self._speaker) for _ in range(processes)]

    def __enter__(self) -> "Workers":
        """Return the workers."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes; what they play is lost."""
        for worker in self._workers:
            worker.tell_to_end()
        for worker in self._workers:
            worker.end()

    def play(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """Yield what the jobs give, in any order.

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
        """The error for a process that has ended by itself, with what is known of the cause."""
        names = self._player.names(worker.jobs[0])
        index, seat, num_players = worker.asked
        if index in names:
            playing = (
                f"while bot {names[index]!r} was choosing in seat {seat} of a table of "
                f"{num_players} players"
            )
        else:
            playing = f"at the tables of {in_words(names)}"
        return WorkerError(
            f"a process that played ended by itself ({_cause(worker.process.exitcode)}), {playing}"
        )


class _Worker:
    """A process that plays one job after the other, as this process sees it."""

    def __init__(self, context: SpawnContext, maker: bytes, speaker: Lock) -> None:
        self.connection, other_end = context.Pipe()
        self._asked = context.RawArray("i", [_NOBODY, 0, 0])
        self.process = context.Process(
            target=_work, args=(other_end, maker, speaker, self._asked), name="ono99 worker"
        )
        self.jobs: deque[Job] = deque()
        """The jobs that it was given; it plays the first."""
        self.process.start()
        other_end.close()

    @property
    def asked(self) -> tuple[int, int, int]:
        """Who is being asked: index of the bot or -1, seat, and number of players."""
        index, seat, num_players = self._asked
        return index, seat, num_players

    def give(self, job: Job) -> None:
        """Give it another job."""
        self.jobs.append(job)
        with suppress(OSError):  # it has ended, which is noticed when its answer is awaited
            self.connection.send(job)

    def take_answer(self) -> Outcome | Exception | None:
        """Return what has come of its first job, or None if nothing has yet."""
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
        """Let it end: at once if it plays, since nobody wants to know what comes of that."""
        self.connection.close()
        if self.jobs:
            self.process.terminate()

    def end(self) -> None:
        """Wait until it has ended."""
        for force in (self.process.terminate, self.process.kill):
            self.process.join(_SECONDS_TO_END)
            if self.process.is_alive():
                force()
        self.process.join()
        self.process.close()


def in_words(names: dict[int, str]) -> str:
    """Return the bots of a job as they stand in a sentence."""
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


def make_player(maker: bytes) -> Player:
    """Make what plays the jobs of this process.

    Raises:
        BotError: If a bot cannot be opened here.
    """
    try:
        make, arguments = pickle.loads(maker)
    except BaseException as error:  # whatever a bot of a user's own raises
        raise BotError(
            "processes: the bots cannot be opened in another process, where their pickled copies "
            f"raise {error_in_words(error)}"
        ) from error
    player: Player = make(*arguments)
    return player


def _work(connection: Connection, maker: bytes, speaker: Lock, asked: Any) -> None:
    """Play what comes over the connection, until it is closed."""
    prepare_process(speaker)
    player: Player | None = None
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            return
        answer: Outcome | Exception
        try:
            if player is None:
                player = make_player(maker)
                player.umpire.note = _Noting(asked)
            answer = player.play_job(job)
        except BaseException as error:
            answer = portable(error)
        with suppress(OSError):  # nobody is waiting for it any more
            connection.send(answer)


class _Noting:
    """Writes who is being asked into memory that the other process sees, whatever happens here."""

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
        speaker: Taken by the one process that may say that it compiles.
    """
    NOTICE.is_due = speaker.acquire(block=False)
    # Ctrl-C reaches every process of the terminal; the one that collects outcomes ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, were it killed, even amid a job."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _cause(exit_code: int | None) -> str:
    """What an exit code says."""
    if exit_code is None or exit_code >= 0:
        return f"exit code {exit_code}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    return f"killed by {name}{', as a system out of memory does' if name == 'SIGKILL' else ''}"
