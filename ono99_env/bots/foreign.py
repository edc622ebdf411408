"""Call the code of a bot, and turn whatever it raises into an error that names the bot.

A bot may raise anything, even ``SystemExit`` or ``KeyboardInterrupt``. Reading its name or the
message of its error may run code that fails as well.
"""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar, Self, TypeVar

from ono99_env.bots.base import Bot
from ono99_env.messages.errors import BotError
from ono99_env.messages.text import printable
from ono99_env.rules.rules import Rules

Answer = TypeVar("Answer")

_LONGEST = 500
"""Characters of a foreign message that are shown."""


def call_bot(call: Callable[[], Answer], complain: Callable[[str], str]) -> Answer:
    """Call code of a bot, and return its result.

    Args:
        call: Runs code of the bot.
        complain: Makes the message of the error from a description of what the bot raised.

    Raises:
        BotError: If the bot raises anything at all.
        KeyboardInterrupt: If the user interrupts the program, even if the bot suppresses it.
    """
    with InterruptWatch() as interrupts:
        try:
            answer = call()
        except BaseException as error:
            if interrupts.has_come:
                raise KeyboardInterrupt from None
            raise BotError(complain(error_in_words(error))) from error
    if interrupts.has_come:
        raise KeyboardInterrupt
    return answer


def check_bot(bot: Bot, rules: Rules) -> None:
    """Ask a bot whether it can play some rules.

    Args:
        bot: The bot; it gets a copy of the rules.
        rules: The rules.

    Raises:
        ValueError: If it cannot play them; the message says why, and names the bot.
        BotError: If it raises anything else.
    """
    refusals: list[ValueError] = []

    def call() -> None:
        try:
            bot.check_rules(rules.model_copy(deep=True))
        except ValueError as refusal:
            refusals.append(refusal)

    name = name_of(bot)
    call_bot(
        call,
        lambda error: (
            f"bot {name!r} raised {error} - in check_rules, asked whether it can play a table of "
            f"{rules.num_players} players ({rules.edition} rules, {rules.format})"
        ),
    )
    if refusals:
        message = message_of(refusals[0])
        if repr(name) in message:
            raise refusals[0]
        raise ValueError(f"bot {name!r} cannot play this game: {message}") from refusals[0]


def checked_name(bot: Bot) -> str:
    """Return the name of a bot, as plain text.

    Raises:
        BotError: If it has none.
    """
    bot_class = type(bot).__name__
    name = call_bot(
        lambda: bot.name,
        lambda error: f"bots: the name of a {bot_class} must be text, and raises {error}",
    )
    if not isinstance(name, str):
        raise BotError(
            f"bots: the name of a {bot_class} must be text, and is of type {type(name).__name__}"
        )
    return str.__str__(name)


def name_of(bot: Bot) -> str:
    """Return a name of a bot for messages, even if its own cannot be read."""
    try:
        return checked_name(bot)
    except BotError:
        return f"{type(bot).__name__} without a name"


def error_in_words(error: BaseException) -> str:
    """Return the type and the message of an error that foreign code raised."""
    message = message_of(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def message_of(error: BaseException) -> str:
    """Return the message of an error in one line, without control characters."""
    try:
        words = " ".join("".join(str(error)).split())
    except BaseException:
        return "its message cannot be read"
    shown = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."
    return printable(shown)


class InterruptWatch:
    """Tells the user's Ctrl-C from a ``KeyboardInterrupt`` that foreign code raises.

    Signals arrive in the main thread only. Watches may be nested, and only the outermost replaces
    the handler of the signal. Replacing it takes 20 µs, so loops that ask bots enter one watch
    around them.
    """

    _outermost: ClassVar["InterruptWatch | None"] = None

    def __init__(self) -> None:
        self._noted = False
        self._handler: Callable[[int, FrameType | None], Any] | None = None

    @property
    def has_come(self) -> bool:
        """Return whether the user has interrupted the program."""
        watch = InterruptWatch._outermost or self
        return watch._noted and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        """Replace the handler of the signal."""
        if InterruptWatch._outermost is not None:
            return self
        if threading.current_thread() is threading.main_thread():
            handler = signal.getsignal(signal.SIGINT)
            if callable(handler):
                self._handler = handler
                InterruptWatch._outermost = self
                signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        """Restore the handler."""
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
            InterruptWatch._outermost = None

    def _note(self, number: int, frame: FrameType | None) -> None:
        assert self._handler is not None
        try:
            self._handler(number, frame)
        except KeyboardInterrupt:
            self._noted = True
            raise
