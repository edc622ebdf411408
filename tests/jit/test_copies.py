"""Copies of records are equal to NumPy's, writeable, and share no memory."""

import numpy as np
import pytest

from ono99_env import Game
from ono99_env.engine.records import STATE
from ono99_env.jit.compile import as_read_only
from ono99_env.jit.copies import copy_records, take_records, zero_records


@pytest.fixture
def records():
    return np.array([Game(seed=seed).state for seed in range(6)], STATE)


@pytest.mark.parametrize("part", [slice(None), slice(0, 0), slice(None, None, 2)])
def test_copied_records_are_equal_and_their_own(records, part):
    copy = copy_records(records[part])
    assert copy.dtype == STATE
    assert copy.flags.carray
    assert copy.tobytes() == records[part].tobytes()
    assert not np.shares_memory(copy, records)


@pytest.mark.parametrize("indices", [[], [3], [5, 0, 0]])
def test_taken_records_are_those_of_the_indices(records, indices):
    taken = take_records(records, np.array(indices, np.int64))
    assert taken.dtype == STATE
    assert taken.flags.carray
    assert taken.tobytes() == records[indices].tobytes()
    assert not np.shares_memory(taken, records)


def test_read_only_arguments_copy_only_what_does_not_fit(records):
    shown = as_read_only(records, STATE)
    assert np.shares_memory(shown, records)
    assert not shown.flags.writeable
    assert records.flags.writeable
    assert as_read_only(shown, STATE) is shown
    odd = as_read_only(records[::2], STATE)
    assert odd.flags.c_contiguous
    assert not odd.flags.writeable
    assert odd.tobytes() == records[::2].tobytes()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_zero_records_are_those_of_numpy(count):
    made = zero_records(count, STATE)
    assert made.dtype == STATE
    assert made.flags.carray
    assert made.tobytes() == np.zeros(count, STATE).tobytes()
    made["total"] = 1
