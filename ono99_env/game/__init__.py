"""One table as an object, with exact snapshots."""

from ono99_env.game.game import Game, Play

__all__ = ["Game", "Play"]
