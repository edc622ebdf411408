"""Cards packed into 64-bit words, so that counting and choosing cards take no loop.

A *hand* is one word of sixteen four-bit counts, card 0 lowest. As a hexadecimal number it has one
digit for each card; this one holds 5, 5 and a Reverse (card 12)::

    card   15 14 13 12   11 10  9  8    7  6  5  4    3  2  1  0
    digit   0  0  0  1    0  0  0  0    0  0  2  0    0  0  0  0    0x0001_0000_0020_0000

A *set of cards* is a hand word with every count 0 or 1.

A *pile* is two words of eight one-byte counts, card 0 lowest in the first word::

    word 0   card   7  6  5  4  3  2  1  0      word 1   card  15 14 13 12 11 10  9  8

*Prefix sums.* Multiplying such a word by a word of ones leaves in each field the sum of all fields
up to it. The top field holds the number of cards, and the n-th card is the first whose sum exceeds
n. The technique is "SIMD within a register", see Warren, Hacker's Delight (2012), chapters 2 and 5.

*The wall.* The words are full:

- 16 cards of 4 bits are the 64 bits of a hand, and 16 cards of 8 bits the 128 bits of a pile.
  A 17th kind of card needs a second word for every hand and every set.
- The top bit of each field must stay free for the search, so a hand has at most
  2**3 - 1 = 7 cards and a pile 2**7 - 1 = 127.
- Where no card is left to choose, the search gives 16, which is the action that follows the
  sixteen plays: the discard of four ONO 99 cards.
"""

from typing import NamedTuple

import numpy as np

from ono99_env.jit.compile import inlined
from ono99_env.jit.instructions import count_ones
from ono99_env.jit.types import Pile, Whole, Word
from ono99_env.rules.cards import MAX_DECK, MAX_HAND_SIZE, NUM_CARDS, Action

BITS_IN_WORD = 64
BITS_IN_HAND = 4
"""Bits of one card's count in a hand or a set."""
BITS_IN_PILE = 8
"""Bits of one card's count in a pile."""
CARDS_IN_WORD = BITS_IN_WORD // BITS_IN_PILE
"""Cards that one of the two words of a pile counts."""

assert NUM_CARDS * BITS_IN_HAND == BITS_IN_WORD, "a hand must be one word"
assert NUM_CARDS * BITS_IN_PILE == 2 * BITS_IN_WORD, "a pile must be two words"
assert MAX_HAND_SIZE < 1 << BITS_IN_HAND - 1, "the top bit of a count in a hand must stay free"
assert MAX_DECK < 1 << BITS_IN_PILE - 1, "the top bit of a count in a pile must stay free"
assert Action.DISCARD_FOUR_ONO99 == NUM_CARDS, "the discard of four must follow the last card"

ONE = np.uint64(1)
_NO_CARDS = np.uint64(0)
_COUNT_IN_HAND = np.uint64(0xF)
_COUNT_IN_PILE = np.uint64(0xFF)
_LOG_CARDS_IN_WORD = 3
_SHIFT_1 = np.uint64(1)
_SHIFT_2 = np.uint64(2)
_SHIFT_3 = np.uint64(3)
_SHIFT_4 = np.uint64(4)
_SHIFT_6 = np.uint64(6)
_SHIFT_8 = np.uint64(8)
_SHIFT_12 = np.uint64(12)
_SHIFT_16 = np.uint64(16)
_SHIFT_24 = np.uint64(24)
_SHIFT_32 = np.uint64(32)
_LOW_WORD = np.uint64(0xFFFF_FFFF)
_SPREAD_16 = np.uint64(0x0000_FFFF_0000_FFFF)
_SPREAD_8 = np.uint64(0x00FF_00FF_00FF_00FF)
_SPREAD_4 = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
_GATHER_2 = np.uint64(0x0303_0303_0303_0303)
_GATHER_4 = np.uint64(0x000F_000F_000F_000F)
_GATHER_8 = np.uint64(0x0000_00FF_0000_00FF)
_GATHER_16 = np.uint64(0xFFFF)
_TOP_OF_HAND = np.uint64(BITS_IN_WORD - BITS_IN_HAND)
_TOP_OF_PILE = np.uint64(BITS_IN_WORD - BITS_IN_PILE)

ALL_CARDS = np.uint64(0x1111_1111_1111_1111)
"""The set of all sixteen cards: a one in every four-bit field."""

