"""The policy of a bot of this package as probabilities, exact where possible."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.scripted.compiled import CompiledBot
from ono99_env.observation.views import Views
from ono99_env.rules.cards import NUM_ACTIONS

ASKED = 100
"""How often a bot is asked if it does not tell its probabilities."""


@runtime_checkable
class TellsProbabilities(Protocol):
    """A bot that says how likely it takes each action."""

    def probabilities(self, views: Views) -> NDArray[np.float64]:
        """Return how likely each action is, shape (views, 17)."""


def action_probabilities(
    bot: Bot, views: Views, rng: np.random.Generator, asked: int = ASKED
) -> NDArray[np.float64]:
    """Return how likely a bot takes each action.

    Exact for the scripted bots, for bot files and for bots that have the method `probabilities`;
    other bots are asked many times, which is exact if they always answer the same.

    Args:
        bot: The bot.
        views: What it may know; it is to act in each of them.
        rng: Randomness for a bot that is asked.
        asked: How often it is asked.

    Returns:
        Shape (views, 17); rows sum to 1.
    """
    if isinstance(bot, TellsProbabilities):
        return bot.probabilities(views)
    if isinstance(bot, OnnxBot) and bot.sample:
        return _softmax(bot, views)
    if isinstance(bot, CompiledBot) and bot.name == "random":
        mask = views.action_mask.astype(np.float64)
        return np.asarray(mask / mask.sum(axis=1, keepdims=True))
    times = 1 if isinstance(bot, OnnxBot | CompiledBot) else asked
    counts = np.zeros((len(views), NUM_ACTIONS))
    for _ in range(times):
        counts[np.arange(len(views)), bot.act(views, rng)] += 1
    return counts / times


def _softmax(bot: OnnxBot, views: Views) -> NDArray[np.float64]:
    logits, _ = bot.evaluate(views.observation, views.action_mask)
    scores = np.where(views.action_mask, logits.astype(np.float64), -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
