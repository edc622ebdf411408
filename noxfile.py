"""Run one session per training library, each with its own environment and its own tests.

`nox` runs all sessions, `nox --list` lists them, and `nox -s torchrl` runs one. Each folder of
`tests/libraries/` is a session: its `requirements.txt` pins the packages that are installed beside
this package, and its tests are run. A folder without tests pins other versions of the core
libraries and runs the tests of the environments. The session `browser` tests the pages of
`ono99 play` in a real browser.
"""

from pathlib import Path

import nox

LIBRARIES = Path("tests/libraries")
ENVIRONMENT_TESTS = Path("tests/envs")

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "venv"
nox.options.reuse_venv = "yes"


def test_library(session: nox.Session) -> None:
    """Install the pinned library beside this package and run the tests that train with it."""
    folder = LIBRARIES / session.name
    session.install("-r", str(folder / "requirements.txt"), "-e", ".[test]")
    tests = folder if any(folder.glob("test_*.py")) else ENVIRONMENT_TESTS
    # The networks are small: more threads would only wait for each other.
    threads = {"OMP_NUM_THREADS": "1"}
    session.run("pytest", "-n", "0", str(tests), *session.posargs, env=threads)


@nox.session
def browser(session: nox.Session) -> None:
    """Test the pages of `ono99 play` in Chromium; skipped where there is none."""
    session.install("-c", "constraints.txt", "-e", ".[test,browser]")
    session.run("pytest", "-n", "0", "tests/browser", *session.posargs)


for requirements in sorted(LIBRARIES.glob("*/requirements.txt")):
    nox.session(test_library, name=requirements.parent.name)
