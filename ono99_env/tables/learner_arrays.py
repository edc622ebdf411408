"""What the episodes of a learner write: what it sees, what its steps bring, how they end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ono99_env.observation.chosen_features import vector_size
from ono99_env.observation.look import COMPACT
from ono99_env.rules.cards import NUM_ACTIONS
from ono99_env.tables.episode_outcome import EPISODE, OUTCOME_NAMES


class LearnerArrays:
    """The learner's part at each of many tables, and what it sees there.

    Args:
        num_envs: How many tables there are.
        features: The names of the features that the vectors hold.
        compact: Whether observations are records of `ono99_env.observation.COMPACT` as bytes.
    """

    def __init__(self, num_envs: int, features: tuple[str, ...], compact: bool) -> None:
        size, kind = (
            (COMPACT.itemsize, np.uint8) if compact else (vector_size(features), np.float32)
        )
        self.episodes = np.zeros(num_envs, EPISODE)
        """The learner's part at each table, a record of `EPISODE`, shape (num_envs,)."""
        self.observation: NDArray[Any] = np.zeros((num_envs, size), kind)
        """What the learner sees at each table, shape (num_envs, features)."""
        self.action_mask = np.zeros((num_envs, NUM_ACTIONS), np.int8)
        """What the learner may do at each table, shape (num_envs, 17)."""
        self.final_observation: NDArray[Any] = np.zeros((num_envs, size), kind)
        """What the learner saw last where an episode ended, shape (num_envs, features)."""

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

    @property
    def outcomes(self) -> NDArray[np.void]:
        """How the last episode ended at each table, records of `OUTCOME`, shape (num_envs,)."""
        outcomes: NDArray[np.void] = self.episodes["outcome"]
        return outcomes

    def outcome_info(self, table: int) -> dict[str, int]:
        """Return how the last episode ended at a table, as its info says it: see `OUTCOME`."""
        record: Any = self.episodes.item(table)  # a tuple, in a tenth of the time of a record
        return dict(zip(OUTCOME_NAMES, record[-1], strict=True))
