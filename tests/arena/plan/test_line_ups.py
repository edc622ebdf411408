"""Who sits where: mixed tables are drawn as one sentence says, whatever is played how long."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono99_env.arena.plan.line_ups import (
    LEAST_ROUNDS,
    LineUps,
    chance_to_sit,
    mixed_line_ups,
    one_vs_rest_line_ups,
)

NAMES = [f"bot {number:02}" for number in range(12)]
MANY = 10**6


@given(st.integers(2, 100), st.integers(2, 8), st.integers(0, 2**64 - 1), st.integers(0, 10**9))
def test_a_round_is_one_table_in_all_rotations(num_bots, num_players, key, first_round):
    line_ups = LineUps(num_bots, num_players, key)
    rounds = line_ups.arrange(first_round, 20)
    assert rounds.shape == (20, num_players, num_players)
    assert rounds.min() >= 0
    assert rounds.max() < num_bots
    for games in rounds.tolist():
        order = games[0]
        assert games == [order[start:] + order[:start] for start in range(num_players)]
        assert len(set(order)) > 1


@given(st.integers(2, 9), st.integers(2, 8), st.integers(0, 500), st.integers(1, 50))
def test_a_round_has_its_table_however_many_are_played(num_bots, num_players, first, count):
    line_ups = LineUps(num_bots, num_players, key=5)
    long = line_ups.arrange(0, first + count)
    assert (line_ups.arrange(first, count) == long[first:]).all()


@pytest.mark.parametrize(("num_bots", "num_players"), [(2, 2), (2, 3), (3, 2), (3, 4), (5, 3)])
def test_all_tables_of_two_bots_at_least_are_drawn_equally_often(num_bots, num_players):
    rounds = 60_000
    orders = LineUps(num_bots, num_players, key=2**64 - 9).arrange(0, rounds)[:, 0]
    drawn = Counter(map(tuple, orders.tolist()))
    tables = [each for each in product(range(num_bots), repeat=num_players) if len(set(each)) > 1]
    assert sorted(drawn) == tables
    expected = rounds / len(tables)
    chi_square = sum((count - expected) ** 2 / expected for count in drawn.values())
    freedom = len(tables) - 1
    assert chi_square < freedom + 5 * np.sqrt(2 * freedom) + 5
    assert np.mean((orders == 0).any(axis=1)) == pytest.approx(
        chance_to_sit(num_bots, num_players), abs=0.01
    )


def test_tables_of_many_bots_are_drawn_uniformly():
    orders = LineUps(100, 8, key=3).arrange(0, 50_000)[:, 0]
    for seat in range(8):
        held = np.bincount(orders[:, seat], minlength=100)
        assert abs(held - 500).max() < 5 * np.sqrt(500)
    same = np.mean(orders[:, 2] == orders[:, 7])
    assert same == pytest.approx(0.01, abs=0.003)


def test_tables_differ_with_the_seed_the_names_and_the_players():
    tables = [
        mixed_line_ups(NAMES[:4], 4, MANY, 1),
        mixed_line_ups(NAMES[:4], 4, MANY, 2),
        mixed_line_ups(NAMES[1:5], 4, MANY, 1),
        mixed_line_ups(NAMES[:4], 5, MANY, 1),
    ]
    assert len({line_ups.key for line_ups in tables}) == 4


def test_the_tables_do_not_depend_on_the_number_of_games():
    few, many = (mixed_line_ups(NAMES[:7], 4, games, 1) for games in (24_000, 24_400))
    assert few == many


@pytest.mark.parametrize("names", [["a", "b", "c"], ["c", "b", "a"]])
def test_one_against_the_rest_has_each_seat_once(names):
    all_line_ups = one_vs_rest_line_ups(names, 4, 1000, 1)
    assert len(all_line_ups) == 2
    for opponent, line_ups in enumerate(all_line_ups, 1):
        games = line_ups.arrange(7, 3)
        assert (games == games[0]).all()
        assert sorted((games[0] == 0).argmax(axis=1)) == [0, 1, 2, 3]
        assert ((games[0] == 0).sum(axis=1) == 1).all()
        assert ((games[0] == opponent).sum(axis=1) == 3).all()


def test_against_an_opponent_the_deals_are_the_same_whoever_else_takes_part():
    alone = one_vs_rest_line_ups(["x", "b"], 3, 1000, 5)
    among = one_vs_rest_line_ups(["x", "a", "b"], 3, 1000, 5)
    assert alone[0].key == among[1].key
    assert alone[0].key != one_vs_rest_line_ups(["x", "b"], 3, 1000, 6)[0].key


@pytest.mark.parametrize(("num_bots", "num_players"), [(2, 2), (2, 4), (3, 4), (5, 6), (12, 2)])
def test_too_few_games_are_refused_with_the_number_needed(num_bots, num_players):
    rounds = LEAST_ROUNDS / chance_to_sit(num_bots, num_players)
    least = num_players * int(np.ceil(rounds))
    with pytest.raises(ValueError, match=f"games: {least - 1} are too few .* at least {least} "):
        mixed_line_ups(NAMES[:num_bots], num_players, least - 1, 1)
    assert mixed_line_ups(NAMES[:num_bots], num_players, least, 1)
    with pytest.raises(ValueError, match="at least 120 are needed"):
        one_vs_rest_line_ups(NAMES[:num_bots], 4, 119, 1)
