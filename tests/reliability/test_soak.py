"""A short soak of the engine, and proof that its checks find what is broken."""

import numba
import numpy as np
import pytest

from ono99_env.engine.records import TO_ACT
from tests.reliability.soak import BrokenError, Series, soak

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow with the engine uncompiled"),
]


def test_every_position_and_step_is_sound() -> None:
    played = list(soak(seed=7, decisions=1_500_000, steps=60))
    assert sum(series.finished for series in played) > 10_000
    assert {series.rules.format for series in played} == {
        *("single_round", "chips", "points_last_standing", "points_lowest")
    }


BREAKS = {
    "not conserved": ("draw_pile", lambda old: old + np.uint64(1)),
    "too large": ("hidden_cards", lambda old: old + 1),
    "over the limit": ("total", lambda old: old + 1000),
    "under the floor": ("total", lambda old: old - 2_000_000_000),
    "not in the round": ("current_player", lambda old: (old + 1) % 8 + 8),
    "neither of two": ("direction", lambda old: old * 2),
    "out of bounds": ("points", lambda old: old - 1),
    "players left": ("players_left", lambda old: old - 1),
    "nor two": ("plays_owed", lambda old: old + 2),
    "no legal action": ("legal_plays", lambda old: old * np.uint64(0)),
    "earlier round": ("round_number", lambda old: old - 1),
    "one play for an action": ("plays", lambda old: old + 1),
    "not at the table": ("in_match", lambda old: old | 1 << 8),
    "no winner": ("phase", lambda old: old + 3),
}


@pytest.fixture(scope="module")
def series() -> Series:
    """Games in the middle of a round, under rules of the usual kind."""
    numbers = range(50)
    candidates = (Series(1, number) for number in numbers)
    usual = (each for each in candidates if each.rules.format == "single_round")
    found = next(each for each in usual if each.rules.lowest_total == 0)
    found.play(1)
    return found


@pytest.mark.parametrize("reason", BREAKS)
def test_what_is_broken_is_found(series: Series, reason: str) -> None:
    field, change = BREAKS[reason]
    kept, before = series.games.copy(), series.before.copy()
    index = int(np.flatnonzero((kept["phase"] == TO_ACT) & (series.actions >= 0))[3])
    value = series.games[field][index]
    first = value[0] if np.ndim(value) else value
    changed = np.array(change(first)).astype(series.games[field].dtype)
    if np.ndim(value):
        series.games[field][index, 0] = changed
    else:
        series.games[field][index] = changed
    try:
        with pytest.raises(BrokenError, match=reason):
            series.check(1)
    finally:
        series.games[:], series.before[:] = kept, before
    series.check(1)
