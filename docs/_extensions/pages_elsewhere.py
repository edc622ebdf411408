"""Show pages that stand outside docs/, such as SECURITY.md, and lead links to them to the site.

A page that only includes another file stands for it: docs/security.md for SECURITY.md. Links are
written as GitHub needs them, relative to the file that they stand in.
"""

import os
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

_INCLUDE = re.compile(r"^```\{include\} (\.\./\S+\.md)\n```\n$")
_LINK = re.compile(r"(?<=\]\()([^)#:\s]+)")


def pages_elsewhere(docs: Path) -> dict[Path, Path]:
    """Return the page that stands for each file outside `docs`."""
    pages = {}
    for page in docs.glob("*.md"):
        if found := _INCLUDE.match(page.read_text(encoding="utf-8")):
            pages[(page.parent / found[1]).resolve()] = page
    return pages


def read_page(app: Sphinx, name: str, source: list[str]) -> None:
    """Put in the text of a file that a page stands for, and rewrite links that leave the docs."""
    docs = Path(app.srcdir).resolve()
    pages = pages_elsewhere(docs)
    origin = page = docs / f"{name}.md"
    if found := _INCLUDE.match(source[0]):
        origin = (page.parent / found[1]).resolve()
        app.env.note_dependency(origin)
        source[0] = origin.read_text(encoding="utf-8")

    def lead(link: re.Match[str]) -> str:
        target = (origin.parent / link[1]).resolve()
        return os.path.relpath(pages.get(target, target), page.parent)

    source[0] = _LINK.sub(lead, source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Change the text of each page when it is read."""
    app.connect("source-read", read_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
