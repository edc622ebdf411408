"""Notice what bots do wrong, an illegal action above all, and decide what becomes of the game.

Every decision of a tournament goes through `Umpire.__call__`: it asks the bot, checks each action
against the record of the game, and either raises a `BotError` or forfeits the game.
"""

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.answers import FORFEIT, Question, ask_once
from ono99_env.messages.errors import BotError

Note = Callable[[Question | None], None]
"""Called with each question before its bot is asked, and with None afterwards."""


class Umpire:
    """Asks bots. A failure ends the tournament, or costs the bot the game in which it failed.

    A bot fails if it chooses an illegal action, returns anything but one action for each view,
    raises anything (``SystemExit`` too), or takes too long. A batch that fails as a whole is asked
    again view by view, so that only the games in which the bot fails are forfeited. A bot that
    takes too long forfeits all games of the batch. It cannot be stopped: it continues in its own
    thread, and forfeits every game in which it is to act until it returns.

    Args:
        forfeit: Whether a failure costs the game. If not, it is an error.
        time_limit: Seconds that a bot may take for one batch of decisions; None for no limit.
    """

    def __init__(self, forfeit: bool = False, time_limit: float | None = None) -> None:
        self.forfeit = forfeit
        self.time_limit = time_limit
        self.failures: dict[str, str] = {}
        """The first failure of each bot that failed, by its name."""
        self.note: Note | None = None
        """Called with each question, so that its bot is known if the process ends meanwhile."""
        self._thinking: dict[int, threading.Thread] = {}
        """The thread of each bot that did not return in time, by the identity of the bot."""

    def __call__(self, question: Question) -> NDArray[np.int64]:
        """Ask a bot, and return a legal action or `FORFEIT` for each game, shape (games,).

        Raises:
            BotError: If the bot fails and a failure does not cost the game.
            KeyboardInterrupt: If the user interrupts the program.
        """
        try:
            actions = self._answer(question)
        except _TooSlowError as failure:
            self._judge(question, failure)
            return np.full(len(question), FORFEIT)
        except BotError as failure:
            self._judge(question, failure)
            if len(question) == 1:
                return np.full(1, FORFEIT)
            return np.concatenate([self(question.at(row)) for row in range(len(question))])
        legal = question.are_legal(actions)
        if not legal.all():  # an illegal action is noticed here
            row = int(np.argmin(legal))
            self._judge(question, question.illegal_action_error(actions, row))
        return np.where(legal, actions, FORFEIT)

    def _judge(self, question: Question, failure: BotError) -> None:
        """Raise a failure, or note it if it only costs the game."""
        if not self.forfeit:
            raise failure
        self.failures.setdefault(question.name, str(failure))

    def _answer(self, question: Question) -> NDArray[np.int64]:
        """Return what the bot answers, checked by `ask_once` but for its legality."""
        if self.note is None:
            return self._ask(question)
        self.note(question)
        try:
            return self._ask(question)
        finally:
            self.note(None)

    def _ask(self, question: Question) -> NDArray[np.int64]:
        return ask_once(question) if self.time_limit is None else self._ask_in_time(question)

    def _ask_in_time(self, question: Question) -> NDArray[np.int64]:
        """Let the bot act in a thread, which can be left behind if it takes too long."""
        key = id(question.asked.bot)
        earlier = self._thinking.get(key)
        if earlier is not None and earlier.is_alive():
            raise _TooSlowError(
                f"bot {question.name!r} still thinks about an earlier batch of decisions, and was "
                f"to act in {question.place()}"
            )
        outcome: list[NDArray[np.int64] | BaseException] = []
        thread = threading.Thread(target=_keep_outcome, args=(question, outcome), daemon=True)
        thread.start()
        thread.join(self.time_limit)
        if not outcome:
            self._thinking[key] = thread
            raise _TooSlowError(
                f"bot {question.name!r} took more than {self.time_limit:g} s for a batch of "
                f"{len(question)} decisions, in {question.place()}"
            )
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        return outcome[0]


class _TooSlowError(BotError):
    """The bot did not answer in time."""


def _keep_outcome(question: Question, outcome: list[NDArray[np.int64] | BaseException]) -> None:
    """Ask in a thread, and put what is returned or raised into the list."""
    try:
        outcome.append(ask_once(question))
    except BaseException as failure:
        outcome.append(failure)
