"""Type names of what compiled functions pass around.

The fields of a NumPy record are untyped scalars and views, so to a type checker these are all
`Any`; the names tell a reader which is which.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Word: TypeAlias = Any
"""A NumPy ``uint64``."""

Whole: TypeAlias = Any
"""A NumPy ``int64`` (compiled code must not mix it with a `Word`: Numba would make a float)."""

Pile: TypeAlias = Any
"""A view of a record's pile: two ``uint64`` words."""

State: TypeAlias = Any
"""One record of `ono99_env.engine.records.STATE`: a whole game."""

RulesRecord: TypeAlias = Any
"""One record of `ono99_env.engine.records.RULES`: what the compiled rules read."""

States: TypeAlias = NDArray[np.void]
"""An array of `STATE` records."""

RulesArray: TypeAlias = NDArray[np.void]
"""A length-1 array of a `RULES` record: cheaper to pass to a compiled function than a record."""

ScalesArray: TypeAlias = NDArray[np.void]
"""A length-1 array of a `ono99_env.observation.scales.SCALES` record."""

Scales: TypeAlias = Any
"""One record of `SCALES`: what the counts of an observation are multiplied by."""

Choice: TypeAlias = Any
"""One record of `ono99_env.observation.chosen_vector.CHOICE`: which features are written."""

Vector: TypeAlias = Any
"""One record of `ono99_env.observation.layout.OBSERVATION`: what a seat observes."""

Unscaled: TypeAlias = Any
"""One record of `ono99_env.observation.counts.UNSCALED`: an observation in bytes."""

Compact: TypeAlias = Any
"""One record of `ono99_env.observation.look.COMPACT`: what a seat may know, and the seat."""

Mask: TypeAlias = Any
"""One record of `ono99_env.observation.layout.MASK`: the actions that a seat may take."""

Roster: TypeAlias = Any
"""One record of `ono99_env.tables.table_loop.ROSTER`: who plays at a table."""

Rosters: TypeAlias = NDArray[np.void]
"""An array of `ROSTER` records."""

Bots: TypeAlias = Any
"""One record of `ono99_env.tables.table_loop.BOTS`: what each bot is in compiled code."""

Episode: TypeAlias = Any
"""One record of `ono99_env.tables.episode_outcome.EPISODE`: the learner's part in a game."""

NewGames: TypeAlias = Any
"""One record of `ono99_env.tables.opponents.NEW_GAMES`: what new games are drawn from."""
