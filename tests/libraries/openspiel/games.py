"""Rules of every kind, and games under them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ono99_env import Rules

MANY_RULES = {
    "2022": Rules.preset("2022", num_players=3, max_plays=80),
    "1980": Rules.preset("1980", num_players=2, chips=1, max_plays=30, dealer=1),
    "points": Rules.preset(
        "1980",
        num_players=4,
        format="points_last_standing",
        target_points=30,
        voluntary_bust=True,
        max_plays=40,
    ),
    "missed draws": Rules.preset(
        "1980",
        num_players=3,
        format="single_round",
        missed_draw_probability=(0.0, 0.3, 1.0),
        max_plays=40,
    ),
    "reshuffles": Rules.preset(
        "2022",
        num_players=3,
        deck={"0": 4, "5": 4, "10": 2, "ono99": 4, "reverse": 2, "minus_ten": 2, "play_two": 2},
        highest_total=40,
        eliminated_hands="face_down",
        keep_top_discard=True,
        max_plays=40,
    ),
}


def play(game: Any, bots: list[Any], seed: int) -> list[float]:
    """The returns of a game between `pyspiel` bots; OpenSpiel's own loop wants `restart_at`."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(bots[state.current_player()].step(state)))
    return state.returns()


def random_game(game: Any, seed: int) -> Iterator[Any]:
    """The states of a game that is played at random, the last one finished."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
        yield state
