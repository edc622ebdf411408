"""Entries in the registries of Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

GYMNASIUM_ID = "ono99/Ono99-v0"
PETTINGZOO_ID = "ono99/ono99-v0"


def register() -> None:
    """Enter the environments; done on ``import ono99_env``. The modules load when one is made."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="ono99_env.envs.single:Ono99Env",
            vector_entry_point="ono99_env.envs.vector:Ono99VectorEnv",
            # The environment checks order and legality itself; the passive checker samples
            # actions without the mask.
            order_enforce=False,
            disable_env_checker=True,
        )
    # PettingZoo has a registry since 1.27.
    if hasattr(pettingzoo, "register") and PETTINGZOO_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="ono99_env.ono99_v0:env")
