"""Tables of several kinds step as one and are the same games as each kind on its own."""

import numpy as np

from ono99_env import Rules, load_bot
from tests.training.self_play.small_self_play import random_actions
from training.self_play.mixed_tables import MixedTables, make_tables
from training.self_play.seat_draw import SeatDraw
from training.self_play.self_play_tables import SelfPlayTables

KINDS = [
    Rules.preset("1980", num_players=4, format=form)
    for form in ("chips", "points_lowest", "points_last_standing")
]
BY_TABLE = ("observation", "action_mask", "seats", "rewards", "game_over")


def seat_draw() -> SeatDraw:
    return SeatDraw([2, 4], 0.7, [0.3])


def mixed(num_tables: int = 14) -> MixedTables:
    tables = make_tables(KINDS, [load_bot("highest")], seat_draw(), num_tables, seed=3)
    assert isinstance(tables, MixedTables)
    return tables


def test_they_are_the_games_of_their_kinds():
    together, parts = mixed(), []
    for number, (rules, size) in enumerate(zip(KINDS, (5, 5, 4), strict=True)):
        parts.append(SelfPlayTables(rules, [load_bot("highest")], seat_draw(), size, 3 + number))
    rng, left = np.random.default_rng(0), 0
    for _ in range(600):
        actions = random_actions(together, rng)
        together.step(actions)
        for part, chosen in zip(parts, np.split(actions, [5, 10]), strict=True):
            part.step(chosen)
        for name in BY_TABLE:
            expected = np.concatenate([getattr(part, name) for part in parts])
            assert np.array_equal(getattr(together, name), expected)
        assert len(together.left_games) == sum(len(part.left_games) for part in parts)
        left += len(together.left_games)
    assert left > 20
    assert len(together) == 14


def test_a_saved_state_goes_on_the_same():
    first, second = mixed(), mixed()
    rng = np.random.default_rng(1)
    for _ in range(50):
        first.step(random_actions(first, rng))
    second.load_state_dict(first.state_dict())
    for _ in range(200):
        actions = random_actions(first, rng)
        first.step(actions)
        second.step(actions)
        for name in BY_TABLE:
            assert np.array_equal(getattr(first, name), getattr(second, name))


def test_one_kind_needs_no_joining():
    tables = make_tables(KINDS[:1], [load_bot("highest")], seat_draw(), 4, seed=0)
    assert isinstance(tables, SelfPlayTables)
