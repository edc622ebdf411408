"""Write a page about a tournament: ``index.html`` and its plots in a folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ono99_env.arena.report.plots import draw_plots
from ono99_env.files.atomic import write_atomically
from ono99_env.messages.extras import brought_by
from ono99_env.messages.text import printable

with brought_by("arena", "a report"):
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup


def write_report(folder: Path, record: Mapping[str, Any]) -> None:
    """Write the report of a tournament.

    Args:
        folder: The folder; it is created if it does not exist.
        record: See `Arena.record`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    environment = Environment(
        loader=PackageLoader("ono99_env.arena.report"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    page = environment.get_template("report.html").render(
        record=record, plots=draw_plots(folder, record)
    )
    write_atomically(folder / "index.html", page.encode())


def _shown(value: Any) -> Any:
    """Write invisible characters of a text as escapes; HTML of the template stays as it is."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _percent(value: float, digits: int = 2) -> str:
    return f"{value:.{digits}%}"
