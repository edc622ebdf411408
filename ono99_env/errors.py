"""The errors that people can cause, each saying what was wrong and what is allowed."""

from pydantic import ValidationError


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; nothing was changed."""


class SnapshotError(ValueError):
    """A snapshot that is not a possible game; the message names the field that is wrong."""


class BotError(ValueError):
    """A bot did something that no bot may do; the message names the bot, its seat and its table."""


def explain(error: ValidationError) -> str:
    """What pydantic found wrong, on one line, without error numbers and links for programmers."""
    problems = []
    for problem in error.errors():
        place = ".".join(str(part) for part in problem["loc"])
        problems.append(f"{place}: {problem['msg']}" if place else problem["msg"])
    return "; ".join(problems).replace("Value error, ", "")
