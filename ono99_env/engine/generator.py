"""Random numbers from a counter in the record: splitmix64.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The n-th
number depends only on the seed and n, so a copied or saved record continues exactly, on every
platform.
"""

import numpy as np

from ono99_env.jit.compile import inlined
from ono99_env.jit.types import Whole, Word

_STEP = np.uint64(0x9E37_79B9_7F4A_7C15)
_MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
_MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
_SHIFT_27 = np.uint64(27)
_SHIFT_30 = np.uint64(30)
_SHIFT_31 = np.uint64(31)
_SHIFT_32 = np.uint64(32)


@inlined
def scramble(word: Word) -> Word:
    """Map a word to a random-looking word, one to one."""
    word = (word ^ (word >> _SHIFT_30)) * _MIX_1
    word = (word ^ (word >> _SHIFT_27)) * _MIX_2
    return word ^ (word >> _SHIFT_31)


@inlined
def seeded(seed: Word) -> Word:
    """Return the first counter for a seed; adjacent seeds give counters that are far apart."""
    return scramble(seed + _STEP)


@inlined
def advance(counter: Word) -> Word:
    """Return the counter after `counter`; scramble it to get its random number."""
    return counter + _STEP


@inlined
def below(random: Word, bound: Whole) -> Whole:
    """Map a random word to 0 .. bound - 1, evenly to one part in 2**32 / bound.

    Lemire, "Fast random integer generation in an interval", ACM TOMACS 2019, without the rejection.
    """
    return np.int64(((random >> _SHIFT_32) * np.uint64(bound)) >> _SHIFT_32)


@inlined
def happens(random: Word, threshold: Word) -> bool:
    """Return whether an event of probability ``threshold / 2**32`` happens for a random word."""
    return bool((random >> _SHIFT_32) < threshold)
