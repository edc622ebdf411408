"""`SingleDecision`: run the network of a bot file on one observation, in memory that is kept.

A run of onnxruntime takes as long to check its inputs and to allocate its output as to compute
them. Here all three are bound to memory once, and a decision copies its numbers there.
"""

import threading

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from ono99_env.rules.cards import NUM_ACTIONS

_LOWEST = float(np.finfo(np.float32).min)


class SingleDecision:
    """Chooses the action of one view by the logits of a network.

    Args:
        session: Computes ``logits`` from ``observation`` and ``action_mask``.
        observation_size: Numbers in an observation.
    """

    def __init__(self, session: ort.InferenceSession, observation_size: int) -> None:
        self._session = session
        self._is_used = threading.Lock()
        self._observation = np.zeros((1, observation_size), np.float32)
        self._action_mask = np.zeros((1, NUM_ACTIONS), np.bool_)
        self._logits = np.zeros((1, NUM_ACTIONS), np.float32)
        self._binding = session.io_binding()
        self._binding.bind_cpu_input("observation", self._observation)
        self._binding.bind_cpu_input("action_mask", self._action_mask)
        place = self._logits.ctypes.data
        self._binding.bind_output("logits", "cpu", 0, np.float32, self._logits.shape, place)

    def choose(
        self, observation: NDArray[np.float32], action_mask: NDArray[np.bool_]
    ) -> int | None:
        """Return the action of the greatest logit if it is legal, and nothing is odd.

        Args:
            observation: Shape (1, features).
            action_mask: Shape (1, 17).

        Returns:
            The action. None if the memory is in use by another thread, or the greatest logit is not
            that of a legal action, or not an ordinary number.

        Raises:
            Exception: What onnxruntime raises, if the network cannot be computed.
        """
        if not self._is_used.acquire(blocking=False):
            return None
        try:
            self._observation[...] = observation
            self._action_mask[...] = action_mask
            self._session.run_with_iobinding(self._binding)
            action = int(self._logits.argmax())  # that of NaN, if there is one
            greatest = self._logits.item(action)
        finally:
            self._is_used.release()
        is_ordinary = _LOWEST < greatest < np.inf
        return action if is_ordinary and action_mask.item(action) else None
