"""The watch over memory finds what grows, and leaves what does not."""

import sys
import time

import pytest

from tests.reliability.memory import growth, watch
from tests.reliability.session import Session

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def leak() -> None:
    kept = []
    while True:
        kept.append(bytearray(2**20))
        time.sleep(0.05)


def rest() -> None:
    while True:
        time.sleep(0.05)


def end() -> None:
    sys.exit(3)


def test_growth_is_found_and_rest_is_not() -> None:
    samples = watch({"leak": leak, "rest": rest}, 8, Session("", 1, quiet=True), interval=0.2)
    assert growth(samples["leak"]) > 10
    assert growth(samples["rest"]) < 5


def test_a_program_that_ends_is_a_finding() -> None:
    session = Session("", 1, quiet=True)
    watch({"end": end}, 60, session, interval=0.2)
    assert "end ended with exit code 3" in session.findings[0]
    assert session.exit_code == 1
