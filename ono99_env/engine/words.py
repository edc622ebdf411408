"""Sets of cards as 64-bit words, so that counting and choosing cards take no loop.

- A *hand* is one word of sixteen four-bit counts, card 0 lowest.
- A *set of cards* is a hand word with every count 0 or 1.
- A *pile* is two words of eight one-byte counts, card 0 lowest in the first word.

Multiplying such a word by a word of ones leaves in each field the sum of all fields up to it
(the carry never leaves a field: hands hold at most 7 cards, piles at most 127). These prefix sums
give the number of cards and find the n-th card; the technique is "SIMD within a register", see
Warren, Hacker's Delight (2012), chapters 2 and 5.
"""

import numpy as np

from ono99_env.jit.compile import inlined
from ono99_env.jit.instructions import count_ones
from ono99_env.jit.types import Pile, Whole, Word

ONE = np.uint64(1)
_NO_CARDS = np.uint64(0)
_FOUR_BITS = np.uint64(0xF)
_EIGHT_BITS = np.uint64(0xFF)
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
_TOP_FOUR = np.uint64(60)
_TOP_EIGHT = np.uint64(56)

ALL_CARDS = np.uint64(0x1111_1111_1111_1111)
"""The set of all sixteen cards: a one in every four-bit field."""

_ONE_PER_BYTE = np.uint64(0x0101_0101_0101_0101)
_TOP_BITS_4 = np.uint64(0x8888_8888_8888_8888)
_TOP_BITS_8 = np.uint64(0x8080_8080_8080_8080)
_ONES_FROM = [int(_ONE_PER_BYTE) << 8 * place & 2**64 - 1 for place in range(8)]
_LOW_FROM = np.array(_ONES_FROM + [0] * 8, np.uint64)
_HIGH_FROM = np.array([int(_ONE_PER_BYTE)] * 8 + _ONES_FROM, np.uint64)
"""What a card adds to the prefix sums of a pile."""


@inlined
def index(number: Whole) -> Word:
    """A number from 0 as an index; a signed one Numba would first compare with 0 (wraparound)."""
    return np.uint64(number)


@inlined
def one_card(card: Whole) -> Word:
    """The hand word, or set, that holds one `card`."""
    return ONE << np.uint64(4 * card)


@inlined
def count_in_hand(hand: Word, card: Whole) -> Whole:
    """How many of `card` a hand holds."""
    return np.int64((hand >> np.uint64(4 * card)) & _FOUR_BITS)


@inlined
def hand_size(hand: Word) -> Whole:
    """How many cards a hand holds (for a set: how many cards are in the set)."""
    return np.int64((hand * ALL_CARDS) >> _TOP_FOUR)


@inlined
def kinds_among(hand: Word, cards: Word) -> Word:
    """The cards of a set of which a hand holds at least one."""
    pairs = hand | (hand >> _SHIFT_1)
    return (pairs | (pairs >> _SHIFT_2)) & cards


@inlined
def set_size(cards: Word) -> Whole:
    """How many cards are in a set."""
    return count_ones(cards)


@inlined
def nth_in_set(cards: Word, n: Whole) -> Whole:
    """The n-th card of a set of at most 7, counted from 0 in order of id; 16 if none is left."""
    # The high bit of a field stays where its prefix sum is at most n.
    return count_ones((np.uint64(n + 8) * ALL_CARDS - cards * ALL_CARDS) & _TOP_BITS_4)


@inlined
def bits_of_set(cards: Word) -> Whole:
    """A set of cards as 16 bits, card 0 lowest."""
    cards = (cards | (cards >> _SHIFT_3)) & _GATHER_2
    cards = (cards | (cards >> _SHIFT_6)) & _GATHER_4
    cards = (cards | (cards >> _SHIFT_12)) & _GATHER_8
    return np.int64((cards | (cards >> _SHIFT_24)) & _GATHER_16)


@inlined
def count_in_pile(pile: Pile, card: Whole) -> Whole:
    """How many of `card` a pile holds."""
    return np.int64((pile[card >> 3] >> np.uint64(8 * (card & 7))) & _EIGHT_BITS)


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
    pile[0] = _bytes_of_nibbles(hand & _LOW_WORD)
    pile[1] = _bytes_of_nibbles(hand >> _SHIFT_32)


@inlined
def _bytes_of_nibbles(word: Word) -> Word:
    """Spread the eight four-bit fields of a 32-bit word over the eight bytes of a word."""
    word = (word | (word << _SHIFT_16)) & _SPREAD_16
    word = (word | (word << _SHIFT_8)) & _SPREAD_8
    return (word | (word << _SHIFT_4)) & _SPREAD_4


@inlined
def pile_size(pile: Pile) -> Whole:
    """How many cards a pile holds."""
    return np.int64(((pile[0] + pile[1]) * _ONE_PER_BYTE) >> _TOP_EIGHT)


@inlined
def is_empty(pile: Pile) -> bool:
    """Whether a pile holds no card."""
    return bool((pile[0] | pile[1]) == _NO_CARDS)


@inlined
def nth_in_pile(pile: Pile, n: Whole) -> Whole:
    """The n-th card of a pile sorted by card id, counted from 0; the pile has more than n."""
    low, high = prefix_sums(pile)
    return nth_by_sums(low, high, n)


@inlined
def prefix_sums(pile: Pile) -> tuple[Word, Word]:
    """How many cards of a pile come up to each card, in the form of a pile."""
    low = pile[0] * _ONE_PER_BYTE
    return low, (pile[1] + (low >> _TOP_EIGHT)) * _ONE_PER_BYTE


@inlined
def counts_of_sums(low: Word, high: Word) -> tuple[Word, Word]:
    """The two words of the pile of which these are the prefix sums."""
    return low - (low << _SHIFT_8), high - (high << _SHIFT_8) - (low >> _TOP_EIGHT)


@inlined
def sums_without(low: Word, high: Word, card: Whole) -> tuple[Word, Word]:
    """The prefix sums of a pile after one `card` is taken off it."""
    return low - _LOW_FROM[index(card)], high - _HIGH_FROM[index(card)]


@inlined
def size_by_sums(high: Word) -> Whole:
    """How many cards a pile holds, from the second word of its prefix sums."""
    return np.int64(high >> _TOP_EIGHT)


@inlined
def nth_by_sums(low: Word, high: Word, n: Whole) -> Whole:
    """The n-th card of a pile, from its prefix sums."""
    # The high bit of a byte stays where its sum is at most n. Both words are searched: in which
    # one the card is cannot be predicted.
    most = np.uint64(n + 128) * _ONE_PER_BYTE
    return count_ones((most - low) & _TOP_BITS_8) + count_ones((most - high) & _TOP_BITS_8)
