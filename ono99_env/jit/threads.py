"""Compiled functions on several threads: they release the GIL, and tables share no data."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, TypeVar

from numpy.typing import NDArray

from ono99_env.messages.values import is_whole_number

Result = TypeVar("Result")

LEAST_SHARE = 2048
"""The fewest tables per thread for which waking it pays."""


class Threads:
    """Splits work on tables between threads. Results never depend on how many there are.

    Args:
        num_threads: How many threads to use.

    Raises:
        ValueError: If that is not a whole number from 1.
    """

    def __init__(self, num_threads: int = 1) -> None:
        if not is_whole_number(num_threads) or num_threads < 1:
            raise ValueError(f"num_threads must be a whole number from 1, not {num_threads!r}")
        self.num_threads = num_threads
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def run(self, function: Callable[..., Result], *arrays: NDArray[Any]) -> list[Result]:
        """Call a function on consecutive parts of arrays, one part per thread if they are long.

        Args:
            function: Takes as many arrays; should be compiled, since Python code holds the GIL.
            arrays: Arrays of one length.

        Returns:
            What each call returned, in order.
        """
        if self.num_threads == 1 or len(arrays[0]) < LEAST_SHARE * self.num_threads:
            return [function(*arrays)]
        splits = (self.split(array, self.num_threads) for array in arrays)
        own, *others = zip(*splits, strict=True)
        tasks = [self._executor().submit(function, *part) for part in others]
        try:
            return [function(*own), *(task.result() for task in tasks)]
        finally:
            wait(tasks)  # after Ctrl-C too: nobody may write to the arrays any more

    @staticmethod
    def split(array: NDArray[Any], num_parts: int) -> list[NDArray[Any]]:
        """Return the consecutive parts of an array that `run` hands to that many threads."""
        # NumPy's own `array_split` takes longer than a thread needs for a hundred tables.
        edges = [len(array) * part // num_parts for part in range(num_parts + 1)]
        return [array[start:end] for start, end in pairwise(edges)]

    def _executor(self) -> ThreadPoolExecutor:
        # A forked process has a copy of the pool without its threads.
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(self.num_threads - 1)
            self._process = os.getpid()
        return self._pool

    def __getstate__(self) -> dict[str, Any]:
        """Leave the threads out: a pickled or copied object starts its own."""
        return {**vars(self), "_pool": None}
