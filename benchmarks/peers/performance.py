"""PettingZoo's own ``performance_benchmark``, by processor time."""

import contextlib
import io
import re
import sys
import time
from types import SimpleNamespace
from typing import Any
from unittest import mock

from pettingzoo.test import performance_benchmark

from benchmarks.peers.going import Go

_MODULE = sys.modules[performance_benchmark.__module__]
_PROCESSOR_CLOCK = SimpleNamespace(time=time.process_time)


def performance_go(env: Any) -> Go:
    """Step an env for its five seconds, and read the turns per second that it prints."""

    def play() -> int:
        printed = io.StringIO()
        start = time.process_time()
        with (
            mock.patch.object(_MODULE, "time", _PROCESSOR_CLOCK),
            contextlib.redirect_stdout(printed),
        ):
            performance_benchmark(env)
        passed = time.process_time() - start
        (turns_a_second,) = re.findall(r"([\d.]+) turns per second", printed.getvalue())
        return round(float(turns_a_second) * passed)

    return play
