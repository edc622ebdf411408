"""What the documentation tells people to run works as written."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ono99_env.observation import FEATURES, OBSERVATION_SIZE, OBSERVATION_VERSION

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES_OF_LIBRARIES = sorted((ROOT / "docs" / "libraries").glob("*.md"))
# Libraries that are not installed here have an environment of their own: see noxfile.py.
LIBRARIES = "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "libraries").rglob("*.py")
)
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.name not in LIBRARIES]


def _python_blocks() -> list[tuple[str, str]]:
    blocks = []
    for page in PAGES:
        found = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        blocks += [(f"{page.stem}-{number}", code) for number, code in enumerate(found, 1)]
    return blocks


BLOCKS = _python_blocks()


def test_the_readme_shows_every_interface():
    code = "\n".join(code for name, code in BLOCKS if name.startswith("README"))
    for name in (
        "Game(",
        "ono99_v0.env",
        "gymnasium.make(",
        "make_vec(",
        "Ono99VecEnv(",
        "load_bot(",
    ):
        assert name in code


@pytest.mark.parametrize("code", [code for _, code in BLOCKS], ids=[name for name, _ in BLOCKS])
def test_python_block_runs(code: str):
    result = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning:ono99_env", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example_runs(example: Path, tmp_path: Path):
    result = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, *PAGES_OF_LIBRARIES]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_session_is_in_the_matrix_of_libraries():
    matrix = (ROOT / "docs" / "libraries" / "README.md").read_text(encoding="utf-8")
    for requirements in (ROOT / "tests" / "libraries").glob("*/requirements.txt"):
        assert f"`{requirements.parent.name}` |" in matrix


def test_ci_runs_the_test_command_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- test-command -->\s+```bash\n(.*?)```", readme, re.S)
    assert block is not None
    assert "pytest" in block.group(1)
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_observation_page_lists_the_features_as_they_are():
    page = (ROOT / "docs" / "observation.md").read_text(encoding="utf-8")
    rows = [
        f"| `{feature.name}` | {feature.start} to {feature.start + feature.size - 1} "
        f"| {feature.size} | {feature.description} |"
        for feature in FEATURES.values()
    ]
    assert "\n".join(rows) in page
    assert f"{OBSERVATION_SIZE} float32 numbers" in page
    assert f"version {OBSERVATION_VERSION} of its layout" in page
