"""The search deals what it cannot see: everything that is possible, and that equally often."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono99_env import Card, Game, Rules, Views
from ono99_env.bots.search.determinization import determinize
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, counts_from_hand, counts_from_pile, rules_array
from tests.random_games import games


def dealt(view: Views, count: int, seed: int) -> np.ndarray:
    states = np.repeat(view.states, count)
    determinize(states, np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64))
    return states


@given(games(), st.integers(0, 2**32))
def test_a_deal_looks_to_the_observer_like_the_game_itself(game: Game, seed: int):
    if game.is_over:
        return
    view = game.views()
    states = dealt(view, 3, seed)
    assert not states["hidden_cards"].any()
    sizes = counts_from_hand(states["hands"]).sum(axis=-1)
    assert (sizes == counts_from_hand(game.state.hands).sum(axis=-1)).all()
    again = Views.of(game.rules, states, np.repeat(view.seats, 3)).states
    for name in STATE.names:
        assert (again[name] == view.states[name]).all(), name


@given(games(), st.integers(0, 2**32))
def test_a_deal_loses_no_card(game: Game, seed: int):
    if game.is_over:
        return
    cards = [
        counts_from_hand(state["hands"]).sum(axis=-2)
        + counts_from_pile(state["draw_pile"])
        + counts_from_pile(state["discard_pile"])
        for state in (game.state, dealt(game.views(), 1, seed)[0])
    ]
    assert (cards[0] == cards[1]).all()


@pytest.mark.slow
def test_all_deals_and_draws_are_equally_likely():
    rules = Rules(num_players=3, hand_size=1, dealer=2, deck={str(n): 1 for n in range(6)})
    game, count = Game(rules, seed=1), 60_000
    states = dealt(game.views(), count, 2)
    hands = counts_from_hand(states["hands"])[:, :3].argmax(axis=-1)
    action = game.legal_actions()[0]
    batch.step_games(states, rules_array(rules), np.full(count, action))
    drawn = counts_from_hand(states["hands"])[:, 0].argmax(axis=-1)
    seen = Counter(zip(hands[:, 1].tolist(), hands[:, 2].tolist(), drawn.tolist(), strict=True))
    assert len(seen) == 5 * 4 * 3
    expected = count / len(seen)
    assert max(abs(n - expected) for n in seen.values()) < 5 * np.sqrt(expected)


@pytest.mark.slow
def test_a_card_that_the_pile_holds_twice_is_dealt_twice_as_often():
    rules = Rules(num_players=2, hand_size=1, dealer=1, deck={"0": 3, "1": 3, "2": 1})
    game = next(g for g in (Game(rules, seed=seed) for seed in range(20)) if holds(g, Card.N0))
    states = dealt(game.views(), 60_000, 3)
    shares = counts_from_hand(states["hands"][:, 1]).mean(axis=0)
    assert np.abs(shares[:3] - np.array([2, 3, 1]) / 6).max() < 5 * np.sqrt(0.25 / 60_000)


def holds(game: Game, card: Card) -> bool:
    return counts_from_hand(game.state.hands[game.current_player])[card] > 0
