"""Does to training, arena and export what machines do, and checks that nothing is lost.

``python -m tests.reliability.faults --trials 50`` kills each command at 50 random moments, refuses
each of its writes as a full and as a read-only disk do, fills a real small disk, interrupts it
twice, starts it twice, and kills a worker. After each fault the command goes on, without a
traceback, and must end with exactly what an undisturbed one ends with.
"""

import argparse
import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.reliability import forks
from tests.reliability.commands import ArenaCommand, Command, ExportCommand, TrainingCommand
from tests.reliability.session import Session
from tests.training.run.test_checkpoint import assert_same

Kind = Callable[[Command, random.Random, float], str | None]
"""Does one fault to a command that takes so many seconds; returns what went wrong at once."""


def kill(command: Command, rng: random.Random, seconds: float) -> str | None:
    """SIGKILL at a random moment."""
    pid = forks.start(command, command.next_words() or [])
    forks.delay(rng, seconds)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    forks.wait(pid)
    return None


def interrupt_twice(command: Command, rng: random.Random, seconds: float) -> str | None:
    """Ctrl-C twice, at random moments."""
    pid = forks.start(command, command.next_words() or [])
    forks.delay(rng, seconds)
    for _ in range(2):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGINT)
        forks.delay(rng, 0.3)
    return _check_exit(pid, (0, 130))


def start_twice(command: Command, rng: random.Random, seconds: float) -> str | None:
    """Two processes at once in one folder: at least one is refused, unless they miss each other."""
    words = command.next_words() or []
    pids = [forks.start(command, words) for _ in range(2)]
    return next(filter(None, [_check_exit(pid, (0, 2)) for pid in pids]), None)


def kill_worker(command: Command, rng: random.Random, seconds: float) -> str | None:
    """SIGKILL for a process that the command has started."""
    pid = forks.start(command, command.next_words() or [])
    forks.delay(rng, seconds)
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True
    )
    for worker in listed.stdout.split()[-1:]:
        with suppress(ProcessLookupError):
            os.kill(int(worker), signal.SIGKILL)
    return _check_exit(pid, (0, 2))


def _check_exit(pid: int, codes: tuple[int, ...]) -> str | None:
    code = forks.wait(pid)
    if code is None:
        forks.end(pid)
        return f"it hangs: {forks.output()}"
    return None if code in codes else f"exit code {code}: {forks.output()}"


class Refusal:
    """Refuses writes from one number on, with an error; see `forks.RefusedWrites`."""

    def __init__(self, first: int, error: int) -> None:
        self.first, self.error = first, error

    def __call__(self, command: Command, rng: random.Random, seconds: float) -> str | None:
        fault = forks.RefusedWrites(self.first, self.error)
        pid = forks.start(command, command.next_words() or [], fault)
        return _check_exit(pid, (0, 2))


