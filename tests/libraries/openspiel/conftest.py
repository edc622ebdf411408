"""Small games, walked through once."""

from pathlib import Path

import pytest

from ono99_env import Rules
from ono99_env.openspiel import Equilibrium, GameTree, solve

RULES = Path(__file__).parents[3] / "configs" / "rules"


@pytest.fixture(scope="session")
def tiny_rules() -> Rules:
    """One card in each hand and five in all: some hundred histories."""
    deck = {"4": 2, "8": 1, "reverse": 1, "play_two": 1}
    return Rules.preset(
        "2022", num_players=2, deck=deck, hand_size=1, highest_total=13, max_plays=4
    )


@pytest.fixture(scope="session")
def mini_rules() -> Rules:
    return Rules.from_yaml(RULES / "mini_2022_small.yaml")


@pytest.fixture(scope="session")
def mini_tree(mini_rules: Rules) -> GameTree:
    return GameTree(mini_rules)


@pytest.fixture(scope="session")
def equilibrium(mini_tree: GameTree) -> Equilibrium:
    return solve(mini_tree, target=1e-3)