_ONE_PER_BYTE = np.uint64(0x0101_0101_0101_0101)
_TOP_BITS_OF_HAND = np.uint64(0x8888_8888_8888_8888)
_TOP_BITS_OF_PILE = np.uint64(0x8080_8080_8080_8080)
_TOP_BIT_IN_HAND = 1 << BITS_IN_HAND - 1
_TOP_BIT_IN_PILE = 1 << BITS_IN_PILE - 1

_NOTHING_BEFORE = [int(_ONE_PER_BYTE)] * CARDS_IN_WORD
_ONES_FROM = [
    int(_ONE_PER_BYTE) << BITS_IN_PILE * place & 2**BITS_IN_WORD - 1
    for place in range(CARDS_IN_WORD)
]
_LOW_FROM = np.array(_ONES_FROM + [0] * CARDS_IN_WORD, np.uint64)
_HIGH_FROM = np.array(_NOTHING_BEFORE + _ONES_FROM, np.uint64)
"""What one card adds to the two words of prefix sums of a pile."""


class PrefixSums(NamedTuple):
    """How many cards of a pile come up to each card, in the form of a pile."""

    low: Word
    """Sums up to the cards 0 to 7."""
    high: Word
    """Sums up to the cards 8 to 15; the top byte is the size of the pile."""


def card_set(*cards: int) -> np.uint64:
    """Return the set of some cards, for constants and tables; compiled code has `one_card`."""
    return np.uint64(sum(1 << BITS_IN_HAND * card for card in cards))


@inlined
def index(number: Whole) -> Word:
    """Return a number from 0 as an index; Numba would compare a signed one with 0 (wraparound)."""
    return np.uint64(number)


@inlined
def one_card(card: Whole) -> Word:
    """Return the hand, or set, that holds one `card`."""
    return ONE << np.uint64(BITS_IN_HAND * card)


@inlined
def count_in_hand(hand: Word, card: Whole) -> Whole:
    """Return how many of `card` a hand holds."""
    return np.int64((hand >> np.uint64(BITS_IN_HAND * card)) & _COUNT_IN_HAND)


@inlined
def hand_size(hand: Word) -> Whole:
    """Return how many cards a hand holds (for a set: how many cards are in the set)."""
    return np.int64((hand * ALL_CARDS) >> _TOP_OF_HAND)


@inlined
def held_among(hand: Word, cards: Word) -> Word:
    """Return the cards of a set of which a hand holds at least one."""
    pairs = hand | (hand >> _SHIFT_1)
    return (pairs | (pairs >> _SHIFT_2)) & cards


@inlined
def set_size(cards: Word) -> Whole:
    """Return how many cards are in a set."""
    return count_ones(cards)


@inlined
def nth_in_set(cards: Word, n: Whole) -> Whole:
    """Return the n-th card of a set of at most 7, from 0 in order of id; 16 if none is left.

    The n-th card is the first whose prefix sum exceeds n, so its id is how many sums do not. Take
    n + 8 minus the sum in every field: the top bit, worth 8, stays exactly where the sum is at most
    n. Three fields of the set of cards 0 and 2, for n = 1::

        card               2     1     0
        set                1     0     1
        prefix sum         2     1     1
        n + 8 - sum        7     8     8
        in binary       0111  1000  1000     two top bits are left: card 2

    No field borrows from the next one, since a sum is at most 7.
    """
    highest = np.uint64(n + _TOP_BIT_IN_HAND) * ALL_CARDS
    return count_ones((highest - cards * ALL_CARDS) & _TOP_BITS_OF_HAND)


@inlined
def bits_of_set(cards: Word) -> Whole:
    """Return a set of cards as 16 bits, card 0 lowest.

    Each step joins neighbours into fields of twice as many bits. Cards 0, 1 and 3::

        0x1011 (a bit in each four) -> 0x0203 (two in each byte) -> 0x000B (four in sixteen)
    """
    cards = (cards | (cards >> _SHIFT_3)) & _GATHER_2
    cards = (cards | (cards >> _SHIFT_6)) & _GATHER_4
    cards = (cards | (cards >> _SHIFT_12)) & _GATHER_8
    return np.int64((cards | (cards >> _SHIFT_24)) & _GATHER_16)


@inlined
def count_in_pile(pile: Pile, card: Whole) -> Whole:
    """Return how many of `card` a pile holds."""
    word, place = card >> _LOG_CARDS_IN_WORD, np.uint64(BITS_IN_PILE * (card & CARDS_IN_WORD - 1))
    return np.int64((pile[word] >> place) & _COUNT_IN_PILE)


