"""Every position is played twice: by the engine and by the reference."""

import pytest

from tests.positions import EngineTable, ReferenceTable, Table


@pytest.fixture(params=[EngineTable, ReferenceTable], ids=["engine", "reference"])
def table(request: pytest.FixtureRequest) -> type[Table]:
    """What sets up a position to be played."""
    return request.param
