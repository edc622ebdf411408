"""What the documentation tells people to run works as written."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from docs.blocks import blocks_of, is_as_shown, run
from docs.write_pages import PAGES as WRITTEN_PAGES
from docs.write_pages import written
from ono99_env.observation import FEATURES, OBSERVATION_SIZE, OBSERVATION_VERSION

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("[0-9]*.md"))
PAGES_OF_LIBRARIES = sorted((ROOT / "docs" / "libraries").glob("*.md"))
ALL_PAGES = sorted(
    page
    for folder in (
        *(".", "docs", "docs/api", "docs/libraries", "docs/tutorials"),
        *("models", "benchmarks/c_baseline", "examples/node"),
    )
    for page in (ROOT / folder).glob("*.md")
)
OPTIONAL = {"pyspiel", "open_spiel", "ray"}
"""Modules of extras that the tests do not need."""
CODE = ("ono99_env", "training", "benchmarks")
FOLDERS = (*CODE, "configs", "docs", "examples", "models", "tests")
ROOMS = tuple(path.parent.name for path in (ROOT / "ono99_env").glob("*/__init__.py"))
DOTTED_NAME = rf"(?<![\w./\"])((?:{'|'.join(CODE)})(?:\.(?!md\b)\w+)+)(?![\w/])"
PATH = rf"(?<![\w./*])((?:{'|'.join([*FOLDERS, *ROOMS])})/[\w./-]*\w/?)(?![\w*?])"
# Libraries that are not installed here have an environment of their own: see noxfile.py.
LIBRARIES = "".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "libraries").rglob("*.py")
)
EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.name not in LIBRARIES]


LONG_TUTORIALS = {"2_train": "it trains for three minutes", "5_solve": "it needs OpenSpiel"}
"""Tutorials that a session of nox runs, see noxfile.py."""
WARNINGS = ("-W", "error::DeprecationWarning:ono99_env")
RUN_LONG_TUTORIALS = "ONO99_LONG_TUTORIALS"
"""The variable of the environment that runs these, too."""


BLOCKS = {
    f"{page.parent.name}/{page.stem}-{number}": block
    for page in [*PAGES, ROOT / "docs" / "libraries" / "README.md"]
    for number, block in enumerate(blocks_of(page.read_text(encoding="utf-8")), 1)
}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a checkout to those who read it, and in which files may be left."""
    for name in ("configs", "docs", "examples", "models", "training"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def test_the_readme_shows_every_interface():
    code = "\n".join(block.code for block in blocks_of((ROOT / "README.md").read_text("utf-8")))
    for name in (
        "Game(",
        "ono99_v0.env",
        "gymnasium.make(",
        "make_vec(",
        "Ono99VecEnv(",
        "load_bot(",
    ):
        assert name in code


@pytest.mark.parametrize("name", BLOCKS)
def test_python_block_runs_and_prints_what_is_shown(name: str, checkout: Path):
    (printed,) = run([BLOCKS[name].code], checkout, WARNINGS)
    assert is_as_shown(BLOCKS[name], printed), printed


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_tutorial_runs_and_prints_what_is_shown(page: Path, checkout: Path):
    if page.stem in LONG_TUTORIALS and not os.environ.get(RUN_LONG_TUTORIALS):
        pytest.skip(f"{LONG_TUTORIALS[page.stem]}: `nox -s tutorials` runs it")
    blocks = blocks_of(page.read_text(encoding="utf-8"))
    printed = run([block.code for block in blocks], checkout, WARNINGS)
    for block, text in zip(blocks, printed, strict=True):
        assert is_as_shown(block, text), text


def test_every_output_of_a_page_belongs_to_a_block():
    """An output that stands apart from its block would never be compared."""
    for page in [*PAGES, *TUTORIALS]:
        text = page.read_text(encoding="utf-8")
        shown = sum(block.output is not None for block in blocks_of(text))
        assert len(re.findall(r"^```text$", text, re.M)) == shown, page.name


@pytest.mark.parametrize("page", WRITTEN_PAGES, ids=lambda page: page.stem)
def test_pages_made_from_the_code_are_up_to_date(page: Path):
    text = page.read_text(encoding="utf-8")
    assert text == written(text), "run `python docs/write_pages.py`"


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_example_runs(example: Path, tmp_path: Path):
    result = subprocess.run(
        [sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr


def test_links_between_pages_lead_somewhere():
    for page in ALL_PAGES:
        for target, anchor in re.findall(
            r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")
        ):
            linked = page.parent / target if target else page
            assert linked.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in anchors(linked), f"{page.name} links to #{anchor}"


def anchors(page: Path) -> list[str]:
    """Return the anchors that GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


def named_in(page: Path, pattern: str) -> list[str]:
    """Return what a page matches by a pattern, each once and in order."""
    return list(dict.fromkeys(re.findall(pattern, page.read_text(encoding="utf-8"))))


def resolve(name: str) -> Any:
    """Import the longest part of a dotted name that is a module, and look the rest up in it."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:end]))
        except ModuleNotFoundError as error:
            if error.name is not None and not name.startswith(error.name):
                raise
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_dotted_name_exists(page: Path):
    wrong = []
    for name in named_in(page, DOTTED_NAME):
        try:
            resolve(name)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] not in OPTIONAL:
                wrong.append(name)
        except AttributeError:
            wrong.append(name)
    assert not wrong


@pytest.mark.parametrize("page", ALL_PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_exists(page: Path):
    """A path begins at the root of the repository, or at that of the package."""
    paths = named_in(page, PATH)
    missing = [
        path
        for path in paths
        if not any((base / path).exists() for base in (ROOT, ROOT / "ono99_env"))
    ]
    assert not missing


def test_no_page_names_the_host_of_a_package_index():
    for page in ALL_PAGES:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"pypi\.org|pythonhosted\.org|download\.pytorch\.org", text), page.name


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
