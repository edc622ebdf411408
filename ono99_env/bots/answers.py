"""Asking a bot for actions, and saying precisely what is wrong with its answer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.base import Bot
from ono99_env.messages.errors import BotError
from ono99_env.observation.views import Views
from ono99_env.rules.cards import NUM_ACTIONS, Action

FORFEIT = -1
"""In place of an action: the bot has failed, and its seat loses the game."""

Ask = Callable[[Bot, Views, np.random.Generator], NDArray[np.int64]]
"""Asks a bot; answers with a legal action or `FORFEIT` for each view, or raises an error."""


def ask_strictly(bot: Bot, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
    """Ask a bot, and refuse what is not one legal action for each view.

    Args:
        bot: The bot.
        views: What it may know; it is to act in each of them.
        rng: The randomness that it may use.

    Returns:
        A legal action for each view, shape (views,).

    Raises:
        BotError: If the answer is wrong. What the bot itself raises is passed on with a note.
    """
    try:
        answer = bot.act(views, rng)
    except Exception as error:
        error.add_note(
            f"raised by the bot {bot.name!r} in {place(views)}; it was asked for "
            f"{len(views)} actions"
        )
        raise
    actions = as_actions(bot, views, answer)
    wrong = np.flatnonzero(~is_legal(views, actions))
    if len(wrong):
        raise BotError(describe_illegal(bot, views, actions, int(wrong[0])))
    return actions


def as_actions(bot: Bot, views: Views, answer: Any) -> NDArray[np.int64]:
    """The answer of a bot as one integer for each view, legal or not.

    Raises:
        BotError: If it is anything else.
    """
    actions = np.asarray(answer)
    if actions.shape == (len(views),) and np.issubdtype(actions.dtype, np.integer):
        return np.asarray(actions, np.int64)
    is_float = np.issubdtype(actions.dtype, np.floating)
    nan = ", with NaN in it" if is_float and np.isnan(actions).any() else ""
    raise BotError(
        f"bot {bot.name!r} must return {len(views)} integers, one for each view; in {place(views)} "
        f"it returned an array of shape {actions.shape} and type {actions.dtype}{nan}"
    )


def is_legal(views: Views, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each action is legal in its view, shape (views,)."""
    in_range = (actions >= 0) & (actions < NUM_ACTIONS)
    allowed = _action_mask(views)[np.arange(len(views)), np.where(in_range, actions, 0)]
    return np.asarray(in_range & allowed)


def describe_illegal(bot: Bot, views: Views, actions: NDArray[np.int64], row: int) -> str:
    """Say which illegal action a bot chose, where, and what it could have chosen."""
    allowed = np.flatnonzero(_action_mask(views)[row]).tolist()
    state = views.states[row]
    return (
        f"bot {bot.name!r} chose the illegal action {actions[row]} in {place(views, row)}, "
        f"at a total of {state['total']}; legal were: "
        f"{', '.join(f'{action} ({Action(action).label})' for action in allowed)}"
    )


def place(views: Views, row: int = 0) -> str:
    """Where a view is from: the seat and the rules of its table."""
    rules = views.rules
    return (
        f"seat {views.seats[row]} of a table of {views.states['num_players'][row]} players "
        f"({rules.edition} rules, {rules.format})"
    )


def _action_mask(views: Views) -> NDArray[np.bool_]:
    """What is legal: not the array that the bot got, since it may have written into it."""
    return replace(views).action_mask
