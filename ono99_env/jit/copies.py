"""Make and copy records fast: NumPy goes through all their fields, which takes far longer."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def zero_records(count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return zeroed records, shape (count,), as ``np.zeros(count, dtype)`` gives them.

    Args:
        count: How many.
        dtype: Of the records.
    """
    return np.ndarray((count,), dtype, bytearray(count * dtype.itemsize))


def copy_records(records: NDArray[Any]) -> NDArray[Any]:
    """Return a writeable copy of records, C-contiguous and aligned, whose bytes are copied.

    Args:
        records: Any shape and layout.
    """
    if records.size == 0:
        return records.copy()
    return np.frombuffer(bytearray(records.tobytes()), records.dtype).reshape(records.shape)


def take_records(records: NDArray[Any], indices: NDArray[np.int64]) -> NDArray[Any]:
    """Return a copy of some records, as ``records[indices]`` gives it.

    Args:
        records: Shape (n,), C-contiguous.
        indices: Shape (k,).
    """
    return records.view(np.dtype((np.void, records.itemsize)))[indices].view(records.dtype)
