"""Texts from outside are shown as texts: in terminals, Markdown, pictures and spreadsheets."""

import io

import pytest
from matplotlib.figure import Figure

from ono99_env.messages.text import (
    markdown_code,
    markdown_text,
    plot_text,
    printable,
    spreadsheet_cell,
)

NAMES = ["a[/b].onnx", "$x_{$.onnx", "$x$", r"\$x$", "_hidden", "a|b", "`c`", "=1+2", "é.onnx"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("runs/a b.onnx", "runs/a b.onnx"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb\tc", r"a\nb\tc"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("a\u200bb", r"a\u200bb"),
        ("\udcff.onnx", r"\udcff.onnx"),
        ("\x9b2J", r"\x9b2J"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text, shown):
    assert printable(text) == shown
    shown.encode()


def test_a_message_keeps_its_lines():
    assert printable("a\nb\x1b", keep="\n") == "a\nb\\x1b"


@pytest.mark.parametrize("name", NAMES)
def test_matplotlib_shows_the_name_itself(name):
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot([1, 2], label=plot_text(name))
    legend = axes.legend()
    figure.savefig(io.BytesIO(), format="png")
    (label,) = legend.get_texts()
    text, is_math = label._preprocess_math(label.get_text())
    assert (text.removeprefix(" "), is_math) == (name, False)


def test_markdown_takes_a_name_for_no_markup():
    assert markdown_text("a|b*[c](d)<e>`") == r"a\|b\*\[c\](d)\<e\>\`"
    assert markdown_code("a|b") == r"`a\|b`"
    assert markdown_code("a`b`") == "`` a`b` ``"


@pytest.mark.parametrize("text", ["=1+2", "+1", "-1", "@f", " =1"])
def test_a_spreadsheet_calculates_no_name(text):
    assert spreadsheet_cell(text) == f"'{text}"
    assert spreadsheet_cell("highest") == "highest"
