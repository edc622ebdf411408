"""Commands whose options are the fields of one record."""

import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any, TypeVar, get_type_hints

Options = TypeVar("Options")


def takes_options_of(
    record: type[Options],
) -> Callable[[Callable[[Options], int]], Callable[..., int]]:
    """Turn a function of a record into a command with an option for each field of the record.

    Typer reads the options of a command from its signature; this one is made of the fields.

    Args:
        record: A dataclass whose fields have defaults, and annotations as Typer reads them.
    """

    def decorate(function: Callable[[Options], int]) -> Callable[..., int]:
        @wraps(function)
        def command(**values: Any) -> int:
            return function(record(**values))

        hints = get_type_hints(record, include_extras=True)
        parameters = [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=hints[field.name],
            )
            for field in fields(record)  # type: ignore[arg-type]
        ]
        vars(command)["__signature__"] = inspect.Signature(parameters, return_annotation=int)
        command.__annotations__ = hints | {"return": int}
        return command

    return decorate
