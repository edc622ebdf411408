"""Record every decision of a bot in games against copies of itself."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import check_bot, checked_name
from ono99_env.observation.views import Views, legal_actions
from ono99_env.rules.cards import MAX_PLAYERS, Action
from ono99_env.rules.rules import Rules
from ono99_env.tables.tables import Tables

GAMES_AT_ONCE = 1024

ACTION_GROUPS: dict[str, tuple[Action, ...]] = {
    "0 to 3": (Action.N0, Action.N1, Action.N2, Action.N3),
    "4 to 6": (Action.N4, Action.N5, Action.N6),
    "7 to 9": (Action.N7, Action.N8, Action.N9),
    "10": (Action.N10,),
    "Reverse": (Action.REVERSE,),
    "Play Two": (Action.PLAY_TWO,),
    "Minus Ten": (Action.MINUS_TEN,),
    "Hold": (Action.HOLD,),
    "ONO 99": (Action.ONO99,),
    "discard four ONO 99": (Action.DISCARD_FOUR_ONO99,),
}
"""Groups of actions, whose shares are drawn; see `Decisions`."""

_GROUP_OF = np.array(
    [next(i for i, each in enumerate(ACTION_GROUPS.values()) if a in each) for a in Action]
)

Watch = Callable[[int], None]
"""Called after every block with the number of games in it."""


@dataclass(frozen=True)
class Decisions:
    """All decisions of a bot in some games."""

    rules: Rules
    games: int
    totals: NDArray[np.int64]
    """The running total, shape (decisions,)."""
    owes_two: NDArray[np.bool_]
    """Whether the first of two owed cards was due, shape (decisions,)."""
    legal: NDArray[np.bool_]
    """Whether each group, in the order of `ACTION_GROUPS`, had a legal action; shape
    (decisions, groups)."""
    chosen: NDArray[np.int64]
    """The group of the action chosen, shape (decisions,)."""

    @property
    def is_choice(self) -> NDArray[np.bool_]:
        """Return whether the bot had a choice: several groups were legal; shape (decisions,)."""
        return np.asarray(self.legal.sum(axis=1) > 1)

    def shares(
        self, owes_two: bool, window: int, least: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return how often each group was chosen at each running total, where there was a choice.

        Args:
            owes_two: Whether to look at the first of two owed cards, or at all other plays.
            window: Totals up to this far away are counted together.
            least: With fewer choices than this, the shares are NaN.

        Returns:
            The totals in increasing order, shape (totals,), and the shares, (totals, groups).
        """
        looked_at = self.is_choice & (self.owes_two == owes_two)
        if not looked_at.any():
            return np.zeros(0, np.int64), np.zeros((0, len(ACTION_GROUPS)))
        totals, chosen = self.totals[looked_at], self.chosen[looked_at]
        first = int(totals.min())
        counts = np.zeros((int(totals.max()) - first + 1, len(ACTION_GROUPS)))
        np.add.at(counts, (totals - first, chosen), 1)
        sums = np.cumsum(np.pad(counts, ((window + 1, window), (0, 0))), axis=0)
        near = sums[2 * window + 1 :] - sums[: -2 * window - 1]
        sizes = near.sum(axis=1, keepdims=True)
        shares = np.where(sizes >= least, near / np.maximum(sizes, 1), np.nan)
        return first + np.arange(len(counts)), shares


def record_decisions(
    bot: Bot, rules: Rules, games: int, seed: int, watch: Watch | None = None
) -> Decisions:
    """Let a bot play against copies of itself, and record its decisions.

    Args:
        bot: The bot.
        rules: The rules, with the number of players.
        games: How many games.
        seed: Seed of all randomness, not negative; the same seed gives the same decisions.
        watch: Called after every block of games.

    Raises:
        ValueError: If the bot cannot play the rules.
        BotError: If the bot fails.
    """
    recorder = _Recorder(bot)
    rng = np.random.default_rng([seed, rules.num_players])
    tables = Tables(rules, [recorder], min(games, GAMES_AT_ONCE))
    holders = np.zeros((len(tables), MAX_PLAYERS), np.int8)
    for start in range(0, games, GAMES_AT_ONCE):
        count = min(GAMES_AT_ONCE, games - start)
        tables.seed(int(rng.integers(2**63)))
        seeds = rng.integers(2**64, size=count, dtype=np.uint64)
        seats = np.full(count, rules.num_players)
        tables.deal(np.arange(count), seats, seeds, holders[:count])
        if watch is not None:
            watch(count)
    return recorder.decisions(rules, games)


class _Recorder(Bot):
    """A bot that plays as another one does, and records its decisions."""

    def __init__(self, bot: Bot) -> None:
        self.name = checked_name(bot)
        self._bot = bot
        self._records: list[tuple[NDArray[np.generic], ...]] = []

    def check_rules(self, rules: Rules) -> None:
        check_bot(self._bot, rules)

    def act(self, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        states = views.states.copy()
        actions = np.array(self._bot.act(views, rng))
        record = states["total"], states["plays_owed"], legal_actions(states), actions
        self._records.append(record)
        return actions

    def decisions(self, rules: Rules, games: int) -> Decisions:
        """Return all that was recorded."""
        totals, owed, masks, actions = map(np.concatenate, zip(*self._records, strict=True))
        legal = np.zeros((len(actions), len(ACTION_GROUPS)), np.bool_)
        rows, actions_there = np.nonzero(masks)
        legal[rows, _GROUP_OF[actions_there]] = True
        return Decisions(
            rules, games, totals.astype(np.int64), owed == 2, legal, _GROUP_OF[actions]
        )
