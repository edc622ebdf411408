"""Play an evaluation: a bot in one seat against copies of each opponent in the others."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from hashlib import sha256
from itertools import product

from ono99_env import Bot, Rules
from ono99_env.arena import one_vs_rest
from ono99_env.cli.progress import GamesProgress
from ono99_env.messages.text import printable
from training.measure.measurements import Measurement


@dataclass(frozen=True)
class EvaluationPlan:
    """What an evaluation plays: every opponent at every table."""

    opponents: Sequence[Bot]
    """Who holds the other seats, one after the other."""
    tables: Sequence[Rules]
    """The rules with each player count to play at."""
    games: int
    """Games against each opponent at each table, at least."""
    seed: int
    """Start of all randomness."""
    has_own_deals: bool = False
    """Whether each measurement has deals of its own, so that all are independent. If not, all
    opponents meet the same deals, and the measurements share the luck of these deals."""

    def seed_of(self, rules: Rules, opponent: Bot) -> int:
        """Return the seed of the deals of one measurement."""
        if not self.has_own_deals:
            return self.seed
        text = "\0".join([str(self.seed), rules.format, str(rules.num_players), opponent.name])
        return int.from_bytes(sha256(text.encode()).digest()[:8], "little")


def evaluate(bot: Bot, plan: EvaluationPlan, progress: GamesProgress) -> Iterator[Measurement]:
    """Play an evaluation in this process.

    Args:
        bot: The bot to measure.
        plan: What to play.
        progress: Where to show how far it is.

    Yields:
        One measurement for each table and opponent, when it has been played.
    """
    for rules, opponent in product(plan.tables, plan.opponents):
        title = f"{rules.format}, {rules.num_players} players, against {printable(opponent.name)}"
        outcome = one_vs_rest(
            rules,
            bot,
            opponent,
            rules.num_players,
            plan.games,
            plan.seed_of(rules, opponent),
            progress=progress.begin(plan.games, title),
        )
        yield Measurement(opponent.name, rules.num_players, rules.format, outcome)


def evaluate_in_parallel(
    bot: Bot, plan: EvaluationPlan, executor: Executor
) -> Iterator[Measurement]:
    """Play an evaluation in other processes; the figures are those of `evaluate`.

    Args:
        bot: The bot to measure.
        plan: What to play.
        executor: Plays all measurements side by side.

    Yields:
        One measurement for each table and opponent, in the same order as `evaluate`.
    """
    pairs = list(product(plan.tables, plan.opponents))
    waiting = [
        executor.submit(
            one_vs_rest,
            rules,
            bot,
            opponent,
            rules.num_players,
            plan.games,
            plan.seed_of(rules, opponent),
        )
        for rules, opponent in pairs
    ]
    for (rules, opponent), outcome in zip(pairs, waiting, strict=True):
        yield Measurement(opponent.name, rules.num_players, rules.format, outcome.result())
