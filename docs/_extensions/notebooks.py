"""Offer every tutorial as a notebook, too: the same blocks as cells, ready to be run."""

from pathlib import Path
from typing import Any

import jupytext
from sphinx.application import Sphinx

TUTORIALS = "tutorials"


def write_notebooks(app: Sphinx) -> None:
    """Write a notebook of each page of the tutorials beside the pages of the site."""
    folder = Path(app.outdir) / TUTORIALS
    folder.mkdir(parents=True, exist_ok=True)
    for page in sorted((Path(app.srcdir) / TUTORIALS).glob("[0-9]*.md")):
        jupytext.write(jupytext.read(page), folder / f"{page.stem}.ipynb")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the notebooks at the start of a build of the site."""
    app.connect("builder-inited", write_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
