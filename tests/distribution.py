"""Check a wheel and a source distribution: `python tests/distribution.py dist`.

The wheel holds the package and the bot files and nothing else; the source distribution holds what
is needed to build, test and document the package.
"""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
IN_SOURCE = ("tests/", "docs/", "examples/", "configs/", "training/", "benchmarks/", "LICENSE")


def tracked(*paths: str) -> set[str]:
    """Return the files under some paths that git tracks."""
    listing = subprocess.run(
        ["git", "ls-files", *paths], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(listing.stdout.splitlines())


def check_wheel(wheel: Path) -> None:
    """Compare the files of a wheel with those of the package and of `models`."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    models = {f"ono99_env/{name}" for name in tracked("models")}
    about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    expected = tracked("ono99_env") | models
    assert names - about == expected, sorted((names - about) ^ expected)
    assert "ono99_env/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in about)
    assert any(name.endswith("entry_points.txt") for name in about)


def check_source(source: Path) -> None:
    """Check that a source distribution has all that a checkout needs, and nothing written there."""
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    files = {name for name in names if not name.endswith("PKG-INFO")}
    assert files <= tracked(), sorted(files - tracked())
    for part in IN_SOURCE:
        assert any(name.startswith(part) for name in files), part


def main(folder: str) -> None:
    """Check the one wheel and the one source distribution in a folder."""
    (wheel,), (source,) = Path(folder).glob("*.whl"), Path(folder).glob("*.tar.gz")
    check_wheel(wheel)
    check_source(source)
    print(f"{wheel.name} and {source.name} hold what they should")


if __name__ == "__main__":
    main(sys.argv[1])
