"""The messages of all errors that the code makes, read from its source."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("ono99_env", "training")
MAKERS = re.compile(r"\w*Error|ResetNeeded|_too_large|damaged")
"""Functions and classes that make an error of a message, by their names."""

WORD = re.compile(r"[A-Za-z]{2,}")
TEXT_AT = {"FieldsError": 1, "damaged": 1}
"""Which argument is the message, where it is not the first."""


class Message(NamedTuple):
    """A message of the source, with {} for its values."""

    file: str
    text: str


def messages() -> Iterator[Message]:
    """Every message with words of its own; those without repeat what another error says."""
    for path in (path for name in PACKAGES for path in (ROOT / name).rglob("*.py")):
        tree = ast.parse(path.read_text())
        constants = _texts_of(tree)
        file = path.relative_to(ROOT).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                place = TEXT_AT.get(name, 0)
                if MAKERS.fullmatch(name) and len(node.args) > place:
                    for text in _variants(node.args[place], constants):
                        if WORD.search(text.replace("{}", "")):
                            yield Message(file, text)


def _texts_of(tree: ast.Module) -> dict[str, str]:
    """The texts that a module gives names to; the last of each name."""
    return {
        node.targets[0].id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def _variants(node: ast.expr, constants: Mapping[str, str]) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.IfExp):
        yield from _variants(node.body, constants)
        yield from _variants(node.orelse, constants)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        is_filled = node.func.attr == "format"
        yield _text(node.func.value, constants) if is_filled else "{}"
    else:
        yield _text(node, constants)


def _text(node: ast.expr, constants: Mapping[str, str]) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name):
        return re.sub(r"\{[^}]*\}", "{}", constants.get(node.id, "{}"))
    if isinstance(node, ast.BinOp):
        return _text(node.left, constants) + _text(node.right, constants)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(value, {}) for value in node.values)
    return "{}"
