"""The command line: ``ono99``. One file for each subcommand."""

import sys
from collections.abc import Sequence

from ono99_env.cli.checkout_commands import CHECKOUT_COMMANDS, explain_checkout
from ono99_env.cli.exit_codes import INTERRUPTED, SUCCESS, WRONG_USAGE, show_error
from ono99_env.cli.parameters import join_player_counts
from ono99_env.messages.errors import UsageError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process.

    Args:
        arguments: The words of the command line; default: those of the process.
    """
    from typer import Abort

    from ono99_env.cli.commands import app

    words = join_player_counts(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in CHECKOUT_COMMANDS:
        show_error(explain_checkout(words[0]))
        return WRONG_USAGE
    try:
        code = app(words or ["--help"], standalone_mode=False)
    except UsageError as error:
        show_error(str(error))
        return WRONG_USAGE
    except (Abort, KeyboardInterrupt):
        return INTERRUPTED
    except Exception as error:
        if not hasattr(error, "exit_code") or not hasattr(error, "format_message"):
            raise
        show_error(error.format_message())  # typer's own: an unknown option, a missing word
        return WRONG_USAGE
    return code if isinstance(code, int) else SUCCESS
