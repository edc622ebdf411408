"""A command in a forked process, which may be killed, interrupted or refused its writes."""

import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.reliability.commands import Command, Words

OUTPUT = "output.txt"
TRACEBACK = 70
"""Exit code of a command that raised."""

SECONDS = 300.0
"""How long a command may take, on a busy machine."""

Fault = Callable[[], None]
"""Called in the process of the command, before it."""


def start(command: Command, words: Words, fault: Fault | None = None) -> int:
    """Start a command in a fork; returns its process id."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = TRACEBACK
    try:
        os.setpgid(0, 0)
        output = os.open(OUTPUT, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(output, 1), os.dup2(output, 2)
        if fault is not None:
            fault()
        code = command.run(words)
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def wait(pid: int, seconds: float = SECONDS) -> int | None:
    """Wait for a process; returns its exit code, minus a signal, or None if it goes on."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    return None


def end(pid: int) -> None:
    """Kill a process that hangs, with all that it started."""
    os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def finish(command: Command) -> str | None:
    """Go on until the command is done; returns what went wrong, if anything did."""
    for _ in range(4):
        words = command.next_words()
        if words is None:
            return None
        pid = start(command, words)
        code = wait(pid)
        if code is None:
            end(pid)
            return f"{words} hangs"
        if code not in (0, 130):
            return f"{words} ends with {code}: {output()}"
    return f"{command.next_words()}: four tries were not enough"


def output() -> str:
    """Return the end of what the commands said."""
    path = Path(OUTPUT)
    return path.read_text(errors="replace")[-2000:] if path.exists() else ""


class RefusedWrites:
    """Lets writes into the current folder fail from one of them on, as a full disk does.

    Args:
        first: The number of the write that fails first, from 0.
        error: What it fails with.
        counter: Written with the number of all writes, if given.
    """

    def __init__(self, first: int, error: int, counter: Path | None = None) -> None:
        self.left, self.error, self.counter = first, error, counter
        self.seen = 0

    def __call__(self) -> None:
        self.folder = str(Path.cwd())
        sys.addaudithook(self.hear)

    def hear(self, event: str, arguments: tuple) -> None:
        """Refuse an event that writes; Python tells of each before it happens."""
        if event not in ("open", "os.rename", "os.mkdir"):
            return
        path = arguments[0]
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        if isinstance(path, int) or not self.is_inside(os.fspath(path)):
            return
        self.seen += 1
        if self.counter is not None:
            descriptor = os.open(self.counter, os.O_WRONLY | os.O_CREAT)  # outside the folder
            os.write(descriptor, str(self.seen).encode())
            os.close(descriptor)
        if self.seen > self.left >= 0:
            raise OSError(self.error, os.strerror(self.error), os.fspath(path))

    def is_inside(self, path: str | bytes) -> bool:
        """Return whether a path lies in the folder."""
        return self.folder in [str(each) for each in (Path.cwd() / os.fsdecode(path)).parents]


def delay(rng: random.Random, seconds: float) -> None:
    """Sleep for a random part of a time."""
    time.sleep(rng.uniform(0, seconds))
