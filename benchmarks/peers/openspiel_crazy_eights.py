"""OpenSpiel's crazy_eights at four seats: from Python, through shimmy, and wholly in C++."""

import random

import pyspiel
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

from benchmarks.peers.going import Go, Peer, aec_loop

_GAMES = 10
_ROLLOUTS = 1000


def peers() -> list[Peer]:
    """Return the loop of OpenSpiel's documentation, with and without observations; shimmy; C++."""
    shimmy = OpenSpielCompatibilityV0(game_name="crazy_eights", config={"players": 4})
    return [
        Peer("OpenSpiel crazy_eights through shimmy", aec_loop(shimmy), "AEC env()"),
        Peer("OpenSpiel crazy_eights, Python loop", python_loop(observes=True), "AEC env()"),
        Peer("OpenSpiel crazy_eights, no observation", python_loop(observes=False), "Game"),
        Peer("OpenSpiel crazy_eights, C++ rollouts", rollouts(), "engine"),
    ]


def python_loop(observes: bool) -> Go:
    """Play games stepped from Python, chance sampled there as the documentation shows."""
    game, rng = pyspiel.load_game("crazy_eights(players=4)"), random.Random(1)

    def play() -> int:
        made = 0
        for _ in range(_GAMES):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(_sampled(state, rng))
                    continue
                if observes:
                    state.observation_tensor()
                    state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
                made += 1
        return made

    return play


def rollouts() -> Go:
    """Run random playouts of the C++ evaluator, two batches of them from one deal.

    It does not say how many decisions they held: the mean of a sample from Python stands in.
    """
    length = python_loop(observes=False)
    mean_length = sum(length() for _ in range(50)) / (50 * _GAMES)
    game, rng = pyspiel.load_game("crazy_eights(players=4)"), random.Random(1)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(_sampled(state, rng))
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=_ROLLOUTS, seed=1)
    # The first simulation evaluates the root, the second one of its children.
    search = pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, 1, False)

    def play() -> int:
        simulations = search.mcts_search(state).explore_count
        return round(simulations * _ROLLOUTS * mean_length)

    return play


def _sampled(state: pyspiel.State, rng: random.Random) -> int:
    actions, probabilities = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(actions, probabilities)[0])
