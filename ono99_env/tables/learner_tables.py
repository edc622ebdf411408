"""Tables with one learner seat each, and what the learner sees there."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots import Bot
from ono99_env.jit.types import State
from ono99_env.observation.layout import OBSERVATION_SIZE
from ono99_env.observation.views import COMPACT
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.rules.rules import Rules
from ono99_env.tables.episode_records import EPISODE
from ono99_env.tables.looking import NO_RECORDS, NO_VECTORS, look_at_tables
from ono99_env.tables.tables import Tables


class LearnerTables:
    """The arrays of a learner at many tables.

    Args:
        rules: The rules of all games.
        bots: The bots that may hold the other seats.
        num_envs: How many tables run side by side.
        num_threads: On how many threads tables are stepped.
        compact: Whether observations are records of `ono99_env.observation.views.COMPACT` as bytes.
    """

    def __init__(
        self, rules: Rules, bots: Sequence[Bot], num_envs: int, num_threads: int, compact: bool
    ) -> None:
        self.rules = rules
        self.tables = Tables(rules, bots, num_envs, num_threads=num_threads)
        self.episodes = np.zeros(num_envs, EPISODE)
        """The learner's part at each table, a record of `EPISODE`, shape (num_envs,)."""
        self._is_compact = compact
        self.observation = self.empty_observation(num_envs)
        """What the learner sees at each table, shape (num_envs, features)."""
        self.action_mask = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        """What the learner may do at each table, shape (num_envs, 17)."""
        self.final_observation = self.empty_observation(num_envs)
        """What the learner saw last where an episode ended, shape (num_envs, features)."""
        self._all = np.arange(num_envs)

    def __len__(self) -> int:
        """How many tables there are."""
        return len(self._all)

    # Properties, since a view that is stored would be cut off from its array in a pickled copy.
    @property
    def learner_seats(self) -> NDArray[np.int16]:
        """The learner's seat at each table, shape (num_envs,)."""
        seats: NDArray[np.int16] = self.episodes["learner_seat"]
        return seats

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What the last step brought at each table, shape (num_envs,)."""
        rewards: NDArray[np.float32] = self.episodes["reward"]
        return rewards

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Where it ended the episode, shape (num_envs,): the learner is out or the game over."""
        terminated: NDArray[np.bool_] = self.episodes["terminated"]
        return terminated

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Where it cut the game short (R22), shape (num_envs,)."""
        truncated: NDArray[np.bool_] = self.episodes["truncated"]
        return truncated

    def empty_observation(self, size: int) -> NDArray[Any]:
        """An array for what the learner sees at so many tables, of zeros."""
        if self._is_compact:
            return np.zeros((size, COMPACT.itemsize), np.uint8)
        return np.zeros((size, OBSERVATION_SIZE), np.float32)

    def look(
        self,
        tables: NDArray[np.int64],
        rows: NDArray[np.int64],
        observation: NDArray[Any],
        action_mask: NDArray[np.int8],
    ) -> None:
        """Write what the learner sees and may do at the given tables.

        Args:
            tables: Which tables, shape (k,).
            rows: Where to write what, shape (k,).
            observation: Zeros or earlier observations, shape (rows, features).
            action_mask: Shape (rows, 17).
        """
        seats = self.learner_seats.astype(np.int64)
        look_at_tables(
            *(self.tables.games, self.tables.rules_array, tables, seats, rows),
            *self._by_kind(observation),
            action_mask,
        )

    def _by_kind(self, observation: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """What compiled functions take: vectors and compact records, no rows of one of them."""
        return (NO_VECTORS, observation) if self._is_compact else (observation, NO_RECORDS)

    def view(self, table: int) -> State:
        """What the learner at a table may know, as a redacted record."""
        seat = np.array([self.learner_seats[table]], np.int64)
        return self.tables.views(np.array([table]), seat).states[0]
