"""Write the parts of pages that follow from the code: `python docs/write_pages.py`.

Such a part stands between the comments ``<!-- begin: NAME -->`` and ``<!-- end: NAME -->``. A test
compares all of them with what this program would write.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ono99_env import ono99_v0
from ono99_env.envs.single import Ono99Env
from ono99_env.observation.encoding import describe_encoding

PAGES = [Path(__file__).parent / "environment.md"]
_PART = re.compile(r"(<!-- begin: ([\w-]+) -->\n).*?(<!-- end: \2 -->)", re.S)
_HEADING = re.compile(r"^(#+ )", re.M)


def aec_page() -> str:
    """Return how the PettingZoo environment describes itself, under the heading of the page."""
    return inspect.getdoc(ono99_v0).split("\n", 2)[2]


def single_page() -> str:
    """Return how the Gymnasium environment describes itself, one level of headings down."""
    return _HEADING.sub(r"#\1", inspect.getdoc(Ono99Env))


def feature_table() -> str:
    """Return every entry of the observation vector in order, as a table."""
    encoding = describe_encoding()
    rows = [row for feature in encoding["features"] for row in feature_rows(feature)]
    head = ["| index | feature | entry | values |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def feature_rows(feature: dict[str, Any]) -> Iterator[str]:
    """Yield a row for each entry of a feature; for each entry of one slot if it repeats."""
    step = len(feature["entries"])
    for index, entry in enumerate(feature["entries"], feature["start"]):
        place = f"{index} + {step} slot" if feature["per_slot"] else index
        values = entry["values"]
        if values not in ("0 or 1", "-1 or 1"):
            values = "[" + values.replace(" to ", ", ") + "]"
        yield f"| {place} | `{feature['name']}` | {entry['meaning']} | {values} |"


PARTS: dict[str, Callable[[], str]] = {
    "aec": aec_page,
    "single": single_page,
    "features": feature_table,
}


def written(text: str) -> str:
    """Return the text of a page with all such parts written anew."""
    return _PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]().strip()}\n\n{part[3]}", text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")
