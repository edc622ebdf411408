"""`ask_coach`: what a bot would play in a seat's place, and its chances."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ono99_env.bots.answers import AskedBot, Question, ask_strictly
from ono99_env.bots.base import Bot
from ono99_env.bots.search.win_chances import estimate_win_chances
from ono99_env.observation.views import Views
from ono99_env.play.offered_bots import bot_title
from ono99_env.rules.cards import Action
from ono99_env.rules.rules import Rules

_ASKED = 32
"""How often a bot without a network is asked, to see how often it plays what."""

_SEED = 99
"""The coach says the same again about the same table."""


@dataclass(frozen=True)
class Advice:
    """What a bot would play, as it or playouts see it."""

    bot: str
    """The name of the bot."""
    action: Action
    """What it would play."""
    probabilities: dict[Action, float]
    """How probably it plays each legal action."""
    chances: dict[Action, float]
    """The chance to win after each legal action, by playouts."""
    win_chance: float
    """The bot's own estimate of its chance to win, or that of the playouts."""
    is_own_estimate: bool
    """Whether ``win_chance`` is the bot's own: the value that its file computes."""

    def as_data(self) -> dict[str, Any]:
        """Return the advice as JSON-serialisable data, the likeliest action first."""
        order = sorted(self.probabilities, key=lambda each: -self.probabilities[each])
        return {
            "bot": bot_title(self.bot),
            "action": self.action.label,
            "win_chance": self.win_chance,
            "is_own_estimate": self.is_own_estimate,
            "options": [
                {
                    "action": each.label,
                    "probability": self.probabilities[each],
                    "win_chance": self.chances[each],
                }
                for each in order
            ],
        }


def ask_coach(bot: Bot, name: str, rules: Rules, views: Views) -> Advice:
    """Ask a bot what it would play; it gets what the seat may know, and nothing else.

    Args:
        bot: The bot.
        name: What to call it.
        rules: The rules of the table.
        views: One view; its seat is to act.

    Raises:
        BotError: If the bot fails.
    """
    question = Question(AskedBot(bot, 0, rules, _SEED), rules, views.states.copy())
    action = Action(int(ask_strictly(question)[0]))
    chances = estimate_win_chances(views, np.random.default_rng(_SEED)).means
    evaluation = _evaluation(bot, views)
    if evaluation is not None:
        probabilities, win_chance = evaluation
        return Advice(name, action, probabilities, chances, win_chance, is_own_estimate=True)
    games = np.repeat(views.states, _ASKED)
    answers = ask_strictly(Question(AskedBot(bot, 0, rules, _SEED), rules, games))
    probabilities = {each: float((answers == each).mean()) for each in chances}
    expected = sum(probabilities[each] * chances[each] for each in chances)
    return Advice(name, action, probabilities, chances, expected, is_own_estimate=False)


def _evaluation(bot: Bot, views: Views) -> tuple[dict[Action, float], float] | None:
    """Return the probabilities and the chance to win that a bot file computes, if it is one."""
    from ono99_env.bots.policies.onnx_bot import OnnxBot  # onnxruntime is slow to import

    if not isinstance(bot, OnnxBot):
        return None
    logits, values = bot.evaluate(views.observation, views.action_mask)
    legal = np.flatnonzero(views.action_mask[0])
    weights = np.exp(logits[0, legal].astype(np.float64) - logits[0, legal].max())
    shares = weights / weights.sum()
    lost = -1 / (int(views.states[0]["num_players"]) - 1)
    chance = float(np.clip((values[0] - lost) / (1 - lost), 0, 1))
    return {Action(int(a)): float(p) for a, p in zip(legal, shares, strict=True)}, chance
