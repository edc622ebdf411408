"""Calling code that is not ours, such as a bot's: whatever it does, the failure has a name.

A bot may raise anything, ``SystemExit`` and ``KeyboardInterrupt`` too, and its name or the message
of its error may be code that fails in turn.
"""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar, Self, TypeVar

from ono99_env.bots.base import Bot
from ono99_env.messages.errors import BotError
from ono99_env.rules.rules import Rules

Answer = TypeVar("Answer")

_LONGEST = 500
"""Characters of a name or a message of somebody else's that are shown."""


def call_bot(call: Callable[[], Answer], complain: Callable[[str], str]) -> Answer:
    """Return what a call of a bot's code gives.

    Args:
        call: Runs code of the bot.
        complain: From what the bot raised, in words, to the message of the error.

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
    """Let a bot refuse rules that it cannot play.

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
    kind = type(bot).__name__
    name = call_bot(
        lambda: bot.name,
        lambda error: f"bots: the name of a {kind} must be text, and raises {error}",
    )
    if not isinstance(name, str):
        raise BotError(
            f"bots: the name of a {kind} must be text, and is of type {type(name).__name__}"
        )
    return str.__str__(name)


def name_of(bot: Bot) -> str:
    """Return what messages call a bot, whatever its name is."""
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
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in shown)


class InterruptWatch:
    """Tells the user's Ctrl-C apart from a ``KeyboardInterrupt`` that foreign code raises.

    Signals arrive in the main thread only: in any other, none of the user's can come. Watches may
    be entered inside each other, and only the outermost stands before the handler of the signal,
    which takes 20 µs: loops that ask bots enter one around them.
    """

    _outermost: ClassVar["InterruptWatch | None"] = None

    def __init__(self) -> None:
        self._noted = False
        self._handler: Callable[[int, FrameType | None], Any] | None = None

    @property
    def has_come(self) -> bool:
        """Whether the user has interrupted the program."""
        watch = InterruptWatch._outermost or self
        return watch._noted and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        """Stand before the handler of the signal."""
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
        """Put the handler back."""
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
