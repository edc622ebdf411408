"""Train on a Ray cluster: ``python -m training.distributed configs/distributed.yaml``.

What it writes, stops and resumes is like `training.train`.
"""

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from ono99_env.cli.consoles import PlainConsole
from ono99_env.cli.usage_errors import show_error
from ono99_env.messages.errors import UsageError
from training.config.command_line import read_command
from training.distributed.checkpoints import check_allowed
from training.distributed.cluster_config import DistributedConfig
from training.run.run_folder import RunFolder
from training.train import INTERRUPTED, WRONG_USAGE, Purpose, measure, resume, start

MODULE = "training.distributed"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of the process."""
    console = PlainConsole(soft_wrap=True)
    try:
        return _run(arguments, console)
    except UsageError as error:
        show_error(str(error))
        return WRONG_USAGE
    except KeyboardInterrupt:
        console.print("Interrupted.")
        return INTERRUPTED


def _run(arguments: Sequence[str] | None, console: PlainConsole) -> int:
    command = read_command(arguments, DistributedConfig, MODULE)
    assert isinstance(command.config, DistributedConfig)
    if find_spec("ray") is None:
        raise UsageError("training on a cluster needs Ray: pip install 'ono99-env[distributed]'")
    folder = RunFolder(command.origin.parent)
    if command.is_resumed and folder.checkpoint.exists():
        check_allowed(folder, command.allow_code)
    from training.distributed.cluster import connected
    from training.distributed.cluster_run import DistributedRun

    with connected(command.config.cluster):
        go = resume if command.is_resumed else start
        return go(command, console, Purpose(MODULE, measure, DistributedRun))


if __name__ == "__main__":
    sys.exit(main())
