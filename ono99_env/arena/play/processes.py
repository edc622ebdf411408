"""Sharing jobs out to several processes, here or on other machines."""

import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import lru_cache
from itertools import islice
from typing import Any

from ono99_env.arena.plan.schedule import Job
from ono99_env.arena.play.jobs import Outcome
from ono99_env.arena.play.workers import Player, Workers, in_words, make_player, portable
from ono99_env.bots.foreign import error_in_words
from ono99_env.messages.errors import WorkerError

_JOBS_WAITING = 3
"""Jobs handed out to each process of an executor, so that none has to wait for the next."""


def share_out(
    player: Player,
    jobs: Sequence[Job],
    processes: int,
    executor: Executor | None,
    make: Callable[..., Player],
    *arguments: Any,
) -> Iterator[Outcome]:
    """Hand jobs out to processes, a few ahead, and yield what comes back, in any order.

    Args:
        player: The player of this process.
        jobs: What to play.
        processes: How many processes play.
        executor: Whose processes they are; None starts them here.
        make: Makes the player of each process; a class or function that can be imported.
        *arguments: What it is called with.

    Raises:
        BotError: If a bot fails.
        ValueError: If the arguments cannot be pickled.
        WorkerError: If a process ends by itself; what was played before has been yielded.
    """
    maker = _pickled(make, arguments)
    if executor is not None:
        yield from _hand_out(player, jobs, processes * _JOBS_WAITING, executor, maker)
        return
    with Workers(player, maker, processes) as workers:
        yield from workers.play(jobs)


def _hand_out(
    player: Player, jobs: Sequence[Job], at_once: int, executor: Executor, maker: bytes
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
                answer = _answer_of(future, player, running.pop(future))
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
    """Give a job to an executor; one whose processes have ended may refuse it."""
    try:
        return executor.submit(_play, maker, job)
    except Exception as error:
        future: Future[Outcome | Exception] = Future()
        future.set_exception(error)
        return future


def _answer_of(
    future: Future[Outcome | Exception], player: Player, job: Job
) -> Outcome | Exception:
    """What has come of a job that an executor was given."""
    try:
        return future.result()
    except Exception as error:  # executors have no common class for a process that has ended
        lost = WorkerError(
            f"a process that played ended by itself, at the tables of "
            f"{in_words(player.names(job))}: {error_in_words(error)}"
        )
        lost.__cause__ = error
        return lost


def _play(maker: bytes, job: Job) -> Outcome | Exception:
    """Play a job in a process of an executor; an error is returned."""
    try:
        return _player(maker).play_job(job)
    except BaseException as error:
        return portable(error)


@lru_cache(maxsize=1)
def _player(maker: bytes) -> Player:
    """What plays the jobs of this process: one tournament's after the other's."""
    return make_player(maker)


def _pickled(make: Callable[..., Player], arguments: tuple[Any, ...]) -> bytes:
    """The making of a player on its way to another process of this program."""
    try:
        return pickle.dumps((make, arguments))
    except Exception as error:  # whatever a bot of a user's own raises
        raise ValueError(
            "processes: with more than one, bots must be picklable, and these are not: "
            f"{error_in_words(error)}"
        ) from error
