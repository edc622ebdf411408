"""What most bots decide by: their own legal plays and a few public numbers.

Playing whole games in compiled code, a bot that looks at nothing else needs no redacted copy of the
record. The numbers stay in the processor's registers, and no hidden card is among them.
"""

from typing import NamedTuple

import numpy as np

from ono99_env.jit.compile import inlined
from ono99_env.jit.types import State, Whole, Word


class Turn(NamedTuple):
    """The player to act, as far as its own legal plays and public numbers (R21) tell."""

    legal_plays: Word
    """Set of the cards that it may play or bust with."""
    may_discard_four: Whole
    """1 if it may discard four ONO 99 cards (R12)."""
    total: Whole
    """Running total."""
    plays_owed: Whole
    """Cards that it still has to play this turn: 1 or 2."""
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
