"""Line-ups are balanced: every bot meets every other and has every seat, equally often."""

from collections import Counter
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono99_env.arena.plan.line_ups import (
    LEAST_ROUNDS,
    LineUp,
    games_of_a_round,
    mixed_line_ups,
    one_vs_rest_line_ups,
)

NAMES = [f"bot {number}" for number in range(12)]


def seats_held(line_ups: list[LineUp], num_bots: int) -> np.ndarray:
    """How often each bot has each seat, shape (bots, seats)."""
    tables = np.concatenate([line_up.arrangements for line_up in line_ups])
    return np.array([(tables == bot).sum(axis=0) for bot in range(num_bots)])


@given(st.integers(2, 9), st.integers(2, 8), st.integers(0, 3), st.integers(1, 3000))
def test_every_bot_has_every_seat_equally_often(num_bots, num_players, seed, more):
    games = 30 * 72 + more * 10  # 72 is the largest least common multiple
    line_ups = mixed_line_ups(NAMES[:num_bots], num_players, games, seed)
    held = seats_held(line_ups, num_bots)
    assert (held == held[0, 0]).all()
    assert held[0, 0] > 0
    assert games_of_a_round(line_ups) * LEAST_ROUNDS <= games
    for line_up in line_ups:
        assert len(set(line_up.bots)) > 1
        assert {tuple(sorted(row)) for row in line_up.arrangements} == {
            tuple(sorted(np.repeat(line_up.bots, line_up.copies)))
        }
        by_seat = np.array([(line_up.arrangements == bot).sum(axis=0) for bot in line_up.bots])
        assert (by_seat == by_seat[:, :1]).all()


def test_with_games_enough_all_line_ups_are_played_in_all_orders():
    line_ups = mixed_line_ups(NAMES[:3], 4, 100_000, 1)
    expected = [bots for bots in combinations_with_replacement(range(3), 4) if len(set(bots)) > 1]
    played = {tuple(sorted(line_up.arrangements[0])): line_up for line_up in line_ups}
    assert sorted(played) == expected
    for bots, line_up in played.items():
        rows = [tuple(row) for row in line_up.arrangements.tolist()]
        assert sorted(rows) == sorted(set(permutations(bots)))


def test_every_order_has_a_deal_of_its_own_for_its_rotations():
    for line_up in mixed_line_ups(NAMES[:4], 4, 100_000, 1):
        for deal in range(line_up.deals.max() + 1):
            rows = [tuple(row) for row in line_up.arrangements[line_up.deals == deal].tolist()]
            rotations = {rows[0][start:] + rows[0][:start] for start in range(4)}
            assert len(rows) == len(rotations)
            assert set(rows) == rotations


def test_of_large_tables_rotations_are_played():
    line_ups = mixed_line_ups(NAMES[:6], 6, 1_000_000, 1)
    everyone = next(line_up for line_up in line_ups if len(line_up.bots) == 6)
    rows = everyone.arrangements.tolist()
    assert rows == [rows[0][start:] + rows[0][:start] for start in range(6)]


def test_a_sample_of_line_ups_lets_every_pair_meet():
    line_ups = mixed_line_ups(NAMES, 4, 20_000, 1)
    assert games_of_a_round(line_ups) <= 20_000 // LEAST_ROUNDS
    meetings = Counter(
        (first, second)
        for line_up in line_ups
        for first in line_up.bots
        for second in line_up.bots
        if first < second
    )
    assert len(meetings) == 12 * 11 // 2


def test_line_ups_do_not_depend_on_who_else_takes_part():
    few = mixed_line_ups(["x", "c", "a"], 3, 10_000, 5)
    more = mixed_line_ups(["a", "b", "c", "x"], 3, 100_000, 5)

    def by_names(line_ups: list[LineUp], names: list[str]) -> dict:
        return {
            line_up.key: [[names[bot] for bot in row] for row in line_up.arrangements]
            for line_up in line_ups
        }

    of_few, of_more = by_names(few, ["x", "c", "a"]), by_names(more, ["a", "b", "c", "x"])
    assert of_few.items() <= of_more.items()
    assert len(of_more) == len(more)
    assert (
        not by_names(mixed_line_ups(["a", "b", "c"], 3, 10_000, 6), NAMES).keys() & of_more.keys()
    )


def test_one_against_the_rest_has_each_seat_once():
    line_ups = one_vs_rest_line_ups(NAMES[:3], 4, 1000, 1)
    assert [line_up.bots for line_up in line_ups] == [(0, 1), (0, 2)]
    for line_up in line_ups:
        assert sorted((line_up.arrangements == 0).argmax(axis=1)) == [0, 1, 2, 3]
        assert ((line_up.arrangements == 0).sum(axis=1) == 1).all()


@pytest.mark.parametrize(("num_bots", "least"), [(2, 120), (3, 360), (5, 600), (8, 240)])
def test_too_few_games_are_refused_with_the_number_needed(num_bots, least):
    with pytest.raises(ValueError, match=f"games: {least - 1} are too few .* at least {least} "):
        mixed_line_ups(NAMES[:num_bots], 4, least - 1, 1)
    assert mixed_line_ups(NAMES[:num_bots], 4, least, 1)
    with pytest.raises(ValueError, match="at least 120 are needed"):
        one_vs_rest_line_ups(NAMES[:num_bots], 4, 119, 1)
