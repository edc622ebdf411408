"""Make a bot with the options after its name, ``name:option=value,option=value``."""

import inspect
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation

from ono99_env.bots.base import Bot
from ono99_env.bots.foreign import error_in_words
from ono99_env.messages.fields import problems_of
from ono99_env.messages.suggestions import did_you_mean

BotFactory = Callable[..., Bot]
"""Makes a bot. Its keyword arguments are the bot's options, of any type that pydantic reads from a
text, such as int, float, bool or str; without an annotation the text itself."""


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
        raise ValueError(f"bot {name!r} could not be made: {error_in_words(error)}") from error
    if not isinstance(bot, Bot):
        raise ValueError(
            f"bot {name!r} is not a bot: its factory returned {type(bot).__name__}, and an "
            "instance of a subclass of ono99_env.Bot is needed"
        )
    return bot


def _parse_options(factory: BotFactory, options: str, name: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if not options:
        return values
    types = _option_types(factory)
    for part in options.split(","):
        option, equals, text = (piece.strip() for piece in part.partition("="))
        if option not in types:
            known = ", ".join(types) or "none"
            hint = did_you_mean(option, types) or f"; its options are: {known}"
            raise ValueError(f"bot {name!r} has no option {option!r}{hint}")
        if not equals:
            raise ValueError(f"option {option!r} of bot {name!r} needs a value: '{option}=...'")
        if option in values:
            raise ValueError(f"option {option!r} of bot {name!r} is given twice")
        try:
            values[option] = _parse_value(text, types[option])
        except ValueError as error:
            raise ValueError(f"option {option!r} of bot {name!r} {error}") from None
    return values


def _option_types(factory: BotFactory) -> dict[str, Any]:
    """Return the annotation of each named parameter of a factory."""
    try:
        signature = inspect.signature(factory, eval_str=True)
    except Exception:  # an annotation that only a type checker can read
        signature = inspect.signature(factory)
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = signature.parameters.values()
    return {each.name: each.annotation for each in parameters if each.kind in named}


def _parse_value(text: str, annotation: Any) -> Any:
    """Convert what a user wrote to the type of an option.

    Raises:
        ValueError: If it cannot be converted; the message begins with "must be".
    """
    try:
        adapter = TypeAdapter(str if annotation is inspect.Parameter.empty else annotation)
    except (PydanticSchemaGenerationError, PydanticUndefinedAnnotation):
        return text  # pydantic cannot read this annotation
    try:
        return adapter.validate_python(text)
    except ValidationError as error:
        raise ValueError(problems_of(error)[0].message) from None
