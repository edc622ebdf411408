"""Hand out jobs to several processes, here or on other machines.

`Workers` are processes of this machine that name the bot they were asking if they die. An executor,
such as `RayExecutor`, brings its own processes.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import lru_cache
from itertools import islice

from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.play.jobs import Outcome
from ono99_env.arena.play.workers import JobRunner, Workers, make_runner, names_in_words, portable
from ono99_env.bots.foreign import error_in_words
from ono99_env.messages.errors import WorkerError

_JOBS_WAITING = 3
"""Jobs handed out for each process of an executor, so that none waits for its next job."""


def share_out(
    runner: JobRunner,
    jobs: Sequence[Job],
    processes: int,
    executor: Executor | None,
    make: Callable[[], JobRunner],
) -> Iterator[Outcome]:
    """Hand jobs out to processes, a few ahead, and yield what comes back, in any order.

    Args:
        runner: Runs jobs in this process; it tells the names of the bots.
        jobs: What to play.
        processes: How many processes play.
        executor: Plays the jobs in its processes; None starts processes here.
        make: Makes the runner of each process; it is pickled.

    Raises:
        BotError: If a bot fails.
        ValueError: If `make` cannot be pickled.
        WorkerError: If a process ends by itself; what was played before has been yielded.
    """
    maker = _pickled(make)
    if executor is not None:
        yield from _hand_out(runner, jobs, processes * _JOBS_WAITING, executor, maker)
        return
    with Workers(runner, maker, processes) as workers:
        yield from workers.play(jobs)


def _hand_out(
    runner: JobRunner, jobs: Sequence[Job], at_once: int, executor: Executor, maker: bytes
) -> Iterator[Outcome]:
    waiting_jobs = iter(jobs)
    running: dict[Future[Outcome | Exception], Job] = {}
    try:
        while True:
            failures = []
            for job in islice(waiting_jobs, at_once - len(running)):
                running[_submit(executor, maker, job)] = job
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                answer = _answer_of(future, runner, running.pop(future))
                if isinstance(answer, Outcome):
                    yield answer
                else:
                    failures.append(answer)
            if failures:
                raise failures[0]
    finally:
        for future in running:
            future.cancel()


def _submit(executor: Executor, maker: bytes, job: Job) -> Future[Outcome | Exception]:
    """Submit a job to an executor, which may refuse it if its processes have ended."""
    try:
        return executor.submit(_play, maker, job)
    except Exception as error:
        future: Future[Outcome | Exception] = Future()
        future.set_exception(error)
        return future


def _answer_of(
    future: Future[Outcome | Exception], runner: JobRunner, job: Job
) -> Outcome | Exception:
    """Return the outcome of a job that an executor was given, or why there is none."""
    try:
        return future.result()
    except Exception as error:  # executors have no common error for a process that has ended
        lost = WorkerError(
            f"a process that played ended by itself, at the tables of "
            f"{names_in_words(runner.names(job))}: {error_in_words(error)}"
        )
        lost.__cause__ = error
        return lost


def _play(maker: bytes, job: Job) -> Outcome | Exception:
    """Play a job in a process of an executor, and return an error instead of raising it."""
    try:
        return _runner(maker).play_job(job)
    except BaseException as error:
        return portable(error)


@lru_cache(maxsize=1)
def _runner(maker: bytes) -> JobRunner:
    """Make the runner of this process once for all jobs of a tournament."""
    return make_runner(maker)


def _pickled(make: Callable[[], JobRunner]) -> bytes:
    """Pickle what makes a runner; it goes only to other processes of this program."""
    try:
        return pickle.dumps(make)
    except Exception as error:  # a bot of a user may raise anything
        raise ValueError(
            "processes: with more than one, bots must be picklable, and these are not: "
            f"{error_in_words(error)}"
        ) from error
