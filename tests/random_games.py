"""Random games under random rules: the material of the property tests."""

import random
from collections.abc import Iterator

from hypothesis import strategies as st

from ono99_env import Game
from tests.random_rules import random_rules

LONGEST_GAME = 250


def new_game(rng: random.Random) -> Game:
    """Deal a game under random rules."""
    return Game(random_rules(rng), seed=rng.getrandbits(64))


def play_randomly(game: Game, rng: random.Random, decisions: int) -> Game:
    """Play at most so many random decisions, and return the same game."""
    for _ in range(decisions):
        if game.is_over:
            break
        game.play(rng.choice(game.legal_actions()))
    return game


def positions(seed: int, count: int) -> Iterator[tuple[random.Random, Game]]:
    """Every position of random games, until there were at least ``count``; ends of games too."""
    rng = random.Random(seed)
    seen = 0
    while seen < count:
        game = new_game(rng)
        for _ in range(LONGEST_GAME):
            seen += 1
            yield rng, game
            if game.is_over:
                break
            game.play(rng.choice(game.legal_actions()))


@st.composite
def games(draw: st.DrawFn, most_decisions: int = 120) -> Game:
    """A game under random rules, after some random decisions; it may be over."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    return play_randomly(new_game(rng), rng, draw(st.integers(0, most_decisions)))


generators = st.integers(0, 2**32 - 1).map(random.Random)
"""A source of random decisions."""
