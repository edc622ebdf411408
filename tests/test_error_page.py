"""docs/errors.md: every error that it explains is raised, and none that users meet is missing."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ono99_env.cli import main
from tests.error_cases import CASES

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| `(?P<pattern>.*)` \| (?P<cause>[^|]+) \| (?P<cure>[^|]+) \|$", re.MULTILINE)
ENTRIES = {row["pattern"]: row for row in ROW.finditer((ROOT / "docs" / "errors.md").read_text())}
COVERED = ("rules", "game", "envs", "tables", "observation", "messages", "cli", "files")
"""Packages of which no message may be missing; of bots, only the files of the package itself."""

ERRORS = re.compile(r"\w*Error|ResetNeeded|_too_large")
INNER = {
    "Input should be 1 or -1",
    "its members are larger than the file",
    "{} declares another size than it has",
    "{} is not in version 1.0 of NumPy's format",
}
"""Messages that users read only as a part of another one, which is on the page."""

LEAST_WORDS = 3
"""Messages with fewer words of their own repeat what another error says."""


def expression(pattern: str) -> re.Pattern[str]:
    """What a pattern of the page matches; ``...`` stands for anything."""
    return re.compile(re.escape(pattern).replace(r"\.\.\.", ".*"), re.DOTALL)


def text_of(node: ast.expr) -> str:
    """The text that a message is made of, with {} for its values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(map(text_of, node.values))
    return "{}"


def messages() -> Iterator[tuple[str, str]]:
    """Every message of an error that the covered packages make, and the file."""
    files = [path for name in COVERED for path in (ROOT / "ono99_env" / name).rglob("*.py")]
    for path in [*files, *(ROOT / "ono99_env" / "bots").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args:
                name = ast.unparse(node.func).rpartition(".")[2]
                if ERRORS.fullmatch(name) and name != "FieldsError":
                    yield path.name, text_of(node.args[0])


def test_the_page_and_the_cases_name_the_same_errors() -> None:
    assert list(ENTRIES) == list(CASES)


@pytest.mark.parametrize("pattern", CASES)
def test_every_error_of_the_page_is_raised(
    pattern: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = CASES[pattern]
    monkeypatch.chdir(ROOT if "configs/quickstart.yaml" in str(case) else tmp_path)
    if callable(case):
        with pytest.raises(Exception) as raised:  # noqa: PT011 - the message is what counts
            case()
        shown = str(raised.value)
        assert expression(pattern).fullmatch(shown) or expression(pattern).fullmatch(
            str(raised.value.args[0])
        ), shown
        return
    command, *words = case
    if command != "ono99":
        pytest.importorskip("sb3_contrib")
    run = main if command == "ono99" else importlib.import_module(command).main
    try:
        code = run(words)
    except SystemExit as ended:
        code = ended.code
    shown = " ".join(capsys.readouterr().err.split())
    assert code == 2
    assert expression(f"...{pattern}...").fullmatch(shown), shown


@pytest.mark.parametrize(("file", "message"), sorted(set(messages())))
def test_no_message_is_missing_on_the_page(file: str, message: str) -> None:
    own_words = re.findall(r"[A-Za-z]{2,}", message.replace("{}", " "))
    if len(own_words) < LEAST_WORDS or message in INNER:
        return
    assert any(expression(pattern).fullmatch(message) for pattern in ENTRIES), message
