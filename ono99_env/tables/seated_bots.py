"""The bots that hold seats at `Tables`: which are compiled, and which are asked from Python."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.answers import AskedBot
from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import check_bot
from ono99_env.bots.scripted.compiled import CompiledBot, is_compiled
from ono99_env.rules.rules import Rules
from ono99_env.tables.table_loop import BOTS, MOST_BOTS, NOT_COMPILED


class SeatedBots:
    """Bots by their indices as holders. Those that are not compiled are asked from Python.

    Args:
        bots: The bots.
        rules: The rules of all tables.
        seed: Start of the random numbers of the bots that are asked.

    Raises:
        ValueError: If a bot does not fit the rules, or there are too many.
        BotError: If a bot has no name, or fails when asked whether it can play the rules.
    """

    def __init__(self, bots: Sequence[Bot], rules: Rules, seed: int) -> None:
        if len(bots) > MOST_BOTS:
            raise ValueError(f"bots: at most {MOST_BOTS} can hold seats, not {len(bots)}")
        for bot in bots:
            check_bot(bot, rules)
        self.kinds: NDArray[np.void] = np.zeros(1, BOTS)
        """Which bots are compiled, as compiled functions take them."""
        self.kinds["kinds"][0, : len(bots)] = [_compiled_number(bot) for bot in bots]
        self.asked: dict[int, AskedBot] = {
            index: AskedBot(bot, index, rules, seed)
            for index, bot in enumerate(bots)
            if not is_compiled(bot)
        }
        """The bots that are asked from Python, by their indices."""

    def seed(self, seed: int) -> None:
        """Seed the generators of the bots that are asked."""
        for asked in self.asked.values():
            asked.seed(seed)

    def generator_states(self) -> list[dict[str, Any]]:
        """Return the state of the generator of each bot that is asked, in order."""
        return [dict(asked.rng.bit_generator.state) for asked in self.asked.values()]

    def set_generators(self, generators: Sequence[np.random.Generator]) -> None:
        """Set the generator of each bot that is asked, in order."""
        for asked, rng in zip(self.asked.values(), generators, strict=True):
            asked.rng = rng


def _compiled_number(bot: Bot) -> int:
    """Return the number of a bot in compiled code, or `NOT_COMPILED`."""
    return bot.number if isinstance(bot, CompiledBot) and is_compiled(bot) else NOT_COMPILED
