"""Plays random games with the engine and the reference side by side.

Run ``python -m tests.compare --decisions 5000000 --seed 1`` from a checkout to play as many
decisions as there is time for. A game is reproducible from the seed and its number alone.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter

from ono99_env import Action, Card, Game, Rules
from tests.random_rules import random_rules
from tests.reference import ReferenceGame

LONGEST_GAME = 400
TOLERANCE = 1e-9


class MismatchError(AssertionError):
    """The engine and the reference differ; the message says where and how to get there."""


class Match:
    """One random game played by both.

    Args:
        name: Seed and number of the game; rules, deal and decisions follow from it.

    Attributes:
        moves: What was played so far, with what chance gave.
        seen: How often each action and each ending was seen.
    """

    def __init__(self, name: str) -> None:
        """Draw the rules and deal the game."""
        self.name = name
        self.moves: list[str] = []
        self.seen: Counter = Counter()
        self.rng = random.Random(name)
        self.rules: Rules = random_rules(self.rng)
        self.seed = self.rng.getrandbits(32)
        self.game = Game(self.rules, seed=self.seed)
        self.snapshot = self.game.snapshot()
        try:
            self.reference = ReferenceGame(
                self.snapshot["rules"], self.game.initial_dealer, labels(self.game.initial_draws)
            )
        except AssertionError as error:
            raise self.mismatch(f"deal: {error}") from error

    def play(self) -> int:
        """Play to the end or for ``LONGEST_GAME`` decisions.

        Returns:
            The number of decisions.

        Raises:
            MismatchError: The engine and the reference differ.
        """
        policy = self.rng.choice([self.any_action, self.any_action, self.highest_action])
        self.check()
        while not self.game.is_over and len(self.moves) < LONGEST_GAME:
            self.decide(policy())
            if self.rng.random() < 0.02:
                self.game = Game.from_snapshot(json.loads(json.dumps(self.game.snapshot())))
            self.check()
        self.count_ending()
        return len(self.moves)

    def any_action(self) -> Action:
        """Choose uniformly."""
        return self.rng.choice(self.legal)

    def highest_action(self) -> Action:
        """Choose the highest number, which soon leads to the limit."""
        return max(self.legal, key=lambda action: (action <= Action.N10, action))

    def decide(self, action: Action) -> None:
        """Play an action in both games, with the chance of the engine or a card of our choice."""
        missed, draws = self.choose_chance()
        record = self.game.play(action, missed_draw=missed, draws=draws)
        drawn = labels(record.drawn)
        self.moves.append(f"{record.seat}:{action.label} missed={record.missed_draw} {drawn}")
        if missed is not None and record.missed_draw != missed:
            raise self.mismatch("the engine ignores missed_draw")
        if drawn[: len(draws)] != draws:
            raise self.mismatch(f"the engine ignores the draws {draws}")
        try:
            self.reference.play(action.label, record.missed_draw, drawn)
        except AssertionError as error:
            raise self.mismatch(f"play: {error}") from error

    def choose_chance(self) -> tuple[bool | None, list[str]]:
        """Leave chance to the engine most of the time, else miss a draw or name the card drawn."""
        luck = self.rng.random()
        if luck < 0.9:
            return None, []
        if luck < 0.92:
            return True, []
        pile = self.snapshot["draw_pile"]
        return False, [self.rng.choice(sorted(pile))] if pile else []

    def check(self) -> None:
        """Compare the whole positions and the legal actions."""
        snapshot = self.snapshot = self.game.snapshot()
        state = self.reference.state
        # The reference does not keep whose draw was last and what the last card passed on.
        history = {**snapshot["history"], **state["history"]}
        chance = {"rng": snapshot.get("rng"), "returns": snapshot.get("returns")}
        agreed = {**state, **chance, "history": history}
        if snapshot != agreed or not close(snapshot["returns"], state["returns"]):
            raise self.mismatch(f"keys {differing(snapshot, state)}")
        self.legal = self.game.legal_actions()
        legal = [action.label for action in self.legal]
        if legal != self.reference.legal_actions():
            raise self.mismatch(f"legal {legal} for {self.reference.legal_actions()}")
        if self.moves:
            self.seen.update(self.last_action())

    def last_action(self) -> list[str]:
        """The last action by its name in the history, empty after the end of a round."""
        last = self.moves[-1].split(" ")[0].split(":")
        return self.reference.state["history"]["recent_plays"][int(last[0])][:1]

    def count_ending(self) -> None:
        """Note how the game ended."""
        state = self.reference.state
        self.seen[state["rules"]["format"]] += 1
        self.seen["truncated"] += state["history"]["truncated"]
        self.seen["reshuffled"] += state["history"]["reshuffles"] > 0
        self.seen["several rounds"] += state["round"] > 1
        self.seen["shared win"] += len(state["winners"]) > 1
        self.seen["no decision"] += not self.moves

    def mismatch(self, reason: str) -> MismatchError:
        """Describe a difference with all that is needed to reproduce it."""
        lines = [
            f"game {self.name}: {reason}",
            f"rules: {self.rules.model_dump_json()}",
            f"seed: {self.seed}",
            f"engine:    {json.dumps(self.snapshot)}",
        ]
        if hasattr(self, "reference"):
            lines.append(f"reference: {json.dumps(self.reference.state)}")
        return MismatchError("\n".join([*lines, "moves:", *self.moves]))


def close(ours: list[float], theirs: list[float]) -> bool:
    """Whether returns agree; they may differ by rounding."""
    return len(ours) == len(theirs) and all(
        abs(one - other) < TOLERANCE for one, other in zip(ours, theirs, strict=True)
    )


def differing(snapshot: dict, state: dict) -> list[str]:
    """Names of the parts of two positions that are not the same."""
    names = (set(snapshot) | set(state)) - {"rng"}
    return sorted(name for name in names if snapshot.get(name) != state.get(name))


def labels(cards: tuple[Card, ...]) -> list[str]:
    """Names of cards."""
    return [card.label for card in cards]


def compare(seed: int, decisions: int, seen: Counter | None = None, progress: bool = False) -> int:
    """Play games until a number of decisions is reached.

    Args:
        seed: Seed of the series of games.
        decisions: Smallest number of decisions to play.
        seen: Counts what was seen, if given.
        progress: Whether to keep a progress line on stderr.

    Returns:
        The number of decisions played.

    Raises:
        MismatchError: The engine and the reference differ.
    """
    played = games = 0
    start = shown = time.monotonic()
    while played < decisions:
        match = Match(f"{seed}-{games}")
        played += match.play()
        games += 1
        if seen is not None:
            seen.update(match.seen)
        if progress and time.monotonic() - shown > 1:
            shown = time.monotonic()
            rate = played / (shown - start)
            print(f"\r{games} games, {played} decisions, {rate:.0f}/s", end="", file=sys.stderr)
    return played


def main() -> int:
    """Run the comparison from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--decisions", type=int, default=1_000_000, help="decisions to play")
    parser.add_argument("--seed", type=int, default=1, help="seed of the series of games")
    arguments = parser.parse_args()
    seen: Counter = Counter()
    try:
        played = compare(arguments.seed, arguments.decisions, seen, progress=True)
    except MismatchError as error:
        print(f"\n{error}")
        return 1
    print(f"\n{played} decisions agree")
    print(", ".join(f"{name}: {count}" for name, count in sorted(seen.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
