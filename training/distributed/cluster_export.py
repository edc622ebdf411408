"""Bot files from the checkpoints of RLlib."""

from pathlib import Path

from ray.rllib.core import (
    COMPONENT_LEARNER,
    COMPONENT_LEARNER_GROUP,
    COMPONENT_RL_MODULE,
    DEFAULT_MODULE_ID,
)
from ray.rllib.core.rl_module.rl_module import RLModule
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from ono99_env.messages.errors import UsageError
from training.distributed.rl_module import MaskedModule

MODULE_FOLDER = Path(
    COMPONENT_LEARNER_GROUP, COMPONENT_LEARNER, COMPONENT_RL_MODULE, DEFAULT_MODULE_ID
)
"""Where in a checkpoint of the algorithm the module is."""


def policy_of(checkpoint: Path) -> MaskableActorCriticPolicy:
    """Return the policy in a checkpoint; `export_bot` writes it as a bot file.

    Opening a checkpoint of RLlib can run code that is in it: trust its origin.

    Args:
        checkpoint: The folder of a checkpoint of a `LeaguePPO`.

    Raises:
        UsageError: If it is no such folder.
    """
    folder = (checkpoint / MODULE_FOLDER).absolute()
    if not folder.is_dir():
        raise UsageError(f"there is no checkpoint of RLlib's algorithm in {checkpoint}")
    module = RLModule.from_checkpoint(str(folder))
    if not isinstance(module, MaskedModule):
        raise UsageError(f"{checkpoint} holds a {type(module).__name__}, not a MaskedModule")
    return module.policy
