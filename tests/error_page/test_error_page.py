"""docs/errors.md: an error of every row is raised, and none that users meet is missing."""

import importlib
import re
from pathlib import Path

import pytest

from ono99_env.cli import main
from tests.error_page.cases_of_games import CASES as GAMES
from tests.error_page.cases_of_programs import CASES as PROGRAMS
from tests.error_page.other_tests import RAISED_BY
from tests.error_page.page import explains, matches, read_rows
from tests.error_page.source_messages import ROOT, messages

CASES = {**GAMES, **PROGRAMS}
ROWS = read_rows()
PATTERNS = [pattern for row in ROWS for pattern in row.patterns]
INNER = {
    "Input should be 1 or -1",
    "its members are larger than the file",
    "{} declares another size than it has",
    "{} is compressed",
    "{} is not in version 1.0 of NumPy's format",
}
"""Messages that users read only as a part of another one, which is on the page."""


def test_a_message_stands_on_the_page_once() -> None:
    assert sorted(PATTERNS) == sorted(set(PATTERNS))


def test_only_messages_of_the_page_are_raised() -> None:
    assert {*CASES, *RAISED_BY} <= set(PATTERNS)


def test_an_error_of_every_row_is_raised() -> None:
    raised = {*CASES, *RAISED_BY}
    assert [row.patterns for row in ROWS if not raised.intersection(row.patterns)] == []


@pytest.mark.parametrize("pattern", CASES)
def test_an_error_of_the_page_is_raised(
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
        # The text of a KeyError is in quotes.
        shown = str(raised.value.args[0] if raised.value.args else raised.value)
        assert any(matches(f"...{pattern}...", text) for text in (shown, str(raised.value))), shown
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
    assert matches(f"...{pattern}...", shown), shown


def test_other_tests_ask_for_the_words_of_the_messages_that_they_raise() -> None:
    for pattern, (file, words) in RAISED_BY.items():
        # Long texts go over several lines.
        source = re.sub(r'"\s*\n\s*r?f?"', "", (ROOT / file).read_text())
        assert words in pattern
        assert words in source, (file, words)


def test_no_message_is_missing_on_the_page() -> None:
    missing = [
        message
        for message in sorted(set(messages()))
        if message.text not in INNER
        and not any(explains(pattern, message.text) for pattern in PATTERNS)
    ]
    assert missing == []


@pytest.mark.parametrize(
    "text",
    [
        "shape must be one of {}, not {}",
        "colour: needs a table of its own",
        "bot {} is tired and does not want to play",
        "{} is upside down",
        "the moon is in the way",
    ],
)
def test_a_new_message_is_missed_on_the_page(text: str) -> None:
    assert not any(explains(pattern, text) for pattern in PATTERNS)
