"""Tries that run in child processes with limits: a crash, a hang or a hunger for memory shows."""

import contextlib
import multiprocessing
import os
import resource
import tempfile
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import NamedTuple

MEMORY = 6 * 2**30
"""Bytes of address space of a child; it maps about 3 GiB before it begins."""

SECONDS_OF_TRY = 30
"""How long one try may take."""

SECONDS_OF_START = 240
"""How long a child may take to import and to compile."""

Try = Callable[[int], str]
"""Takes a number and returns what became of it in a word; anything that it raises is a finding."""

Maker = Callable[[Path], Try]
"""Makes what is tried, in the child, which may write into the folder."""


class Outcome(NamedTuple):
    """What became of one try."""

    number: int
    word: str
    """A word of the try; ``failed`` if it raised; ``lost`` if it ended or blocked the child."""
    detail: str
    """The traceback, or how the child ended."""


def run_tries(attempt: Try, numbers: range) -> Iterator[Outcome]:
    """Try in this process."""
    for number in numbers:
        try:
            yield Outcome(number, attempt(number), "")
        except Exception:
            yield Outcome(number, "failed", traceback.format_exc())


def _child(make: Maker, numbers: range, results: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.chdir(folder)
        attempt = make(Path(folder))
        results.send(None)  # ready
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            for outcome in run_tries(attempt, numbers):
                results.send(outcome)  # at once, and not by a thread: the next one may be the last


def run_in_children(make: Maker, numbers: range) -> Iterator[Outcome]:
    """Try one number after the other, in a new child after each that a child does not survive."""
    context = multiprocessing.get_context("spawn")
    start = numbers.start
    while start < numbers.stop:
        results, other_end = context.Pipe(duplex=False)
        rest = range(start, numbers.stop)
        child = context.Process(target=_child, args=(make, rest, other_end))
        child.start()
        other_end.close()
        for outcome in _collect(results, child, rest):
            start = outcome.number + 1
            yield outcome
        child.kill()
        child.join()
        results.close()


def _collect(results: Connection, child: SpawnProcess, numbers: range) -> Iterator[Outcome]:
    """Take outcomes until the child is done or lost."""
    expected = [-1, *numbers]
    for number in expected:
        how = None
        if not results.poll(SECONDS_OF_START if number < 0 else SECONDS_OF_TRY):
            how = "hangs"
        else:
            try:
                outcome = results.recv()
            except EOFError:
                child.join()
                how = f"ended with exit code {child.exitcode}"
        if how is not None:
            yield Outcome(max(number, numbers.start), "lost", f"the child {how}")
            return
        if number >= 0:
            yield outcome


def is_finding(outcome: Outcome) -> bool:
    """Return whether an outcome is none that may be."""
    return outcome.word in ("failed", "lost")
