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

from ono99_env.engine.compile import inlined
from ono99_env.engine.types import Pile, Whole, Word

ONE = np.uint64(1)
_NO_CARDS = np.uint64(0)
_FOUR_BITS = np.uint64(0xF)
_EIGHT_BITS = np.uint64(0xFF)
_SHIFT_1 = np.uint64(1)
_SHIFT_2 = np.uint64(2)
_SHIFT_3 = np.uint64(3)
_SHIFT_7 = np.uint64(7)
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
def kinds_in_hand(hand: Word) -> Word:
    """The set of cards of which a hand holds at least one."""
    pairs = hand | (hand >> _SHIFT_1)
    return (pairs | (pairs >> _SHIFT_2)) & ALL_CARDS


@inlined
def nth_in_set(cards: Word, n: Whole) -> Whole:
    """The n-th card of a set, in order of card id, counted from 0; the set has more than n."""
    # The high bit of a field stays where its prefix sum is at most n.
    below = ((np.uint64(n + 8) * ALL_CARDS - cards * ALL_CARDS) >> _SHIFT_3) & ALL_CARDS
    return np.int64((below * ALL_CARDS) >> _TOP_FOUR)


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
    pile[index(card >> 3)] += np.uint64(count) << np.uint64(8 * (card & 7))


@inlined
def take_from_pile(pile: Pile, card: Whole) -> None:
    """Take one `card` off a pile that holds it."""
    pile[index(card >> 3)] -= ONE << np.uint64(8 * (card & 7))


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
    low = pile[0] * _ONE_PER_BYTE
    high = (pile[1] + (low >> _TOP_EIGHT)) * _ONE_PER_BYTE
    # The high bit of a byte stays where its sum is at most n. Both words are searched: in which
    # one the card is cannot be predicted.
    most = np.uint64(n + 128) * _ONE_PER_BYTE
    below = (((most - low) >> _SHIFT_7) & _ONE_PER_BYTE) + (
        ((most - high) >> _SHIFT_7) & _ONE_PER_BYTE
    )
    return np.int64((below * _ONE_PER_BYTE) >> _TOP_EIGHT)
