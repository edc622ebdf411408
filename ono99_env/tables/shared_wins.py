"""How the seats of a game share its win."""

import numpy as np
from numpy.typing import NDArray

from ono99_env.jit.types import States
from ono99_env.rules.cards import MAX_PLAYERS


def win_shares(games: States) -> NDArray[np.float64]:
    """Return each seat's share of the win, shape (games, 8): all still in the match share it.

    For a game that was left unfinished this is the expectation if all who are left play alike.
    """
    is_in = games["in_match"].astype(np.int64)[:, None] >> np.arange(MAX_PLAYERS) & 1
    shares: NDArray[np.float64] = is_in / is_in.sum(axis=1, keepdims=True)
    return shares
