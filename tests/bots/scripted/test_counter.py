"""`counter` chooses by its formula, which is written out here card by card."""

import math
from typing import Any

import numpy as np
import pytest

from ono99_env import Rules, load_bot
from ono99_env.bots.scripted import counter
from ono99_env.engine.records import counts_from_hand, counts_from_pile
from ono99_env.rules.cards import MAX_HAND_SIZE, NUM_CARDS, Card
from tests.bots.positions import positions


@pytest.mark.parametrize(
    ("edition", "num_players"), [("2022", 2), ("2022", 4), ("2022", 6), ("1980", 3), ("1980", 8)]
)
def test_it_plays_the_card_of_the_highest_score(edition: str, num_players: int) -> None:
    rules, compared = Rules.preset(edition, num_players=num_players), 0
    for views in positions(rules, num_games=40, most_steps=20, seed=num_players):
        chosen = load_bot("counter").act(views, np.random.default_rng(0))
        for state, action in zip(views.states, chosen, strict=True):
            cards = np.flatnonzero(counts_from_hand(state["legal_plays"]))
            if state["may_discard_four"] or len(cards) < 2:
                continue
            scores = {int(card): score(state, rules, Card(card)) for card in cards}
            assert scores[int(action)] >= max(scores.values()) - 1e-12
            compared += 1
    assert compared > 100


@pytest.mark.parametrize("held", range(MAX_HAND_SIZE + 1))
def test_the_chance_that_a_hand_holds_no_good_card_is_hypergeometric(held: int) -> None:
    for unseen in (held, held + 1, 20, 100):
        for good in range(0, unseen + 1, 3):
            expected = math.comb(unseen - good, held) / math.comb(unseen, held)
            assert counter.chance_of_none(good, unseen, held) == pytest.approx(expected, abs=1e-15)


def score(state: Any, rules: Rules, card: Card) -> float:
    """What a play promises, by counts of cards."""
    points = {Card.MINUS_TEN: -10, **{each: int(each) for each in Card if each <= Card.N10}}
    lowest = -math.inf if rules.lowest_total is None else rules.lowest_total
    after = max(int(state["total"]) + points.get(card, 0), lowest)
    fullness = 1 + (after - rules.highest_total) / 98
    danger, left = max(0.0, fullness), int(state["players_left"])
    heads_up_reverse = card == Card.REVERSE and left == 2 and rules.reverse_deflects_heads_up
    is_answer = card.label in rules.play_two_answers and (card != Card.REVERSE or left > 2)
    owes_two = state["plays_owed"] == 2
    answers = owes_two and (is_answer or heads_up_reverse)
    goes_on = owes_two and not answers
    hand = counts_from_hand(state["hands"][state["current_player"]]).astype(int)
    hand[card] -= 1
    value = sum(
        -0.551 * each * n if 1 <= each <= 10 else counter._KEEP[each] * (1 + 0.862 * (n - 1))
        for each, n in enumerate(hand)
        if n
    )
    found = value * (0.955 + 0.045 * danger) - 0.251 * fullness
    found -= 0.624 * risk(state, rules, hand, after, goes_on)
    found += 0.025 * (card == Card.REVERSE) + 0.129 * (card == Card.MINUS_TEN)
    found += 5.6 * danger * (card == Card.MINUS_TEN and goes_on) + 1.07 * danger * answers
    if goes_on:
        return float(found)
    passes_two = answers or card == Card.PLAY_TWO
    found += (-0.161 + 0.449 * fullness) * passes_two
    return float(found + 2.09 * fails(state, rules, card, after, passes_two) / (left - 1))


def fitting(state: Any, rules: Rules, total: int) -> int:
    """How many unseen cards, ONO 99 left out, fit at a total."""
    counts = counts_from_pile(state["draw_pile"]).astype(int)
    return sum(
        int(counts[card])
        for card in Card
        if card != Card.ONO99 and (card > Card.N10 or total + int(card) <= rules.highest_total)
    )


def risk(state: Any, rules: Rules, hand: Any, after: int, goes_on: bool) -> float:
    """The chance that neither a card left nor the one drawn fits next time."""
    if any(hand[card] for card in (Card.N0, *range(Card.REVERSE, NUM_CARDS))):
        return 0.0
    growth = 0.0 if goes_on else 0.135 - 0.23 * (int(state["players_left"]) - 1)
    stuck = 1.0
    for card in range(1, 11):
        room = rules.highest_total - after - growth - card + 0.5
        stuck *= (1 - 1 / (1 + math.exp(-room / (0.1 if goes_on else 0.726)))) ** hand[card]
    total = min(rules.highest_total, int(after + max(0.0, growth)))
    unseen = int(counts_from_pile(state["draw_pile"]).sum())
    return stuck * (1 - fitting(state, rules, total) / max(1, unseen))


def fails(state: Any, rules: Rules, card: Card, after: int, owes_two: bool) -> float:
    """The chance that the next player goes out."""
    left, players = int(state["players_left"]), int(state["num_players"])
    step = (
        -int(state["direction"]) if card == Card.REVERSE and left > 2 else int(state["direction"])
    )
    seat = (int(state["current_player"]) + step) % players
    while not int(state["in_round"]) >> seat & 1:
        seat = (seat + step) % players
    held = int(state["hidden_cards"][seat])
    counts = counts_from_pile(state["draw_pile"]).astype(int)
    good, unseen = fitting(state, rules, after), int(counts.sum())
    none_good = no_good(good, unseen, held)
    if not owes_two or held == 0:
        return none_good
    answers = sum(int(counts[Card.from_label(label)]) for label in rules.play_two_answers)
    share = 1 / max(1, unseen)
    one_good = held * (good - answers) * share * no_good(good, unseen, held - 1)
    return min(1.0, none_good + 0.443 * one_good * (1 - good * share))


def no_good(good: int, unseen: int, held: int) -> float:
    return math.comb(unseen - good, held) / math.comb(unseen, held)
