"""The checkpoints of RLlib in the folder of a run: pickles, which can run any code."""

import re
import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ono99_env.bots.names import ALLOW_CODE
from ono99_env.messages.errors import UsageError
from training.run.run_folder import RunFolder

_NAME = re.compile(r"after-[0-9]+")


def check_allowed(folder: RunFolder, allow_code: Collection[str]) -> None:
    """Refuse to open the checkpoints of RLlib in a folder that the user has not named.

    Args:
        folder: The folder of a run on a cluster.
        allow_code: What the command line allows to run code.

    Raises:
        UsageError: If the folder is not among it; the message says how to allow it.
    """
    if folder.path not in map(Path, allow_code):
        raise UsageError(
            f"{folder.rllib} holds checkpoints of RLlib, and opening one runs whatever code is in "
            f"it. If you trust the folder, say so: {ALLOW_CODE} {shlex.quote(str(folder.path))}"
        )


def rllib_checkpoint(folder: RunFolder, state: Mapping[str, Any]) -> Path:
    """Return the folder of the checkpoint of RLlib that a run continues from.

    Args:
        folder: The folder of the run.
        state: What its ``checkpoint.npz`` holds.

    Raises:
        UsageError: If the checkpoint names none in the folder of the run.
    """
    name = state["learner"].get("rllib")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"the checkpoint {folder.checkpoint} names no checkpoint of RLlib")
    return folder.rllib / name
