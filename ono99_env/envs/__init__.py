"""Every standard interface of the game: PettingZoo, Gymnasium, vector, Stable-Baselines3.

The modules load when they are first used, so that nobody waits for a library that is not needed:
``ono99_env.envs.sb3`` imports Stable-Baselines3, ``import ono99_env`` does not.
"""

import importlib
from types import ModuleType

_INTERFACES = ("aec", "single", "vector", "sb3")


def __getattr__(name: str) -> ModuleType:
    if name in _INTERFACES:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
