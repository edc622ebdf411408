"""The generator in the record is splitmix64, and its numbers are used evenly."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono99_env import Game, Rules
from ono99_env.engine import generator

MASK = 2**64 - 1
words = st.integers(0, MASK)

# Of the reference implementation by Sebastiano Vigna (public domain), from the seed 1234567.
REFERENCE = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def splitmix64(word: int) -> int:
    """The output function in whole numbers without bounds."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


def test_it_gives_the_numbers_of_the_reference_implementation() -> None:
    counter, numbers = np.uint64(1234567), []
    for _ in REFERENCE:
        counter = np.uint64(generator.advance(counter))
        numbers.append(int(generator.scramble(counter)))
    assert numbers == REFERENCE


@given(words)
def test_it_agrees_with_whole_numbers_without_bounds(word: int) -> None:
    assert int(generator.scramble(np.uint64(word))) == splitmix64(word)
    step = 0x9E3779B97F4A7C15
    assert int(generator.advance(np.uint64(word))) == (word + step) & MASK
    assert int(generator.seeded(np.uint64(word))) == splitmix64((word + step) & MASK)


@given(words, st.integers(1, 127))
def test_bounded_numbers_are_the_high_part_scaled(word: int, bound: int) -> None:
    number = generator.below(np.uint64(word), bound)
    assert number == (word >> 32) * bound >> 32
    assert 0 <= number < bound


@pytest.mark.parametrize("probability", [0.0, 0.25, 0.5, 1.0])
def test_an_event_happens_as_often_as_it_should(probability: float) -> None:
    threshold, counter, count, happened = np.uint64(probability * 2**32), np.uint64(7), 4000, 0
    for _ in range(count):
        counter = np.uint64(generator.advance(counter))
        happened += generator.happens(np.uint64(generator.scramble(counter)), threshold)
    margin = 5 * (count * probability * (1 - probability)) ** 0.5
    assert abs(happened - count * probability) <= margin


def test_every_card_is_dealt_as_often_as_the_deck_holds_it() -> None:
    rules, counts, deals = Rules(num_players=6), np.zeros(16), 1000
    for seed in range(deals):
        for card in Game(rules, seed=seed).initial_draws:
            counts[card] += 1
    dealt = counts.sum()
    shares = np.array([rules.deck.get(str(number), 0) for number in range(11)]) / 112
    margins = 5 * np.sqrt(dealt * shares * (1 - shares))
    assert dealt == deals * 24
    assert (np.abs(counts[:11] - dealt * shares) < margins).all()


def test_every_seat_deals_first_as_often() -> None:
    dealers = np.bincount(
        [Game(Rules(num_players=5), seed=seed).initial_dealer for seed in range(2000)]
    )
    assert (np.abs(dealers - 400) < 5 * np.sqrt(2000 * 0.2 * 0.8)).all()
