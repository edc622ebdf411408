"""The policy of a bot of this package as probabilities, exact where possible."""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.answers import AskedBot, Question, ask_strictly
from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import call_bot
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.scripted.compiled import is_compiled
from ono99_env.messages.errors import BotError
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

    Raises:
        BotError: If the bot fails, or gives what is not legal or no probabilities.
    """
    guest = AskedBot(bot, 0, views.rules, seed=int(rng.integers(2**63)))
    question = Question(guest, views.rules, views.states)
    if isinstance(bot, TellsProbabilities):
        return _told(bot, question)
    if isinstance(bot, OnnxBot) and bot.sample:
        return _softmax(bot, views)
    if is_compiled(bot) and bot.name == "random":
        mask = views.action_mask.astype(np.float64)
        return np.asarray(mask / mask.sum(axis=1, keepdims=True))
    times = 1 if is_compiled(bot) or isinstance(bot, OnnxBot) else asked
    counts = np.zeros((len(views), NUM_ACTIONS))
    for _ in range(times):
        counts[np.arange(len(views)), ask_strictly(question)] += 1
    return counts / times


def _told(bot: TellsProbabilities, question: Question) -> NDArray[np.float64]:
    """Return the probabilities that a bot gives, checked."""
    views, name = question.views(), question.name
    told = call_bot(
        lambda: np.asarray(bot.probabilities(views)).view(),
        lambda error: f"bot {name!r} raised {error} - in probabilities, in {question.place()}",
    )
    if told.shape == question.legal.shape and told.dtype.kind == "f":
        chances = told.astype(np.float64)
        is_wrong = ~(np.where(question.legal, chances >= 0, chances == 0).all(axis=1))
        is_wrong |= ~np.isclose(chances.sum(axis=1), 1)
        if not is_wrong.any():
            return chances
        place = question.place(int(np.argmax(is_wrong)))
    else:
        place = question.place()
    raise BotError(
        f"bot {name!r} must tell a probability for each of {NUM_ACTIONS} actions, 0 for those that "
        f"are not legal and 1 together; in {place} it does not"
    )


def _softmax(bot: OnnxBot, views: Views) -> NDArray[np.float64]:
    logits, _ = bot.evaluate(views.observation_of(bot.metadata.features), views.action_mask)
    scores = np.where(views.action_mask, logits.astype(np.float64), -np.inf)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
