"""The engine and the independent reference agree on random games under random rules."""

from collections import Counter

import pytest

from tests.compare import compare

CHUNKS = 8
DECISIONS = 26_000
REACHED = {
    "discard_four_ono99",
    "ono99",
    "hold",
    "play_two",
    "bust:10",
    "bust:reverse",
    "truncated",
    "reshuffled",
    "several rounds",
    "shared win",
    "single_round",
    "chips",
    "points_last_standing",
    "points_lowest",
}


def test_a_few_random_games_agree() -> None:
    """Quick enough to run with the engine uncompiled, too."""
    assert compare(CHUNKS, 2_000) >= 2_000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(CHUNKS))
def test_random_games_agree(seed: int) -> None:
    """Every position and every set of legal actions is the same, and the games are varied."""
    seen: Counter = Counter()
    assert compare(seed, DECISIONS, seen) >= DECISIONS
    assert {name for name in REACHED if not seen[name]} == set()
