"""Sharing jobs out to several processes, here or on other machines."""

import multiprocessing
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from functools import lru_cache
from itertools import islice
from multiprocessing.synchronize import Lock
from typing import Any, Protocol

from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.play.jobs import Outcome
from ono99_env.jit.notice import NOTICE

_JOBS_WAITING = 3
"""Jobs handed out to each process, so that none has to wait for the next."""


class Player(Protocol):
    """Something that plays jobs; what a job gives depends on nothing else."""

    def play_job(self, job: Job) -> Outcome:
        """Play one job in this process."""


def share_out(
    jobs: Sequence[Job],
    processes: int,
    executor: Executor | None,
    make: Callable[..., Player],
    *arguments: Any,
) -> Iterator[Outcome]:
    """Hand jobs out to processes, a few ahead, and yield what comes back, in any order.

    Args:
        jobs: What to play.
        processes: How many processes play.
        executor: Whose processes they are; None starts them here.
        make: Makes the player of each process; a class or function that can be imported.
        *arguments: What it is called with.

    Raises:
        ValueError: If the arguments cannot be pickled.
    """
    maker = _pickled(make, arguments)
    if executor is not None:
        yield from _hand_out(jobs, processes * _JOBS_WAITING, executor, maker)
        return
    context = multiprocessing.get_context("spawn")
    speaker = context.Lock()
    if not NOTICE.is_due:
        speaker.acquire()
    with ProcessPoolExecutor(processes, context, _start_worker, (speaker,)) as pool:
        try:
            yield from _hand_out(jobs, processes * _JOBS_WAITING, pool, maker)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _hand_out(
    jobs: Sequence[Job], at_once: int, executor: Executor, maker: bytes
) -> Iterator[Outcome]:
    waiting_jobs = iter(jobs)
    running: set[Future[Outcome]] = set()
    try:
        while True:
            more = islice(waiting_jobs, at_once - len(running))
            running |= {executor.submit(_play, maker, job) for job in more}
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for future in running:
            future.cancel()


def _start_worker(speaker: Lock) -> None:
    """Prepare a worker process.

    Args:
        speaker: Taken by the one process that may say that it compiles.
    """
    NOTICE.is_due = speaker.acquire(block=False)
    # Ctrl-C reaches every process of the terminal; the one that collects outcomes ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play(maker: bytes, job: Job) -> Outcome:
    return _player(maker).play_job(job)


@lru_cache(maxsize=1)
def _player(maker: bytes) -> Player:
    """What plays the jobs of this process: one tournament's after the other's."""
    make, arguments = pickle.loads(maker)
    player: Player = make(*arguments)
    return player


def _pickled(make: Callable[..., Player], arguments: tuple[Any, ...]) -> bytes:
    """The making of a player on its way to another process of this program."""
    try:
        return pickle.dumps((make, arguments))
    except Exception as error:  # whatever a bot of a user's own raises
        raise ValueError(
            f"processes: with more than one, bots must be picklable, and these are not: {error}"
        ) from error
