"""What is true of every game under any rules."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from ono99_env import Action, Game, Rules
from ono99_env.engine import batch
from ono99_env.engine.records import STATE, WON
from tests.random_games import games, generators, positions

POSITIONS = 4000


def cards_on_the_table(snapshot: dict) -> Counter:
    cards: Counter = Counter()
    for place in [*snapshot["hands"], snapshot["draw_pile"], snapshot["discard_pile"]]:
        cards.update(place)
    return cards


@given(games(), generators)
def test_every_play_conserves_the_cards(game: Game, rng: random.Random) -> None:
    deck = Counter({name: count for name, count in game.rules.deck.items() if count})
    assert cards_on_the_table(game.snapshot()) == deck
    while not game.is_over and rng.random() < 0.9:
        game.play(rng.choice(game.legal_actions()))
        assert cards_on_the_table(game.snapshot()) == deck


def hand_sizes(game: Game) -> list[int]:
    return [sum(hand.values()) for hand in game.snapshot()["hands"]]


@given(games(), generators)
def test_a_missed_draw_leaves_the_hand_smaller_and_no_hand_is_ever_too_large(
    game: Game, rng: random.Random
) -> None:
    round_number, before = game.snapshot()["round"], hand_sizes(game)
    assert max(before) <= game.rules.hand_size
    if not game.is_over:
        play = game.play(rng.choice(game.legal_actions()), missed_draw=True)
        lost = 4 if play.action is Action.DISCARD_FOUR_ONO99 else 1
        if game.snapshot()["round"] == round_number:
            assert hand_sizes(game)[play.seat] == before[play.seat] - lost


def test_a_state_to_act_in_has_a_legal_action_and_a_finished_one_has_none() -> None:
    over = 0
    for _, game in positions(1, 2 * POSITIONS):
        over += game.is_over
        assert bool(game.legal_actions()) == (not game.is_over)
        assert (game.current_player is None) == game.is_over
        assert bool(game.winners) == game.is_over
    assert over > 50


def test_the_current_player_is_in_the_round_and_owes_one_or_two() -> None:
    owed: Counter = Counter()
    for _, game in positions(2, POSITIONS):
        snapshot = game.snapshot()
        if game.is_over:
            assert snapshot["plays_owed"] == 0
        else:
            owed[snapshot["plays_owed"], snapshot["second_play"]] += 1
            assert not snapshot["eliminated"][game.current_player]
    assert set(owed) == {(1, False), (1, True), (2, False)}


def test_returns_sum_to_zero_at_the_end_and_only_losers_have_paid_before() -> None:
    endings: Counter = Counter()
    for _, game in positions(3, POSITIONS):
        returns, players = game.returns, game.num_players
        assert len(returns) == players
        if game.is_over:
            endings[players, len(game.winners)] += 1
            assert sum(returns) == pytest.approx(0, abs=1e-12)
            assert [seat for seat in range(players) if returns[seat] >= 0] == game.winners
        else:
            assert set(returns) <= {0.0, -1 / (players - 1)}
    assert {players for players, _ in endings} == set(range(2, 9))
    assert any(winners > 1 for _, winners in endings)


@pytest.mark.parametrize("players", range(2, 9))
def test_winners_share_what_the_losers_paid_for_every_set_of_winners(players: int) -> None:
    finished = np.zeros(2**players - 1, STATE)
    finished["num_players"], finished["phase"] = players, WON
    finished["in_match"] = np.arange(1, 2**players)
    returns = np.zeros((len(finished), 8))
    batch.fill_returns(finished, returns)
    won = (np.arange(1, 2**players)[:, None] >> np.arange(players)) & 1
    winners = won.sum(axis=1, keepdims=True)
    share = (players - winners) / (players - 1) / winners
    expected = np.where(won, share, -1 / (players - 1))
    np.testing.assert_allclose(returns[:, :players], expected, atol=1e-12)
    np.testing.assert_allclose(returns[:, :players].sum(axis=1), 0, atol=1e-12)


@given(games(), generators)
def test_within_a_round_who_is_out_stays_out_and_the_total_obeys_its_bounds(
    game: Game, rng: random.Random
) -> None:
    rules, before = game.rules, game.snapshot()
    while not game.is_over and rng.random() < 0.9:
        game.play(rng.choice(game.legal_actions()))
        after = game.snapshot()
        if after["round"] == before["round"]:
            assert all(
                b <= a for b, a in zip(before["eliminated"], after["eliminated"], strict=True)
            )
            assert after["history"]["plays"] == before["history"]["plays"] + 1
        may_exceed = rules.has_points and rules.bust_counts
        assert may_exceed or after["total"] <= rules.highest_total
        assert rules.lowest_total is None or after["total"] >= rules.lowest_total
        before = after


def test_a_card_from_outside_that_is_not_in_the_pile_is_refused_and_changes_nothing() -> None:
    refused = 0
    for rng, game in positions(4, 1000):
        snapshot = game.snapshot()
        missing = set(snapshot["rules"]["deck"]) - set(snapshot["draw_pile"])
        if not game.is_over and missing and snapshot["draw_pile"]:
            name = min(missing)
            with pytest.raises(ValueError, match=f"draws: no {name} is left in the draw pile"):
                game.play(rng.choice(game.legal_actions()), missed_draw=False, draws=[name])
            assert game.snapshot() == snapshot
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        Game(Rules(), seed=seed)


@pytest.mark.parametrize("seed", [0, 2**63, 2**64 - 1])
def test_every_64_bit_seed_is_kept_apart(seed: int) -> None:
    game = Game(Rules(), seed=seed)
    others = [Game(Rules(), seed=other) for other in (1, 2**63 - 1)]
    assert all(game.snapshot() != other.snapshot() for other in others)
