"""Sharing jobs out to several processes."""

import multiprocessing
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing.synchronize import Lock
from typing import Any, Protocol

from ono99_env.arena.playing import Outcome
from ono99_env.arena.schedule import Job
from ono99_env.engine.notice import NOTICE

_JOBS_WAITING = 3
"""Jobs handed out to each process, so that none has to wait for the next."""


class Player(Protocol):
    """Something that plays jobs; what a job gives depends on nothing else."""

    def play_job(self, job: Job) -> Outcome:
        """Play one job in this process."""


def share_out(
    jobs: Sequence[Job], processes: int, make: Callable[..., Player], *arguments: Any
) -> Iterator[Outcome]:
    """Hand jobs out to processes, a few ahead, and yield what comes back, in any order.

    Args:
        jobs: What to play.
        processes: How many processes play.
        make: Makes the player of each process; a class or function that can be imported.
        *arguments: What it is called with.

    Raises:
        ValueError: If the arguments cannot be pickled.
    """
    waiting_jobs = iter(jobs)
    context = multiprocessing.get_context("spawn")
    speaker = context.Lock()
    if not NOTICE.is_due:
        speaker.acquire()
    given = (_pickled(make, arguments), speaker)
    with ProcessPoolExecutor(processes, context, _start_worker, given) as pool:
        running: set[Future[Outcome]] = set()
        try:
            while True:
                more = islice(waiting_jobs, processes * _JOBS_WAITING - len(running))
                running |= {pool.submit(_play_in_worker, job) for job in more}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_worker: Player | None = None
"""What plays the jobs of a worker process."""


def _start_worker(maker: bytes, speaker: Lock) -> None:
    """Make the player of a worker process.

    Args:
        maker: A pickle of what makes it.
        speaker: Taken by the one process that may say that it compiles.
    """
    global _worker
    NOTICE.is_due = speaker.acquire(block=False)
    # Ctrl-C reaches every process of the terminal; the one that collects outcomes ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    make, arguments = pickle.loads(maker)
    _worker = make(*arguments)


def _play_in_worker(job: Job) -> Outcome:
    assert _worker is not None
    return _worker.play_job(job)


def _pickled(make: Callable[..., Player], arguments: tuple[Any, ...]) -> bytes:
    """The making of a player on its way to another process of this program."""
    try:
        return pickle.dumps((make, arguments))
    except Exception as error:  # whatever a bot of a user's own raises
        raise ValueError(
            f"processes: with more than one, bots must be picklable, and these are not: {error}"
        ) from error
