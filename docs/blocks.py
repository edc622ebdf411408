"""Run the Python blocks of a page, and compare what they print with what the page shows.

A block of Python may be followed by a block of text: its output. After the comment
``<!-- numbers vary -->`` only the words of an output are compared, as for seconds or for the
results of training. On the pages of tutorials, blocks continue each other as the cells of a
notebook do; elsewhere each block runs alone.

`python docs/blocks.py docs/tutorials/1_first_game.md` runs a page and writes its outputs into it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

_BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```$"
    r"(?P<between>\n\n(?P<vary><!-- numbers vary -->\n)?```text\n(?P<output>.*?)^```$)?",
    re.M | re.S,
)
LONGEST = 1800.0
"""Seconds after which a page has failed: enough to train on a machine that is busy."""
_NUMBER = re.compile(r"[-+]?\d[\d.,]*")
_RUNNER = """
import contextlib, io, json, sys

namespace = {"__name__": "__main__"}
outputs = []
for number, code in enumerate(json.load(sys.stdin), 1):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, f"block {number}", "exec"), namespace)
    outputs.append(printed.getvalue())
print(json.dumps(outputs))
"""


class Block(NamedTuple):
    """A block of Python on a page."""

    code: str
    output: str | None
    """What the page says that it prints, or None if the page does not say."""
    numbers_vary: bool


def blocks_of(text: str) -> list[Block]:
    """Return the Python blocks of a page in order."""
    return [
        Block(found["code"], found["output"], found["vary"] is not None)
        for found in _BLOCK.finditer(text)
    ]


def run(codes: list[str], folder: Path, options: tuple[str, ...] = ()) -> list[str]:
    """Run blocks one after the other in one new process, and return what each printed.

    Args:
        codes: The blocks.
        folder: The current folder of the process.
        options: Options of the interpreter.

    Raises:
        RuntimeError: If a block fails; the message is what the process wrote.
    """
    result = subprocess.run(
        [sys.executable, *options, "-c", _RUNNER],
        cwd=folder,
        input=json.dumps(codes),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    outputs: list[str] = json.loads(result.stdout.splitlines()[-1])
    return outputs


def is_as_shown(block: Block, printed: str) -> bool:
    """Return whether a block printed what the page shows."""
    if block.output is None:
        return True
    shown = block.output
    if block.numbers_vary:
        shown, printed = _NUMBER.sub("#", shown), _NUMBER.sub("#", printed)
    return shown.rstrip() == printed.rstrip()


def with_outputs(text: str, outputs: list[str]) -> str:
    """Return the text of a page with the output of each block that shows one written anew."""
    remaining = iter(outputs)

    def write(found: re.Match[str]) -> str:
        printed = next(remaining)
        if found["output"] is None:
            return found[0]
        shown = f"{found['vary'] or ''}```text\n{printed.rstrip()}\n```"
        return f"```python\n{found['code']}```\n\n{shown}"

    return _BLOCK.sub(write, text)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        text = page.read_text(encoding="utf-8")
        outputs = run([block.code for block in blocks_of(text)], Path.cwd())
        page.write_text(with_outputs(text, outputs), encoding="utf-8")
