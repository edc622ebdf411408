"""The records of the engine, as bytes."""

import numpy as np
import pytest

from ono99_env.engine.records import RULES, STATE
from ono99_env.tables.table_loop import ROSTER


@pytest.mark.parametrize("record", [STATE, ROSTER], ids=["STATE", "ROSTER"])
def test_a_record_has_no_gaps_so_that_equal_records_are_equal_bytes(record: np.dtype) -> None:
    """NumPy copies fields and leaves what is between them as it finds it."""
    assert record.itemsize == sum(field[0].itemsize for field in record.fields.values())


def test_a_game_is_small() -> None:
    assert STATE.itemsize < 400
    assert RULES.itemsize < 4000
