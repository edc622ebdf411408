"""Options after a bot's name, ``name:option=value,option=value``, and the calls made from them."""

import difflib
import inspect
from collections.abc import Callable, Iterable
from types import UnionType
from typing import Any, Union, get_args, get_origin

from ono99_env.bots.base import Bot

BotFactory = Callable[..., Bot]
"""Makes a bot; its keyword arguments, of type int, float, bool or str, are the bot's options."""

_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


def make_bot(factory: BotFactory, options: str, name: str) -> Bot:
    """Call a bot's factory with the options that a user wrote.

    Args:
        factory: The function or class that makes the bot.
        options: ``"option=value,option=value"``, or nothing.
        name: What messages call the bot.

    Raises:
        ValueError: If an option is unknown, lacks a value or has a value of the wrong type, or if
            the factory refuses the values or makes no bot; the message names what is wrong.
    """
    values = _parse_options(factory, options, name)
    try:
        bot = factory(**values)
    except Exception as error:  # a user's factory may raise anything
        raise ValueError(f"bot {name!r} could not be made: {_text_of(error)}") from error
    if not isinstance(bot, Bot):
        raise ValueError(
            f"bot {name!r} is no bot: its factory returned {type(bot).__name__}, and an instance "
            "of a subclass of ono99_env.Bot is needed"
        )
    return bot


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence's end that offers the nearest known name, or nothing if none is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _parse_options(factory: BotFactory, options: str, name: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if not options:
        return values
    types = _option_types(factory)
    for part in options.split(","):
        option, equals, text = (piece.strip() for piece in part.partition("="))
        if option not in types:
            known = ", ".join(types) or "none"
            raise ValueError(
                f"bot {name!r} has no option {option!r}{did_you_mean(option, types)}; "
                f"its options are: {known}"
            )
        if not equals:
            raise ValueError(f"option {option!r} of bot {name!r} needs a value: '{option}=...'")
        if option in values:
            raise ValueError(f"option {option!r} of bot {name!r} is given twice")
        values[option] = _parse_value(text, types[option], f"option {option!r} of bot {name!r}")
    return values


def _option_types(factory: BotFactory) -> dict[str, type]:
    """The options of a factory: its named parameters, those without an annotation as text."""
    try:
        signature = inspect.signature(factory, eval_str=True)
    except Exception:  # an annotation that only a type checker can read
        signature = inspect.signature(factory)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = signature.parameters.values()
    return {each.name: _plain_type(each.annotation) for each in parameters if each.kind in named}


def _plain_type(hint: Any) -> type:
    """The type that a value is read as: of a union such as ``int | None`` the first member."""
    if get_origin(hint) in (Union, UnionType):
        hint = next(each for each in get_args(hint) if each is not type(None))
    return hint if hint in _KINDS else str


def _parse_value(text: str, kind: type, what: str) -> Any:
    try:
        return _TRUTH[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError):
        raise ValueError(f"{what} must be {_KINDS[kind]}, not {text!r}") from None


def _text_of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
