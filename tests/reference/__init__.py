"""A second, independent implementation of the rules: slow, plain and easy to check by reading.

The game is one plain dict shaped like ``Game.snapshot()`` without its ``rng`` key, and every rule
of the rule book is a short function over it. Chance always comes from the caller as card names.
"""

from tests.reference.game import ReferenceGame

__all__ = ["ReferenceGame"]
