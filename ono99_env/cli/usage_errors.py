"""The errors that users cause, turned into a `UsageError` that names the option."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from pydantic import ValidationError

from ono99_env.messages.errors import UsageError, WorkerError
from ono99_env.messages.fields import explain_invalid

_NONE: Mapping[str, str] = MappingProxyType({})


def in_words(error: Exception, options: Mapping[str, str] = _NONE) -> str:
    """Return what an error says, beginning with the option that it is about.

    Args:
        error: An error that a user can cause.
        options: Options by the fields or files with which messages about them begin.
    """
    if isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}"
    else:
        message = explain_invalid(error) if isinstance(error, ValidationError) else str(error)
    field, colon, rest = message.partition(": ")
    return f"{options[field]}: {rest}" if colon and field in options else message


def table_options(rules: str | None) -> dict[str, str]:
    """Return the options of `in_words` for what ``--rules`` and ``--players`` say.

    Args:
        rules: What the user wrote after ``--rules``, if anything.
    """
    options = dict.fromkeys(("num_players", "players"), "--players")
    return options | ({"rules": "--rules", rules: f"--rules {rules}"} if rules else {})


@contextmanager
def mistakes_explained(options: Mapping[str, str] = _NONE) -> Iterator[None]:
    """Turn the errors that users cause into a `UsageError`.

    Args:
        options: See `in_words`.
    """
    try:
        yield
    except WorkerError as error:
        raise UsageError(str(error)) from error
    except (ValueError, ImportError, OSError) as error:
        raise UsageError(in_words(error, options)) from error
