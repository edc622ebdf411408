"""Run one session per training library, each with its own environment and its own tests.

`nox` runs all of these, `nox --list` lists all sessions, and `nox -s torchrl` runs one. Each folder
of `tests/libraries/` is a session: its `requirements.txt` pins the packages that are installed
beside this package, and its tests are run. A folder without tests pins other versions of the core
libraries and runs the tests of the environments.

Sessions that run only when they are named: `base-3.12` (one for each Python; those that are not
installed are skipped), `types`, `release`, `tutorials`, `linkcheck` and `browser`.
"""

import json
import re
import shutil
import tomllib
from pathlib import Path

import nox

LIBRARIES = Path("tests/libraries")
ENVIRONMENT_TESTS = Path("tests/envs")
CLASSIFIERS = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]["classifiers"]
UNTYPED = (
    *("ono99_env.envs.aec.Ono99AEC", "ono99_env.envs.aec_table.AECTable", "ono99_env.ono99_v0."),
    "ono99_env.openspiel.",
)
"""What is made of classes of libraries without type annotations."""
PYTHONS = re.findall(r"Python :: (3\.\d+)", " ".join(CLASSIFIERS))

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


@nox.session(default=False)
def browser(session: nox.Session) -> None:
    """Test the pages of `ono99 play` in Chromium; skipped where there is none."""
    session.install("-c", "constraints.txt", "-e", ".[test,browser]")
    session.run("pytest", "-n", "0", "tests/browser", *session.posargs)


for requirements in sorted(LIBRARIES.glob("*/requirements.txt")):
    nox.session(test_library, name=requirements.parent.name)


@nox.session(python=PYTHONS, default=False)
def base(session: nox.Session) -> None:
    """Install nothing but the package, and play through every interface that needs no extra."""
    session.install("-c", "constraints.txt", ".")
    session.run("python", "tests/base_install.py")


@nox.session(default=False)
def types(session: nox.Session) -> None:
    """Check that users of the package get a known type for everything public, as pyright sees it.

    PettingZoo and OpenSpiel say nothing about their types, so what is made of their classes has
    none that a checker could know.
    """
    session.install("-c", "constraints.txt", ".[train]", "pyright")
    known = ["pyright", "--ignoreexternal", "--outputjson", "--verifytypes", "ono99_env"]
    report = session.run(*known, silent=True, success_codes=[0, 1])
    symbols = json.loads(str(report))["typeCompleteness"]["symbols"]
    unknown = [each["name"] for each in symbols if each["isExported"] and not each["isTypeKnown"]]
    wrong = [name for name in unknown if not name.startswith(UNTYPED)]
    if wrong:
        session.error(f"no known type: {', '.join(wrong)}")
    session.log(f"{len(symbols)} symbols have known types, {len(unknown)} are of untyped libraries")


@nox.session(default=False)
def release(session: nox.Session) -> None:
    """Build both distributions from a clean clone, check them, and try the wheel."""
    session.install("-c", "constraints.txt", "build", "twine")
    clone = Path(session.create_tmp()).resolve() / "clone"
    shutil.rmtree(clone, ignore_errors=True)
    session.run("git", "clone", "--quiet", ".", str(clone), external=True)
    session.run("python", "-m", "build", str(clone))
    built = sorted(map(str, (clone / "dist").iterdir()))
    session.run("twine", "check", "--strict", *built)
    session.run("python", str(clone / "tests" / "distribution.py"), str(clone / "dist"))
    wheel = next(name for name in built if name.endswith(".whl"))
    session.install("-c", "constraints.txt", "--force-reinstall", wheel)
    session.run("python", "tests/base_install.py")


@nox.session(default=False)
def tutorials(session: nox.Session) -> None:
    """Run every tutorial as it is written, also those that train for minutes."""
    session.install("-c", "constraints.txt", "-e", ".[train,openspiel,test]")
    tests = ("tests/test_documentation.py", "-k", "tutorial")
    session.run("pytest", "-n", "0", *tests, env={"ONO99_LONG_TUTORIALS": "1"})


@nox.session(default=False)
def linkcheck(session: nox.Session) -> None:
    """Follow every external link of the documentation; needs the internet."""
    session.install("-c", "constraints.txt", "-e", ".[docs]")
    session.run("sphinx-build", "-W", "-q", "-b", "linkcheck", "docs", "build/linkcheck")
