"""Tries mutants of everything that the package reads: each is right, or refused with our own error.

``python -m tests.reliability.fuzz --mutants 100000`` tries so many of each target, in child
processes with limits on memory and time; ``python -m tests.reliability.fuzz bot-files`` tries one
target. The seed and the number of a mutant make it again.
"""

import argparse
import sys
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np

from tests.reliability.children import Try, is_finding, run_in_children
from tests.reliability.fuzz_run_folders import RunFolders
from tests.reliability.fuzz_targets import TARGETS
from tests.reliability.session import Session

ALL = {**TARGETS, "run-folders": RunFolders}
SLOW = {"run-folders": 100}
"""Targets of which so many times fewer mutants are tried: each trains a while."""


def make_try(target: str, seed: int, folder: Path) -> Try:
    """Make what tries the mutants of a target."""
    thing = ALL[target](folder)
    return lambda number: thing(np.random.default_rng([seed, number]))


def fuzz(target: str, seed: int, numbers: range, session: Session) -> Counter[str]:
    """Try mutants of a target in children; returns how many were taken and refused."""
    counts: Counter[str] = Counter()
    for outcome in run_in_children(partial(make_try, target, seed), numbers):
        counts[outcome.word] += 1
        session.advance(1, target)
        if is_finding(outcome):
            session.find(
                f"{target}, mutant {outcome.number}: {outcome.detail}",
                f"python -m tests.reliability.fuzz {target} --seed {seed} "
                f"--first {outcome.number} --mutants 1",
            )
    return counts


def main(words: list[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", choices=[*ALL, []], help="what to try [all]")
    parser.add_argument("--mutants", type=int, default=20_000, help="mutants of each target")
    parser.add_argument("--seed", type=int, default=0, help="seed of the mutants")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant")
    options = parser.parse_args(words)
    sizes = {
        name: -(-options.mutants // SLOW.get(name, 1)) for name in options.targets or list(ALL)
    }
    with Session("Mutants", sum(sizes.values())) as session:
        for name, size in sizes.items():
            numbers = range(options.first, options.first + size)
            print(name, dict(fuzz(name, options.seed, numbers, session)), flush=True)
    return session.exit_code


if __name__ == "__main__":
    sys.exit(main())
