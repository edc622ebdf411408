"""What travels between the process that learns and those that play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.self_play.league import LeagueCounts


@dataclass(frozen=True)
class PolicySnapshot:
    """A past state of the policy."""

    taken_after: int
    """Decisions that the learner had made."""
    weights: Mapping[str, NDArray[np.float32]]
    """Of a `PolicyNetwork`, by name."""


@dataclass(frozen=True)
class Order:
    """What to play. A restarted process needs only this and the weights."""

    decisions: int
    """Decisions that the learner has made."""
    snapshots: Mapping[int, PolicySnapshot]
    """The snapshots that new games meet, by their places in the league."""


@dataclass(frozen=True)
class Rollout:
    """What a process has played."""

    columns: Mapping[str, NDArray[np.generic]]
    """The decisions to train on, one row for each, under RLlib's names."""
    decisions: int
    """How many decisions were made. There may be some more or fewer rows: the last decision of a
    seat that is still playing is trained on with the next rollout."""
    counts: LeagueCounts
    """What the league counted."""
    returns: Sequence[float]
    """What the learner's seats got on average in each finished game that had a bot."""


def shuffle_rows(
    rollouts: Sequence[Rollout], rng: np.random.Generator
) -> dict[str, NDArray[np.generic]]:
    """Return the rows of several rollouts in random order.

    Args:
        rollouts: What was played.
        rng: Draws the order, for minibatches and learners take rows as they come.
    """
    order = rng.permutation(sum(len(next(iter(each.columns.values()))) for each in rollouts))
    return {
        name: np.concatenate([each.columns[name] for each in rollouts])[order]
        for name in rollouts[0].columns
    }
