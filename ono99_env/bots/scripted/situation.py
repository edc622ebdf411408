"""The turn of the player to act: its legal plays and a few public numbers.

Most bots decide by these alone. In compiled games they then need no redacted copy of the record:
the numbers stay in registers, and no hidden card is among them.
"""

from typing import NamedTuple

import numpy as np

from ono99_env.jit.compile import inlined
from ono99_env.jit.types import State, Whole, Word


class Turn(NamedTuple):
    """The legal plays of the player to act and public numbers of its turn (R21)."""

    legal_plays: Word
    """Set of the cards that the player may play or bust with."""
    may_discard_four: Whole
    """1 if the player may discard four ONO 99 cards (R12)."""
    total: Whole
    """Running total."""
    plays_owed: Whole
    """Cards that the player still has to play this turn: 1 or 2."""
    players_left: Whole
    """Players in the round."""


@inlined
def turn_of(state: State) -> Turn:
    """Return the turn of the player to act, from a record that may be redacted for that player."""
    return Turn(
        state.legal_plays,
        np.int64(state.may_discard_four),
        np.int64(state.total),
        np.int64(state.plays_owed),
        np.int64(state.players_left),
    )
