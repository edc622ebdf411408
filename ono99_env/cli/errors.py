"""Mistakes of users: one paragraph that says what is wrong, and exit code 2."""

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError
from rich.console import Console

from ono99_env.errors import BotError, explain


class UsageError(Exception):
    """Something that the user can put right; the message says what, and is all that is shown."""


def show_error(message: str) -> None:
    """Print an error in one paragraph."""
    Console(stderr=True).print(f"error: {message}", markup=False, highlight=False, soft_wrap=True)


@contextmanager
def mistakes_explained() -> Iterator[None]:
    """Turn the errors that people cause into a `UsageError`."""
    try:
        yield
    except ValidationError as error:
        raise UsageError(explain(error)) from error
    except BotError as error:
        raise UsageError(
            f"{error}. With --forfeit a bot that fails only loses the game it fails in."
        ) from error
    except (ValueError, ImportError) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise UsageError(
            f"{error.filename}: {error.strerror}" if error.strerror else str(error)
        ) from error
