"""ONO 99 in OpenSpiel: the game, our bots there, its algorithms here, and exact solutions.

Needs the extra ``openspiel``; importing this package registers the game ``python_ono99``.
"""

from ono99_env.spiel.game import NAME, Ono99Game, Ono99State, load_game

__all__ = ["NAME", "Ono99Game", "Ono99State", "load_game"]
