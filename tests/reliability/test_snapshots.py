"""A snapshot gives the same record back, bit for bit, and only possible games are taken."""

import copy
import os
import random

import numpy as np
import pytest

from ono99_env import Game, Rules, SnapshotError, ono99_v0
from ono99_env.engine.possible import describe_flaws
from ono99_env.engine.records import STATE
from ono99_env.observation.views import Views
from tests.random_games import positions

POSITIONS = int(os.environ.get("ONO99_FUZZ", "300"))
"""How many positions are tried; more of them by ``ONO99_FUZZ=100000 pytest ...``."""


def test_every_position_comes_back_bit_for_bit() -> None:
    for rng, game in positions(7, POSITIONS):
        restored = Game.from_snapshot(game.snapshot())
        assert restored.games.tobytes() == game.games.tobytes()
        seat = np.array([rng.randrange(game.num_players)])
        views = [Views.of(game.rules, each.games, seat) for each in (game, restored)]
        assert views[0].states.tobytes() == views[1].states.tobytes()
        assert describe_flaws(game.games, game._rules_array) is None
        assert describe_flaws(views[0].states, game._rules_array, views=True) is None


def test_a_game_that_was_forfeited_comes_back() -> None:
    for count in (2, 3):
        env = ono99_v0.raw_env(num_players=count, illegal="lose")
        env.reset(seed=1)
        env.step(11)
        snapshot = env.game_snapshot()
        other = ono99_v0.raw_env(num_players=count, illegal="lose")
        other.load_snapshot(snapshot)
        assert other.game_snapshot() == snapshot


def test_a_game_whose_players_are_all_out_is_refused() -> None:
    for match_format in ("single_round", "chips", "points_lowest", "points_last_standing"):
        game = Game(Rules.preset("1980", num_players=3, format=match_format), seed=1)
        while not game.is_over:
            game.play(game.legal_actions()[0])
        snapshot = game.snapshot()
        snapshot["eliminated"] = [True] * 3
        with pytest.raises(SnapshotError, match="eliminated"):
            Game.from_snapshot(snapshot)


def change(data: object, rng: random.Random) -> None:
    """Change one number, name or list somewhere in a snapshot."""
    while isinstance(data, dict | list) and data:
        key = rng.choice(list(data)) if isinstance(data, dict) else rng.randrange(len(data))
        if not isinstance(data[key], dict | list) or rng.random() < 0.1:
            data[key] = rng.choice([0, 1, 2, 3, -1, 8, 99, 2**31, True, False, None, "0", [], {}])
            return
        data = data[key]


def test_changed_snapshots_are_possible_games_or_refused() -> None:
    for rng, game in positions(9, POSITIONS):
        snapshot = copy.deepcopy(game.snapshot())
        for _ in range(rng.randint(1, 3)):
            change(snapshot, rng)
        try:
            restored = Game.from_snapshot(snapshot)
        except SnapshotError:
            continue
        assert describe_flaws(restored.games, restored._rules_array) is None
        for seat in range(restored.num_players):
            assert np.abs(restored.views(seat).observation).max() <= 1
        for _ in range(10):
            if restored.is_over:
                break
            restored.play(rng.choice(restored.legal_actions()))
        assert restored.games.dtype == STATE
