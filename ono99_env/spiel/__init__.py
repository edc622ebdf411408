"""ONO 99 in OpenSpiel: the game, our bots there, its algorithms here, and exact solutions.

Needs the extra ``openspiel``; importing this package registers the game ``python_ono99``.
"""

from ono99_env.spiel.bots import BotPolicy, IsmctsBot, PolicyBot, SpielBot, StepBot, ismcts_bot
from ono99_env.spiel.game import NAME, Ono99Game, Ono99State, load_game
from ono99_env.spiel.solving import Equilibrium, solve
from ono99_env.spiel.tabular import TabularBot
from ono99_env.spiel.tree import GameTree

__all__ = [
    "NAME",
    "BotPolicy",
    "Equilibrium",
    "GameTree",
    "IsmctsBot",
    "Ono99Game",
    "Ono99State",
    "PolicyBot",
    "SpielBot",
    "StepBot",
    "TabularBot",
    "ismcts_bot",
    "load_game",
    "solve",
]
