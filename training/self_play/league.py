"""The league: past snapshots of the learner, and which of them it meets.

Prioritised fictitious self-play, as in AlphaStar (Vinyals et al., "Grandmaster level in StarCraft
II using multi-agent reinforcement learning", Nature 2019): a snapshot that the learner beats with
probability p is chosen with weight (1 - p) ** power, so it meets most often those that it finds
hard.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.jit.types import States
from ono99_env.tables import win_shares
from training.networks.policy_network import PolicyNetwork
from training.self_play.self_play_tables import learner_seats
from training.self_play.snapshot_bot import SnapshotBot

_KEPT = 0.98
"""How much of an old result counts after each choice: some fifty choices are remembered."""

_STATE_ARRAYS = ("wins", "seats", "taken_after")

_PRIOR_SEATS = 20.0
_PRIOR_SHARE = 0.2
"""A new snapshot counts as a draw over this many seats that win this often."""


class LeagueCounts(NamedTuple):
    """What a league counted; see the attributes of `League`."""

    wins: NDArray[np.float64]
    seats: NDArray[np.float64]


class League:
    """A pool of snapshots, each with the record of the learner against it.

    Args:
        capacity: How many snapshots it holds at most.
        first_holder: Index of the first one among the bots of the tables.
        power: Exponent of the weight; 0 chooses evenly.
        seed: Start of the randomness of choices.
    """

    def __init__(self, capacity: int, first_holder: int, power: float, seed: int) -> None:
        self.bots = [SnapshotBot(f"snapshot {number}") for number in range(capacity)]
        """All places of the pool, shape (capacity,)."""
        self.size = 0
        """How many places are taken, from the front."""
        self.rng = np.random.default_rng(seed)
        self.wins = np.zeros((capacity, 2))
        """Shares of wins in games with each snapshot: the learner's, the snapshot's."""
        self.seats = np.zeros((capacity, 2))
        """Seats held in these games: the learner's, the snapshot's."""
        self.taken_after = np.zeros(capacity, np.int64)
        """Decisions that the learner had made when each snapshot was taken."""
        self._first_holder = first_holder
        self._power = power

    @property
    def win_rates(self) -> NDArray[np.float64]:
        """The learner's share of the wins against each snapshot, seat for seat, shape (size,)."""
        rates = self.wins[: self.size] / self.seats[: self.size]
        shares: NDArray[np.float64] = rates[:, 0] / rates.sum(axis=1)
        return shares

    def state_dict(self) -> dict[str, Any]:
        """Return the record of the pool and its generator, without the snapshots' weights."""
        arrays = {name: vars(self)[name].copy() for name in _STATE_ARRAYS}
        return {**arrays, "size": self.size, "rng": self.rng.bit_generator.state}

    def load_state_dict(
        self, state: Mapping[str, Any], snapshot: Callable[[int], PolicyNetwork]
    ) -> None:
        """Restore the state of another league of the same capacity.

        Args:
            state: What its `state_dict` gave.
            snapshot: Gives the snapshot that was taken after that many decisions.
        """
        for name in _STATE_ARRAYS:
            vars(self)[name][:] = state[name]
        self.size = state["size"]
        self.rng.bit_generator.state = state["rng"]
        for bot, decisions in zip(self.bots, self.taken_after[: self.size], strict=False):
            bot.become(snapshot(int(decisions)))

    def add(self, snapshot: PolicyNetwork, decisions: int) -> None:
        """Take in a snapshot; in a full pool it replaces the one that the learner beats most.

        Args:
            snapshot: A copy of the learner's policy.
            decisions: How many decisions the learner has made.
        """
        place = self.size
        if self.size == len(self.bots):
            place = int(self.win_rates.argmax())
        self.size = max(self.size, place + 1)
        self.bots[place].become(snapshot)
        self.taken_after[place] = decisions
        self.seats[place] = _PRIOR_SEATS
        self.wins[place] = _PRIOR_SEATS * _PRIOR_SHARE

    def choose(self, count: int) -> list[int]:
        """Choose the snapshots to meet next.

        Args:
            count: How many at most.

        Returns:
            Their holder indices at the tables, without repetition.
        """
        if not self.size:
            return []
        self.wins *= _KEPT
        self.seats *= _KEPT
        weights = (1 - self.win_rates) ** self._power + 1e-6
        chosen = self.rng.choice(
            self.size, min(count, self.size), replace=False, p=weights / weights.sum()
        )
        return [self._first_holder + int(place) for place in chosen]

    def take_counts(self) -> LeagueCounts:
        """Return the counts since the last call, for another process's league; set them to 0."""
        counts = LeagueCounts(self.wins.copy(), self.seats.copy())
        self.wins[:] = self.seats[:] = 0.0
        return counts

    def add_counts(self, counts: LeagueCounts) -> None:
        """Add what the league of another process counted.

        Args:
            counts: What its `take_counts` gave.
        """
        self.wins += counts.wins
        self.seats += counts.seats

    def record(self, games: States, holders: NDArray[np.int8]) -> None:
        """Count the results of games that were left.

        Args:
            games: Their last records, shape (k,).
            holders: Who held their seats, shape (k, 8).
        """
        is_learner = learner_seats(holders, games)
        is_seat = np.arange(holders.shape[1]) < games["num_players"][:, None]
        shares = win_shares(games)
        places = np.where(is_seat, holders.astype(np.int64) - self._first_holder, -1)
        for place in np.unique(places[places >= 0]):
            is_own = places == place
            is_met = is_own.any(axis=1)
            for side, held in enumerate((is_learner[is_met], is_own[is_met])):
                self.wins[place, side] += shares[is_met][held].sum()
                self.seats[place, side] += held.sum()
