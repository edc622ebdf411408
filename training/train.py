"""Train a bot: ``python -m training.train configs/quickstart.yaml [--field value ...]``.

Writes into a fresh folder ``runs/NAME/``: the resolved config, checkpoints, TensorBoard logs and
the same as a table, the learning curve, the best bot, and its measured results. Ctrl-C ends the
training early and still writes the bot. ``--resume runs/NAME`` continues exactly where a run ended,
however it ended.
"""

import sys
from collections.abc import Sequence

from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import run_command
from training.config.command_line import read_command
from training.run.session import Session


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words of the command line; default: those of the process.

    Returns:
        The exit code of the process.
    """
    session = Session("training.train", PlainConsole(soft_wrap=True))
    return run_command(lambda: session.carry_out(read_command(arguments)))


if __name__ == "__main__":
    sys.exit(main())
