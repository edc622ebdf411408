"""Tries that run in child processes with limits: a crash, a hang or a hunger for memory shows."""

import contextlib
import multiprocessing
import os
import queue
import resource
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
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


def _child(make: Maker, numbers: range, results: "multiprocessing.Queue[Outcome]") -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nowhere:  # noqa: PTH123
        os.chdir(folder)
        attempt = make(Path(folder))
        results.put(Outcome(-1, "ready", ""))
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            for outcome in run_tries(attempt, numbers):
                results.put(outcome)


def run_in_children(make: Maker, numbers: range) -> Iterator[Outcome]:
    """Try one number after the other, in a new child after each that a child does not survive."""
    context = multiprocessing.get_context("spawn")
    start = numbers.start
    while start < numbers.stop:
        results: multiprocessing.Queue[Outcome] = context.Queue()
        child = context.Process(target=_child, args=(make, range(start, numbers.stop), results))
        child.start()
        for outcome in _collect(results, child, start, numbers.stop):
            start = outcome.number + 1
            yield outcome
        child.kill()
        child.join()


def _collect(results, child, start: int, stop: int) -> Iterator[Outcome]:
    """Take outcomes until the child is done or lost."""
    patience = SECONDS_OF_START
    while start < stop:
        try:
            outcome = results.get(timeout=patience)
        except queue.Empty:
            child.join(0)
            how = "hangs" if child.is_alive() else f"ended with exit code {child.exitcode}"
            yield Outcome(start, "lost", f"the child {how}")
            return
        patience = SECONDS_OF_TRY
        if outcome.number >= 0:
            start = outcome.number + 1
            yield outcome


def is_finding(outcome: Outcome) -> bool:
    """Return whether an outcome is none that may be."""
    return outcome.word in ("failed", "lost")


def count(outcomes: Iterator[Outcome]) -> Counter[str]:
    """Count the words of outcomes."""
    return Counter(outcome.word for outcome in outcomes)
