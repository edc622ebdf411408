"""Plays under random rules for a long time, and checks every position and every step.

``python -m tests.reliability.soak --decisions 1e9`` is the long form; the suite runs a short one.
Every number of a series draws its own rules, deals and actions from the seed, so that one of them
can be repeated alone. `tests.compare` plays against the plain reference instead.
"""

import argparse
import random
import sys
from collections.abc import Iterator

import numpy as np

from ono99_env import Views
from ono99_env.engine import batch
from ono99_env.engine.possible import describe_flaws
from ono99_env.engine.records import STATE, rules_array
from tests.random_rules import random_rules
from tests.reliability.invariants import BROKEN, SOUND, choose_actions, find_broken
from tests.reliability.session import Session

GAMES, STEPS = 512, 400
BETWEEN_LOOKS = 80
"""Steps from one look at the views and at the checks of the package itself to the next."""


class BrokenError(AssertionError):
    """A position or a step is not as it must be."""


class Series:
    """Many games under one draw of rules.

    Args:
        seed: Seed of the soak.
        number: Which draw of rules.

    Attributes:
        decisions: How many were made.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.name = f"{seed}-{number}"
        self.rules = random_rules(random.Random(self.name))
        self.array = rules_array(self.rules)
        self.rng = np.random.default_rng([seed, number])
        self.games = np.zeros(GAMES, STATE)
        self.before = self.games.copy()
        self.actions = np.full(GAMES, -1)
        self.decisions = self.finished = 0
        self.deal(np.arange(GAMES))

    def play(self, steps: int = STEPS) -> None:
        """Make steps of all games.

        Raises:
            BrokenError: Something is not as it must be.
        """
        for step in range(steps):
            self.check(step)
            words = self.rng.integers(2**64, size=GAMES, dtype=np.uint64)
            choose_actions(self.games, words, self.actions)
            self.before[:] = self.games
            going = np.flatnonzero(self.actions >= 0)
            moving = self.games[going]
            batch.step_games(moving, self.array, self.actions[going])
            self.games[going] = moving
            self.decisions += len(going)
            if len(going) < GAMES:
                self.finish(np.flatnonzero(self.actions < 0))

    def check(self, step: int) -> None:
        """Check all positions, and what the last actions changed."""
        index, broken = find_broken(self.before, self.games, self.actions, self.array)
        if broken != SOUND:
            self.fail(index, BROKEN[broken])
        if step % BETWEEN_LOOKS == 0:
            flaw = describe_flaws(self.games, self.array)
            if flaw is not None:
                self.fail(flaw.record, f"the package calls it impossible: {flaw.condition}")
            self.look()

    def look(self) -> None:
        """Check what the seats see, of the first games."""
        for seat in range(self.rules.num_players):
            views = Views.of(self.rules, self.games[:8], np.full(8, seat))
            if not np.abs(views.observation).max() <= 1:
                self.fail(0, f"the observation of seat {seat} is beyond -1 to 1")
            to_act = self.games["current_player"][:8] == seat
            if (views.action_mask.any(axis=1) != to_act).any():
                self.fail(0, f"the mask of seat {seat} is not empty just when others are to act")

    def finish(self, over: np.ndarray) -> None:
        """Check the returns of games that are over, and deal them anew."""
        players, returns = self.rules.num_players, np.zeros((len(over), 8))
        batch.fill_returns(self.games[over], returns)
        won = (self.games["in_match"][over, None] >> np.arange(players)) & 1 == 1
        is_right = np.abs(returns.sum(axis=1)) < 1e-9
        is_right &= ((returns[:, :players] >= 0) == won).all(axis=1)
        is_right &= (returns[:, players:] == 0).all(axis=1)
        if not is_right.all():
            self.fail(over[is_right.argmin()], "the returns do not sum to 0, or winners pay")
        self.finished += len(over)
        self.deal(over)

    def deal(self, places: np.ndarray) -> None:
        """Deal new games; some rules have games that are over at once."""
        dealt, seeds = np.zeros(len(places), STATE), self.rng.integers(2**63, size=len(places))
        counts = np.full(len(places), self.rules.num_players)
        batch.deal_games(dealt, self.array, counts, seeds.astype(np.uint64))
        self.games[places], self.before[places], self.actions[places] = dealt, dealt, -1

    def fail(self, index: int, reason: str) -> None:
        """Raise an error that shows the game."""
        raise BrokenError(
            f"series {self.name}, game {index}: {reason}\n  action: {self.actions[index]}\n"
            f"  before: {self.before[index]}\n  after:  {self.games[index]}\n"
            f"  rules:  {self.rules.model_dump_json()}"
        )


def soak(seed: int, decisions: float, first: int = 0, steps: int = STEPS) -> Iterator[Series]:
    """Play one series after the other, until there were enough decisions.

    Args:
        seed: Seed of the soak.
        decisions: The least number of decisions.
        first: The number of the first series.
        steps: Steps of a series.

    Yields:
        Each series after it was played.

    Raises:
        BrokenError: Something is not as it must be.
    """
    number = first
    while decisions > 0:
        series = Series(seed, number)
        series.play(steps)
        decisions -= max(series.decisions, 1)
        number += 1
        yield series


def main(words: list[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=float, default=1e9, help="decisions to make")
    parser.add_argument("--seed", type=int, default=1, help="seed of the soak")
    parser.add_argument("--first", type=int, default=0, help="number of the first series")
    options = parser.parse_args(words)
    played = finished = rules = 0
    with Session("Decisions", options.decisions) as session:
        try:
            for series in soak(options.seed, options.decisions, options.first):
                session.advance(series.decisions)
                played += series.decisions
                finished += series.finished
                rules += 1
        except BrokenError as error:
            number = options.first + rules
            session.find(
                str(error),
                "python -m tests.reliability.soak --decisions 1 "
                f"--seed {options.seed} --first {number}",
            )
    print(f"{played:,} decisions of {finished:,} games under {rules:,} rules")
    return session.exit_code


if __name__ == "__main__":
    sys.exit(main())
