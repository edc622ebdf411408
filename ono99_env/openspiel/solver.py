"""Equilibria of small games, by CFR+.

CFR+ (Tammelin, *Solving Large Imperfect Information Games Using CFR+*, 2014) converges to an
equilibrium in games of two players; it is OpenSpiel's implementation in C++ that runs here.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pyspiel

from ono99_env.openspiel.game_tree import GameTree, Policy

_BETWEEN_CHECKS = 20


@dataclass(frozen=True)
class Equilibrium:
    """What a solver has found."""

    policy: Policy
    """What all seats do."""
    values: list[float]
    """The mean return of each seat."""
    exploitability: float
    """What a best response gains on average over the seats: how far from an equilibrium it is."""
    iterations: int
    """Iterations of the solver."""


def solve(
    tree: GameTree,
    target: float = 1e-4,
    most_iterations: int = 1000,
    progress: Callable[[int, float], None] | None = None,
) -> Equilibrium:
    """Find an equilibrium of a game of two players.

    Args:
        tree: The game.
        target: Stop when the exploitability is at most this.
        most_iterations: Stop after this many iterations at the latest.
        progress: Called every 20 iterations with the iterations made and the exploitability.

    Raises:
        ValueError: If there are more than two players, for which CFR+ has no guarantee.
    """
    if tree.rules.num_players != 2:
        raise ValueError(f"CFR+ solves games of 2 players, not of {tree.rules.num_players}")
    solver = pyspiel.CFRPlusSolver(tree.game)
    exploitability, iterations = float("inf"), 0
    while exploitability > target and iterations < most_iterations:
        for _ in range(min(_BETWEEN_CHECKS, most_iterations - iterations)):
            solver.evaluate_and_update_policy()
            iterations += 1
        exploitability = float(pyspiel.nash_conv(tree.game, solver.average_policy())) / 2
        if progress is not None:
            progress(iterations, exploitability)
    policy = tree.from_spiel(solver.average_policy())
    return Equilibrium(policy, tree.values(policy), tree.exploitability(policy), iterations)
