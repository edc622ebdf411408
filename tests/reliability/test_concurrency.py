"""The same games in every kind of company, once."""

import numba
import pytest

from tests.reliability import concurrency
from tests.reliability.concurrency import CHECKS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too slow with the engine uncompiled"),
]

NEED_EXTRA = {"SubprocVecEnv": "stable_baselines3"}


@pytest.mark.parametrize("name", CHECKS)
def test_company_changes_no_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NEED_EXTRA:
        pytest.importorskip(NEED_EXTRA[name])
    monkeypatch.setattr(concurrency, "METHODS", ("forkserver",))
    assert list(CHECKS[name](3)) == []
