"""Deal the cards that a seat cannot see, at random and consistently with what it knows.

A redacted record holds all unseen cards in its draw pile, and how many of them each hand holds. All
ways to deal them are equally likely given the record, so every hidden hand is dealt from the pile,
card by card. The result is a whole game, a *determinization*, that looks to the observer exactly
like the game being played.
"""

import numpy as np
from numpy.typing import NDArray

from ono99_env.engine import generator, words
from ono99_env.jit.compile import called_from_python, compiled
from ono99_env.jit.types import State, States, Whole, Word

_OTHER_STREAM = np.uint64(0xD6E8_FEB8_6659_FD93)


@compiled
def numbered_seed(seed: Word, number: Whole) -> Word:
    """Return the n-th of many independent seeds that follow from one seed."""
    return generator.seeded(seed ^ generator.scramble(np.uint64(number) + _OTHER_STREAM))


@compiled
def deal_unseen(view: State, seed: Word) -> None:
    """Turn a redacted record into a whole game; a seed decides hidden hands and future draws.

    Args:
        view: A copy of a redacted record; overwritten.
        seed: A random word.
    """
    counter = generator.seeded(seed)
    for seat in range(view.num_players):
        for _ in range(view.hidden_cards[seat]):
            counter = generator.advance(counter)
            size = words.pile_size(view.draw_pile)
            chosen = generator.below(generator.scramble(counter), size)
            card = words.nth_in_pile(view.draw_pile, chosen)
            words.take_from_pile(view.draw_pile, card)
            view.hands[seat] += words.one_card(card)
        view.hidden_cards[seat] = 0
    view.random_counter = counter


@called_from_python
def determinize(views: States, seeds: NDArray[np.uint64]) -> None:
    """Turn every redacted record of a batch into a whole game, in place."""
    for index in range(len(views)):
        deal_unseen(views[index], seeds[index])
