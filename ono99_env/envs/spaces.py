"""The spaces that all environments share."""

from typing import Any, cast

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ono99_env.observation.chosen_features import PRESETS, vector_size
from ono99_env.observation.look import COMPACT
from ono99_env.rules.cards import NUM_ACTIONS


class ActionSpace(Discrete):
    """``Discrete(17)`` whose masked samples cost a tenth of Gymnasium's."""

    def __init__(self) -> None:
        super().__init__(NUM_ACTIONS)

    def sample(
        self,
        mask: NDArray[Any] | None = None,
        probability: NDArray[Any] | None = None,
    ) -> np.int64:
        """Draw an action, evenly among those that a mask allows.

        Args:
            mask: 1 for each action that may be drawn, shape (17,).
            probability: Probability of each action instead, shape (17,).

        Raises:
            ValueError: If the mask allows no action.
        """
        if mask is None or probability is not None:
            return super().sample(mask, probability)
        allowed = mask.nonzero()[0]
        if not len(allowed):
            raise ValueError("the mask allows no action: this seat is not to act")
        # Several times as fast as drawing an integer; with 17 actions just as even.
        action: np.int64 = allowed[int(self.np_random.random() * len(allowed))]
        return action

    def __repr__(self) -> str:
        """Return what Gymnasium's own space shows."""
        return f"Discrete({NUM_ACTIONS})"


def observation_space(features: tuple[str, ...] = PRESETS["full"]) -> Box:
    """Return the space of vectors in [-1, 1].

    Args:
        features: What they hold, as `resolve_features` returns it; `layout_of` says where.
    """
    return Box(-1.0, 1.0, (vector_size(features),), np.float32)


def compact_observation_space() -> Box:
    """Return the space of records as bytes; the layout is `ono99_env.observation.COMPACT`."""
    return Box(0, 255, (COMPACT.itemsize,), np.uint8)


def batched_box(space: Box, num_envs: int) -> Box:
    """Return `gymnasium.vector.utils.batch_space` of a box, with bounds that take no memory.

    Gymnasium's own holds two numbers and two flags for each number of an observation, which is two
    and a half times as much as the observations themselves. Here every table shows the same ones.

    Args:
        space: The space of one table, shape (n,).
        num_envs: How many tables there are.

    Returns:
        The space of all of them, shape (num_envs, n).
    """
    batch: Any = batch_space(space, 1)
    batch._shape = (num_envs, *space.shape)
    for name in ("low", "high", "bounded_below", "bounded_above"):
        setattr(batch, name, np.broadcast_to(getattr(space, name), batch.shape))
    return cast("Box", batch)


def masked_observation_space(features: tuple[str, ...] = PRESETS["full"]) -> Dict:
    """Return the space of one agent's observation in the AEC environment: vector and mask.

    Args:
        features: See `observation_space`.
    """
    mask = Box(0, 1, (NUM_ACTIONS,), np.int8)
    return Dict({"observation": observation_space(features), "action_mask": mask})
