"""Of the processes that play, one may say that it compiles."""

import multiprocessing

import pytest

from ono99_env.arena.play import workers
from ono99_env.jit.notice import NOTICE


def test_one_worker_may_say_that_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.signal, "signal", lambda *_: None)
    monkeypatch.setattr(NOTICE, "is_due", True)
    speaker = multiprocessing.get_context("spawn").Lock()
    due = []
    for _ in range(3):
        workers.prepare_process(speaker)
        due.append(NOTICE.is_due)
    assert due == [True, False, False]
