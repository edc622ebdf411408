"""Changes of what programs read: trees of fields, texts and bytes."""

import copy
from typing import Any

import numpy as np

NASTY: list[Any] = [
    *(0, 1, 2, 3, -1, 7, 8, 99, 127, 128, 255, 2**15, 2**31, 2**32, 2**53, 2**63, 2**64, 10**30),
    *(-(2**31), -(2**63), 0.0, -0.0, 0.5, 1e-300, 1e308, float("nan"), float("inf"), -float("inf")),
    *(True, False, None, "", "0", "1e5", "null", "\x00", "\x1b[2J", "\ud800", "a" * 5000, "é" * 50),
    *("2022", "1980", "highest", "random", "nobody", "models/2022.onnx", "sb3:x.zip", "/dev/zero"),
    *(
        "search:simulations=1",
        "../..",
        "chips",
        "points_lowest",
        "single_round",
        "ono99",
        "bust:10",
    ),
    *([], {}, [[]], [{}], {"": 0}, [0] * 9, [None], {"0": -1}, {"ono99": 2**40}),
]
"""Values that somebody might write somewhere, or a damaged disk."""


def mutate_tree(tree: Any, rng: np.random.Generator, most: int = 3) -> Any:
    """Return a copy of nested dicts and lists with some changes."""
    changed = copy.deepcopy(tree)
    for _ in range(rng.integers(1, most + 1)):
        _change_somewhere(changed, rng)
    return changed


def _change_somewhere(tree: Any, rng: np.random.Generator) -> None:
    place = tree
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = keys[rng.integers(len(keys))]
        inner = place[key]
        if not (isinstance(inner, dict | list) and inner) or rng.random() < 0.15:
            _change(place, key, rng)
            return
        place = inner


def _change(place: Any, key: Any, rng: np.random.Generator) -> None:
    """Change one entry of a dict or a list."""
    value = place[key]
    match rng.integers(8):
        case 0:
            del place[key]
        case 1 if isinstance(place, dict):
            place[f"{key}_"] = value
        case 1:
            place.insert(key, copy.deepcopy(value))
        case 2:
            place[key] = [value]
        case 3 if isinstance(value, int | float):
            place[key] = value + int(rng.choice([-1, 1]))
        case 3 | 4:
            place[key] = _near(value, rng)
        case 5 if isinstance(place, dict):
            place[str(NASTY[rng.integers(len(NASTY))])] = value
        case _:
            place[key] = copy.deepcopy(NASTY[rng.integers(len(NASTY))])


def _near(value: Any, rng: np.random.Generator) -> Any:
    """Return another value of the same kind, or almost."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return type(value)(-value) if rng.random() < 0.3 else value * int(rng.choice([2, 10, 1000]))
    if isinstance(value, str):
        return mutate_text(value or "x", rng)
    return value


def mutate_text(text: str, rng: np.random.Generator) -> str:
    """Return a text with some characters changed."""
    return mutate_bytes(text.encode(), rng).decode(errors="replace")


WORDS = [
    *(b": ", b"- ", b"\n", b"\n  ", b"&a ", b"*a", b"<<: *a", b"!!python/object:os.system", b"? "),
    *(b"1e999", b".nan", b".inf", b"0x10", b"1_000", b"2001-01-01", b"0o7", b"~", b"'", b'"', b"{"),
    *(b"[[[[[[[[", b"\xff\xfe", b"\x00", b"---", b"%YAML", b"|\n", b"!!binary x", b"-1", b"true"),
]


def mutate_bytes(content: bytes, rng: np.random.Generator, most: int = 4) -> bytes:
    """Return bytes with one to a few changes."""
    changed = bytearray(content)
    for _ in range(rng.integers(1, most + 1)):
        place = int(rng.integers(len(changed) + 1))
        match rng.integers(6):
            case 0:
                changed[place : place + 1] = rng.bytes(1)
            case 1 if place < len(changed):
                changed[place] ^= 1 << rng.integers(8)
            case 2:
                del changed[place : place + rng.integers(1, 40)]
            case 3:
                changed[place:place] = changed[place : place + rng.integers(1, 60)]
            case 4:
                del changed[place:]
            case _:
                changed[place:place] = WORDS[rng.integers(len(WORDS))]
    return bytes(changed)
