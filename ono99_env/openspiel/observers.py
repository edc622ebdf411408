"""The observer that OpenSpiel asks for strings and tensors."""

from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ono99_env.observation import OBSERVATION_SIZE
from ono99_env.openspiel.events import describe, seen_by
from ono99_env.openspiel.information import information_string, tensor_shape, write_tensor
from ono99_env.openspiel.observations import (
    hand_string,
    observation_string,
    observation_vector,
    public_string,
)
from ono99_env.openspiel.open_table import BoundedRules

_ONE_PLAYER = pyspiel.PrivateInfoType.SINGLE_PLAYER
_NOTHING = pyspiel.PrivateInfoType.NONE


class Ono99Observer:
    """Writes what a seat sees, or has seen, into a tensor and a string.

    Args:
        setup: The rules.
        observed: Which part of it: what everyone knows, what only the seat knows, or both; now, or
            since the game began (perfect recall). Only both together have a tensor.

    Raises:
        ValueError: For the private information of all seats at once.
    """

    def __init__(self, setup: BoundedRules, observed: Any) -> None:
        if observed.private_info not in (_ONE_PLAYER, _NOTHING):
            raise ValueError("one seat's private information can be observed, not that of all")
        self._setup, self._recalls = setup, observed.perfect_recall
        self._shows_public = observed.public_info
        self._shows_private = observed.private_info == _ONE_PLAYER
        self.tensor: NDArray[np.float32] | None = None
        """The flat tensor, written over by `set_from`; None if there is only a string."""
        self.dict: dict[str, NDArray[np.float32]] = {}
        """Its parts by name and in shape."""
        if self._shows_public and self._shows_private:
            self._allocate()

    def set_from(self, state: Any, player: int) -> None:
        """Write the tensor of a seat."""
        if self.tensor is None:
            return
        if self._recalls:
            self.dict["player"][:] = np.arange(self._setup.rules.num_players) == player
            write_tensor(self._setup, state.table.events, player, self.dict["events"])
        else:
            self.tensor[:] = observation_vector(self._setup.rules, state.table.games, player)

    def string_from(self, state: Any, player: int) -> str:
        """Return the string of a seat."""
        table = state.table
        if self._shows_public and self._shows_private:
            if self._recalls:
                return information_string(table.events, player)
            return observation_string(self._setup.rules, table.games, player)
        if self._shows_private:
            drawn = [event for event in seen_by(table.events, player) if event.kind == "draw"]
            return describe(drawn) if self._recalls else hand_string(table.games, player)
        if self._shows_public:
            public = [event for event in table.events if event.kind != "draw"]
            return describe(public) if self._recalls else public_string(table.games[0])
        return ""

    def _allocate(self) -> None:
        if not self._recalls:
            self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
            self.dict = {"observation": self.tensor}
            return
        seats, shape = self._setup.rules.num_players, tensor_shape(self._setup)
        self.tensor = np.zeros(seats + shape[0] * shape[1], np.float32)
        self.dict = {
            "player": self.tensor[:seats],
            "events": self.tensor[seats:].reshape(shape),
        }
