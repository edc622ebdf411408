"""What the exit codes of all commands say."""

from collections.abc import Callable

from ono99_env.cli.consoles import PlainConsole
from ono99_env.messages.errors import UsageError

SUCCESS = 0
DIFFERENT = 1
"""A repeated tournament gave other figures."""
WRONG_USAGE = 2
"""A mistake of the user, which was explained."""
INTERRUPTED = 130
"""Ctrl-C."""


def show_error(message: str) -> None:
    """Print an error in one paragraph."""
    PlainConsole(is_error=True, soft_wrap=True).print(f"error: {message}")


def run_command(command: Callable[[], int], when_interrupted: str = "Interrupted.") -> int:
    """Run a command and explain its mistakes.

    Args:
        command: Returns an exit code; may raise `UsageError` and `KeyboardInterrupt`.
        when_interrupted: Printed after Ctrl-C: what became of the work.

    Returns:
        The exit code of the process.
    """
    try:
        return command()
    except UsageError as error:
        show_error(str(error))
        return WRONG_USAGE
    except KeyboardInterrupt:
        PlainConsole().print(when_interrupted)
        return INTERRUPTED
