"""The files of the pages, and pages that say a sentence."""

from html import escape
from pathlib import Path

from starlette.responses import HTMLResponse

PAGES = Path(__file__).parent.parent / "pages"
"""HTML, CSS and scripts; they are part of the package, and nothing else is loaded."""


def page(name: str) -> HTMLResponse:
    """Return a page of the package.

    Args:
        name: Its file, without the ending.
    """
    return HTMLResponse((PAGES / f"{name}.html").read_text(encoding="utf-8"))


def sentence_page(text: str, status: int) -> HTMLResponse:
    """Return a page that says one thing.

    Args:
        text: What it says.
        status: The status code of the answer.
    """
    body = (PAGES / "sentence.html").read_text(encoding="utf-8")
    sentence = text if text.endswith((".", "!", "?")) else f"{text}."
    shown = sentence[:1].upper() + sentence[1:]
    return HTMLResponse(body.replace("{sentence}", escape(shown)), status_code=status)
