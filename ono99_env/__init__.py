"""ONO 99 for reinforcement learning: the rules of both editions, and every standard interface."""

from ono99_env import ono99_v0
from ono99_env.bots import Bot, load_bot
from ono99_env.cards import Action, Card
from ono99_env.envs.registration import register
from ono99_env.errors import IllegalActionError, SnapshotError
from ono99_env.game import Game, Play
from ono99_env.rules import Rules
from ono99_env.views import Views

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Bot",
    "Card",
    "Game",
    "IllegalActionError",
    "Play",
    "Rules",
    "SnapshotError",
    "Views",
    "load_bot",
    "ono99_v0",
    "register",
]

register()