class SmallDisk:
    """Fills a real disk of so many KiB, where the superuser may mount one."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __call__(self, command: Command, rng: random.Random, seconds: float) -> str | None:
        pid = forks.start(command, command.next_words() or [])
        return _check_exit(pid, (0, 2))


KINDS: dict[str, Kind] = {
    "SIGKILL": kill,
    "two Ctrl-C": interrupt_twice,
    "two at once": start_twice,
}


@contextmanager
def scratch(command: Command, size: int | None = None) -> Iterator[Path]:
    """Work in an empty folder, on a disk of so many KiB if a size is given."""
    before, folder = Path.cwd(), Path(tempfile.mkdtemp(prefix="faults-"))
    if size is not None:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", str(folder)]
        subprocess.run(mount, check=True, capture_output=True)
    os.chdir(folder)
    try:
        command.prepare()
        yield folder
    finally:
        os.chdir(before)
        if size is not None:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)


def undisturbed(command: Command, keep: Path) -> tuple[object, float, int, int]:
    """Run a command alone; returns its outcome, seconds, writes, and KiB on the disk."""
    with scratch(command) as folder:
        counter = Path(tempfile.mkdtemp(prefix="faults-")) / "writes"
        begin = time.monotonic()
        fault = forks.RefusedWrites(-1, 0, counter)
        pid = forks.start(command, command.next_words() or [], fault)
        code = forks.wait(pid)
        assert code == 0, forks.output()
        seconds = time.monotonic() - begin
        if not keep.exists() and isinstance(command, TrainingCommand):
            shutil.copytree(command.folder, keep)
        used = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
        return command.outcome(), seconds, int(counter.read_text()), used + 64


def attempt(
    command: Command, fault: Kind, rng: random.Random, seconds: float, whole: object
) -> str | None:
    """Do a fault to a command and let it go on; returns what is wrong, if anything is."""
    size = fault.size if isinstance(fault, SmallDisk) else None
    with scratch(command, size) as folder:
        wrong = fault(command, rng, seconds)
        if size is not None:
            room = ["mount", "-o", "remount,size=64m", str(folder)]
            subprocess.run(room, check=True)
        wrong = wrong or forks.finish(command)
        if wrong:
            return wrong
        try:
            assert_same(whole, command.outcome())
        except Exception as error:
            return f"the outcome is another: {type(error).__name__} {str(error)[:500]}"
    return None


def faults_of(
    command: Command, trials: int, writes: int, used: int, rng: random.Random
) -> Iterator[tuple[str, Kind]]:
    """Yield the faults that are done to a command, with their names."""
    for name, kind in KINDS.items():
        is_single = name == "two at once" and not isinstance(command, TrainingCommand)
        count = trials if name == "SIGKILL" else -(-trials // 5)
        for _ in range(0 if is_single else count):
            yield name, kind
    numbers = range(writes) if trials >= writes else sorted(rng.sample(range(writes), trials))
    for number in numbers:
        yield f"no space from write {number} on", Refusal(number, errno.ENOSPC)
    yield "a read-only folder", Refusal(0, errno.EROFS)
    yield "a folder without permission", Refusal(0, errno.EACCES)
    if os.geteuid() == 0 and can_mount():
        for step in range(1, trials + 1, max(1, trials // 10)):
            size = max(4, used * step // (trials + 1))
            yield f"a disk of {size} KiB", SmallDisk(size)
    if isinstance(command, ArenaCommand) and command.processes > 1:
        for _ in range(trials):
            yield "a killed worker", kill_worker


def can_mount() -> bool:
    """Return whether a file system can be mounted here."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", folder]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            return False
        subprocess.run(["umount", folder], check=True)
        return True


NAMES = ("plain", "self-play", "arena", "arena-processes", "export")


def make_command(name: str, run: Path) -> Command:
    """Make a command by its name."""
    if name in ("plain", "self-play"):
        return TrainingCommand(name)
    return ExportCommand(run) if name == "export" else ArenaCommand(2 if "-" in name else 1)


def main(words: list[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commands", nargs="*", choices=[*NAMES, []], help="what to disturb [all]")
    parser.add_argument("--trials", type=int, default=50, help="faults of each kind")
    parser.add_argument("--seed", type=int, default=1, help="seed of the moments")
    options = parser.parse_args(words)
    run = Path(tempfile.mkdtemp(prefix="faults-")) / "run"
    tried = 0
    with Session("Commands", len(options.commands or NAMES)) as session:
        for name in options.commands or NAMES:
            tried += disturb(name, run, options.trials, options.seed, session)
            session.advance(1)
    shutil.rmtree(run.parent)
    print(f"{tried} faults")
    return session.exit_code


def disturb(name: str, run: Path, trials: int, seed: int, session: Session) -> int:
    """Do all faults to a command; returns how many."""
    if name == "export" and not run.exists():
        undisturbed(TrainingCommand("plain"), run)
    command, tried = make_command(name, run), 0
    whole, *_ = undisturbed(command, run)
    again, seconds, writes, used = undisturbed(command, run)  # the first one may have compiled
    assert_same(whole, again)
    print(f"{name}: {seconds:.1f} s, {writes} writes, {used} KiB", flush=True)
    rng = random.Random(f"{seed}-{name}")
    for kind, fault in faults_of(command, trials, writes, used, rng):
        session.advance(0, f"{name}: {kind}")
        wrong = attempt(command, fault, rng, seconds, whole)
        tried += 1
        if wrong:
            repeat = f"python -m tests.reliability.faults {name} --trials {trials} --seed {seed}"
            session.find(f"{name}, {kind}: {wrong}", repeat)
    return tried


if __name__ == "__main__":
    sys.exit(main())