@inlined
def add_to_pile(pile: Pile, card: Whole, count: Whole) -> None:
    """Put `count` cards of one kind on a pile."""
    pile.view(np.uint8)[index(card)] += np.uint8(count)


@inlined
def take_from_pile(pile: Pile, card: Whole) -> None:
    """Take one `card` off a pile that holds it."""
    pile.view(np.uint8)[index(card)] -= np.uint8(1)


@inlined
def add_hand_to_pile(pile: Pile, hand: Word) -> None:
    """Put all cards of a hand on a pile."""
    pile[0] += _bytes_of_nibbles(hand & _LOW_WORD)
    pile[1] += _bytes_of_nibbles(hand >> _SHIFT_32)


@inlined
def spread_hand(hand: Word, pile: Pile) -> None:
    """Write a hand in the form of a pile: sixteen counts of a byte each."""
    pile[0], pile[1] = bytes_of_hand(hand)


@inlined
def bytes_of_hand(hand: Word) -> tuple[Word, Word]:
    """Return the two words of a hand in the form of a pile."""
    return _bytes_of_nibbles(hand & _LOW_WORD), _bytes_of_nibbles(hand >> _SHIFT_32)


@inlined
def _bytes_of_nibbles(word: Word) -> Word:
    """Spread the eight four-bit fields of a 32-bit word over the eight bytes of a word."""
    word = (word | (word << _SHIFT_16)) & _SPREAD_16
    word = (word | (word << _SHIFT_8)) & _SPREAD_8
    return (word | (word << _SHIFT_4)) & _SPREAD_4


@inlined
def pile_size(pile: Pile) -> Whole:
    """Return how many cards a pile holds."""
    return np.int64(((pile[0] + pile[1]) * _ONE_PER_BYTE) >> _TOP_OF_PILE)


@inlined
def is_empty(pile: Pile) -> bool:
    """Return whether a pile holds no card."""
    return bool((pile[0] | pile[1]) == _NO_CARDS)


@inlined
def nth_in_pile(pile: Pile, n: Whole) -> Whole:
    """Return the n-th card of a pile in order of id, from 0; the pile has more than n."""
    return nth_by_sums(prefix_sums(pile), n)


@inlined
def prefix_sums(pile: Pile) -> PrefixSums:
    """Return the prefix sums of a pile; those of the second word continue from the first."""
    low = pile[0] * _ONE_PER_BYTE
    return PrefixSums(low, (pile[1] + (low >> _TOP_OF_PILE)) * _ONE_PER_BYTE)


@inlined
def write_pile(sums: PrefixSums, pile: Pile) -> None:
    """Write the pile of which these are the prefix sums: each count is a sum less the last one."""
    pile[0] = sums.low - (sums.low << _SHIFT_8)
    pile[1] = sums.high - (sums.high << _SHIFT_8) - (sums.low >> _TOP_OF_PILE)


@inlined
def sums_without(sums: PrefixSums, card: Whole) -> PrefixSums:
    """Return the prefix sums of a pile after one `card` is taken off it."""
    return PrefixSums(sums.low - _LOW_FROM[index(card)], sums.high - _HIGH_FROM[index(card)])


@inlined
def size_by_sums(sums: PrefixSums) -> Whole:
    """Return how many cards a pile holds, from its prefix sums."""
    return np.int64(sums.high >> _TOP_OF_PILE)


@inlined
def nth_by_sums(sums: PrefixSums, n: Whole) -> Whole:
    """Return the n-th card of a pile in order of id, from 0, from its prefix sums.

    As in `nth_in_set`, with fields of eight bits. Three fields of a pile that holds card 0 twice
    and card 2 three times, for n = 3::

        card                     2          1          0
        count                    3          0          2
        prefix sum               5          2          2
        n + 128 - sum          126        129        129
        in binary         01111110   10000001   10000001     two top bits are left: card 2

    Both words are always searched: which of them holds the card cannot be predicted.
    """
    highest = np.uint64(n + _TOP_BIT_IN_PILE) * _ONE_PER_BYTE
    in_low = count_ones((highest - sums.low) & _TOP_BITS_OF_PILE)
    return in_low + count_ones((highest - sums.high) & _TOP_BITS_OF_PILE)
