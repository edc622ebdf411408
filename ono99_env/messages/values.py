"""Check the type of a value that a user gives."""

from typing import Any

import numpy as np


def is_whole_number(value: Any) -> bool:
    """Return whether a value is an integer of Python or NumPy, but not a truth value."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
