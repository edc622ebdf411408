"""The class of a game's record: it says in a line what it is."""

from typing import Any

import numpy as np


class StateRecord(np.record):  # type: ignore[misc]  # final in the stubs alone
    """One record of `ono99_env.engine.records.STATE`, which people may print."""

    __slots__ = ()

    def __repr__(self) -> str:
        fields: Any = self
        if fields.num_players == 0:
            return "<State of no game>"
        seat = fields.current_player
        turn = f"seat {seat} to act" if seat >= 0 else "nobody to act"
        hidden = int(fields.hidden_cards.sum())
        seen = f", {hidden} cards hidden" if hidden else ""
        return f"<State of {fields.num_players} players: total {fields.total}, {turn}{seen}>"

    __str__ = __repr__
