"""The umpire of a tournament: what becomes of a game whose bot fails."""

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.answers import FORFEIT, as_actions, describe_illegal, is_legal, place
from ono99_env.bots.base import Bot
from ono99_env.messages.errors import BotError
from ono99_env.observation.views import Views


class Umpire:
    """Asks bots; a failure ends the tournament, or the bot forfeits the game it failed in.

    A bot fails if it raises, answers with anything but one legal action for each view, or takes
    too long. A batch that fails as a whole is asked again view by view, so that only the games in
    which the bot really fails are forfeited. A bot that takes too long forfeits all games of the
    batch, and cannot be stopped: it goes on in a thread of its own, and until it comes back it
    forfeits every game in which it is to act.

    Args:
        forfeit: Whether a failure costs the game; if not, it is an error.
        time_limit: Seconds that a bot may take for one batch of decisions; None for no limit.
    """

    def __init__(self, forfeit: bool = False, time_limit: float | None = None) -> None:
        self.forfeit = forfeit
        self.time_limit = time_limit
        self.failures: dict[str, str] = {}
        """What each bot that failed did first, by its name."""
        self._thinking: dict[str, threading.Thread] = {}

    def __call__(self, bot: Bot, views: Views, rng: np.random.Generator) -> NDArray[np.int64]:
        """Ask a bot: a legal action or `FORFEIT` for each view, shape (views,).

        Raises:
            BotError: If the bot fails and a failure does not cost the game.
        """
        try:
            actions = as_actions(bot, views, self._answer(bot, views, rng))
        except _TooSlowError as failure:
            self._judge(bot, failure)
            return np.full(len(views), FORFEIT)
        except BotError as failure:
            self._judge(bot, failure)
            if len(views) == 1:
                return np.full(1, FORFEIT)
            return np.concatenate([self(bot, part, rng) for part in _one_by_one(views)])
        legal = is_legal(views, actions)
        if not legal.all():
            row = int(np.argmin(legal))
            self._judge(bot, BotError(describe_illegal(bot, views, actions, row)))
        return np.where(legal, actions, FORFEIT)

    def _judge(self, bot: Bot, failure: BotError) -> None:
        if not self.forfeit:
            raise failure
        self.failures.setdefault(bot.name, str(failure))

    def _answer(self, bot: Bot, views: Views, rng: np.random.Generator) -> Any:
        """What the bot says; whatever it raises becomes a `BotError`."""

        def act() -> Any:
            try:
                return bot.act(views, rng)
            except Exception as error:
                raise BotError(
                    f"bot {bot.name!r} raised {type(error).__name__}: {error} - in {place(views)}, "
                    f"asked for {len(views)} actions"
                ) from error

        return act() if self.time_limit is None else self._in_time(bot, views, act)

    def _in_time(self, bot: Bot, views: Views, act: Callable[[], Any]) -> Any:
        """Let the bot act in a thread, which alone can be left behind."""
        earlier = self._thinking.get(bot.name)
        if earlier is not None and earlier.is_alive():
            raise _TooSlowError(
                f"bot {bot.name!r} still thinks about an earlier batch of decisions"
            )
        outcome: list[Any] = []
        thread = threading.Thread(target=_keep_outcome, args=(act, outcome), daemon=True)
        thread.start()
        thread.join(self.time_limit)
        if thread.is_alive():
            self._thinking[bot.name] = thread
            raise _TooSlowError(
                f"bot {bot.name!r} took more than {self.time_limit:g} s for a batch of "
                f"{len(views)} decisions, in {place(views)}"
            )
        if isinstance(outcome[0], BotError):
            raise outcome[0]
        return outcome[0]


class _TooSlowError(BotError):
    """The bot did not answer in time."""


def _keep_outcome(act: Callable[[], Any], outcome: list[Any]) -> None:
    """Run in a thread: what is returned or raised goes into the list."""
    try:
        outcome.append(act())
    except BotError as failure:
        outcome.append(failure)


def _one_by_one(views: Views) -> list[Views]:
    return [
        Views(views.rules, views.states[row : row + 1], views.seats[row : row + 1])
        for row in range(len(views))
    ]
