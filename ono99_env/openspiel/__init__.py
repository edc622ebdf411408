"""ONO 99 in OpenSpiel: the game, our bots there, its algorithms here, and exact solutions.

Needs the extra ``openspiel``; importing this package registers the game ``python_ono99``.
"""

from ono99_env.messages.extras import brought_by

with brought_by("openspiel", "ono99_env.openspiel"):
    from ono99_env.openspiel.bot_adapters import (
        BotPolicy,
        IsmctsBot,
        PolicyBot,
        SpielBot,
        StepBot,
        ismcts_bot,
    )
    from ono99_env.openspiel.game_tree import GameTree
    from ono99_env.openspiel.openspiel_game import NAME, Ono99Game, Ono99State, load_game
    from ono99_env.openspiel.solver import Equilibrium, solve
    from ono99_env.openspiel.tabular import TabularBot

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
