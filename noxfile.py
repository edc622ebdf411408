"""One session per library that people train with: its own environment, its own tests.

`nox` runs all of them, `nox --list` names them, `nox -s torchrl` runs one. A folder of
`tests/libraries/` is a session: its `requirements.txt` pins what is installed beside this package,
its tests are what is run.
"""

from pathlib import Path

import nox

LIBRARIES = Path("tests/libraries")

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "venv"
nox.options.reuse_venv = "yes"


def test_library(session: nox.Session) -> None:
    """Install the pinned library beside this package and run the tests that train with it."""
    folder = LIBRARIES / session.name
    session.install("-r", str(folder / "requirements.txt"), "-e", ".[test]")
    # Small networks: with more threads they only wait for each other.
    threads = {"OMP_NUM_THREADS": "1"}
    session.run("pytest", "-n", "0", str(folder), *session.posargs, env=threads)


for requirements in sorted(LIBRARIES.glob("*/requirements.txt")):
    nox.session(test_library, name=requirements.parent.name)
