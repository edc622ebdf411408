"""ONO 99 for reinforcement learning: the rules of both editions, and every standard interface.

The import enters the environments in the registries of Gymnasium and PettingZoo and loads no more:
each public name brings its module, and with it the compiled engine, when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ono99_env.envs.registration import register

if TYPE_CHECKING:
    from ono99_env import ono99_v0
    from ono99_env.bots import Bot, load_bot
    from ono99_env.game.game import Game
    from ono99_env.game.play import Play
    from ono99_env.messages.errors import IllegalActionError, RecordError, SnapshotError
    from ono99_env.observation.views import Views
    from ono99_env.rules.cards import Action, Card
    from ono99_env.rules.rules import Rules

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Bot",
    "Card",
    "Game",
    "IllegalActionError",
    "Play",
    "RecordError",
    "Rules",
    "SnapshotError",
    "Views",
    "load_bot",
    "ono99_v0",
    "register",
]

_MODULES = {
    "Action": "rules.cards",
    "Bot": "bots",
    "Card": "rules.cards",
    "Game": "game.game",
    "IllegalActionError": "messages.errors",
    "Play": "game.play",
    "RecordError": "messages.errors",
    "Rules": "rules.rules",
    "SnapshotError": "messages.errors",
    "Views": "observation.views",
    "load_bot": "bots",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name == "ono99_v0":
        return import_module("ono99_env.ono99_v0")
    if name not in _MODULES:
        from ono99_env.messages.suggestions import did_you_mean

        hint = did_you_mean(name, __all__)
        raise AttributeError(f"module 'ono99_env' has no attribute {name!r}{hint}")
    thing = getattr(import_module(f"ono99_env.{_MODULES[name]}"), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register()
