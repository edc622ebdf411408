"""Words of cards against the obvious computation on lists of counts."""

import itertools
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono99_env.engine import words
from ono99_env.engine.records import (
    counts_from_hand,
    counts_from_pile,
    hand_from_counts,
    pile_from_counts,
)
from ono99_env.rules.cards import MAX_DECK, MAX_HAND_SIZE, Card

CARDS = range(16)


def counts_of(most: int) -> st.SearchStrategy[list[int]]:
    """Counts by card of at most so many cards, often many of one kind."""
    bulk = st.tuples(st.integers(0, 15), st.integers(1, most)).map(lambda pair: [pair[0]] * pair[1])
    cards = st.lists(bulk | st.lists(st.integers(0, 15), max_size=most), max_size=3)
    return cards.map(lambda parts: counted([card for part in parts for card in part][:most]))


def counted(cards: list[int]) -> list[int]:
    return [cards.count(card) for card in CARDS]


def listed(counts: list[int]) -> list[int]:
    return [card for card in CARDS for _ in range(counts[card])]


hands = counts_of(7)
piles = counts_of(127)


def as_hand(counts: list[int]) -> np.uint64:
    return hand_from_counts(np.array(counts, np.uint8))


def as_pile(counts: list[int]) -> np.ndarray:
    return pile_from_counts(np.array(counts, np.uint8))


@given(hands)
def test_hands_keep_their_counts(counts: list[int]) -> None:
    hand = as_hand(counts)
    assert counts_from_hand(hand).tolist() == counts
    assert [words.count_in_hand(hand, card) for card in CARDS] == counts
    assert words.hand_size(hand) == sum(counts)


@given(hands)
def test_the_cards_held_are_a_set_whose_members_are_found_in_order(counts: list[int]) -> None:
    kinds = np.uint64(words.held_among(as_hand(counts), words.ALL_CARDS))
    held = [card for card in CARDS if counts[card]]
    assert counts_from_hand(kinds).tolist() == [min(count, 1) for count in counts]
    assert words.hand_size(kinds) == words.set_size(kinds) == len(held)
    assert [words.nth_in_set(kinds, n) for n in range(len(held) + 1)] == [*held, 16]


@given(hands, st.sets(st.integers(0, 15)))
def test_the_cards_held_are_looked_for_among_a_set(counts: list[int], among: set[int]) -> None:
    kinds = np.uint64(words.held_among(as_hand(counts), as_hand(counted(list(among)))))
    assert counts_from_hand(kinds).tolist() == [
        min(count, 1) * (card in among) for card, count in enumerate(counts)
    ]


def test_the_words_are_full_and_leave_the_top_bit_of_each_count_free() -> None:
    """The wall: a 17th kind of card would need another word for every hand."""
    assert len(Card) * words.BITS_IN_HAND == words.BITS_IN_WORD
    assert len(Card) * words.BITS_IN_PILE == 2 * words.BITS_IN_WORD
    assert MAX_HAND_SIZE == 2 ** (words.BITS_IN_HAND - 1) - 1
    assert MAX_DECK == 2 ** (words.BITS_IN_PILE - 1) - 1


@given(st.sets(st.sampled_from(list(Card))))
def test_a_set_made_for_constants_holds_its_cards(cards: set[Card]) -> None:
    expected = [int(card in cards) for card in Card]
    assert counts_from_hand(words.card_set(*cards)).tolist() == expected
    assert words.bits_of_set(words.card_set(*cards)) == sum(1 << card for card in cards)


@pytest.mark.parametrize("card", CARDS)
def test_one_card_is_a_hand_of_one(card: int) -> None:
    hand = np.uint64(words.one_card(card))
    assert counts_from_hand(hand).tolist() == counted([card])
    assert words.nth_in_set(hand, 0) == card


def test_every_member_of_every_largest_set_is_found() -> None:
    for cards in itertools.combinations(CARDS, 7):
        largest = as_hand(counted(list(cards)))
        assert [words.nth_in_set(largest, n) for n in range(7)] == list(cards)


@given(piles)
def test_piles_keep_their_counts(counts: list[int]) -> None:
    pile = as_pile(counts)
    assert counts_from_pile(pile).tolist() == counts
    assert [words.count_in_pile(pile, card) for card in CARDS] == counts
    assert words.pile_size(pile) == sum(counts)


@given(piles)
def test_every_card_of_a_pile_is_found_in_order(counts: list[int]) -> None:
    pile, cards = as_pile(counts), listed(counts)
    assert [words.nth_in_pile(pile, n) for n in range(len(cards))] == cards


@given(piles, st.randoms(use_true_random=False))
def test_a_pile_is_dealt_out_by_its_prefix_sums(counts: list[int], random: Random) -> None:
    sums = words.prefix_sums(as_pile(counts))
    left, rest = listed(counts), np.zeros(2, np.uint64)
    while left:
        assert words.size_by_sums(sums) == len(left)
        place = random.randrange(len(left))
        card = words.nth_by_sums(sums, place)
        assert card == left.pop(place)
        sums = words.sums_without(sums, card)
        words.write_pile(sums, rest)
        assert counts_from_pile(rest).tolist() == counted(left)
    assert words.size_by_sums(sums) == 0


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("count", [1, 126, 127])
def test_the_largest_pile_of_one_kind(card: int, count: int) -> None:
    pile = as_pile(counted([card] * count))
    assert words.pile_size(pile) == count
    assert {words.nth_in_pile(pile, n) for n in range(count)} == {card}


@given(piles, st.integers(0, 15), st.integers(1, 4))
def test_cards_are_put_on_and_taken_off(counts: list[int], card: int, added: int) -> None:
    counts[card] = min(counts[card], 120)
    pile = as_pile(counts)
    words.add_to_pile(pile, card, added)
    expected = [count + added * (kind == card) for kind, count in enumerate(counts)]
    assert counts_from_pile(pile).tolist() == expected
    words.take_from_pile(pile, card)
    assert words.count_in_pile(pile, card) == expected[card] - 1


@given(counts_of(120), hands)
def test_a_hand_is_put_on_a_pile(pile_counts: list[int], hand_counts: list[int]) -> None:
    pile = as_pile(pile_counts)
    words.add_hand_to_pile(pile, as_hand(hand_counts))
    expected = [one + other for one, other in zip(pile_counts, hand_counts, strict=True)]
    assert counts_from_pile(pile).tolist() == expected
