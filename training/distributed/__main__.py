"""Train on a Ray cluster: ``python -m training.distributed configs/distributed.yaml``.

Writes, stops and resumes like `training.train`.
"""

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.exit_codes import run_command
from ono99_env.messages.errors import UsageError
from training.config.command_line import read_command
from training.distributed.checkpoints import check_allowed
from training.distributed.cluster_config import DistributedConfig
from training.run.run_folder import RunFolder
from training.run.session import Session

MODULE = "training.distributed"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The words of the command line; default: those of the process.

    Returns:
        The exit code of the process.
    """
    return run_command(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    command = read_command(arguments, DistributedConfig, MODULE)
    assert isinstance(command.config, DistributedConfig)
    if find_spec("ray") is None:
        raise UsageError("training on a cluster needs Ray: pip install 'ono99-env[distributed]'")
    folder = RunFolder(command.origin.parent)
    if command.is_resumed and folder.checkpoint.exists():
        check_allowed(folder, command.allow_code)
    from training.distributed.cluster import connected
    from training.distributed.cluster_run import DistributedRun

    session = Session(MODULE, PlainConsole(soft_wrap=True), make_run=DistributedRun)
    with connected(command.config.cluster):
        return session.carry_out(command)


if __name__ == "__main__":
    sys.exit(main())
