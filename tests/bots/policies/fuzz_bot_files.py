"""Mutants of bot files: each is refused as a `BotFileError`, or it is a bot that plays legal cards.

``python -m tests.reliability.fuzz bot-files --mutants 100000`` is the long form, in child processes
with limits on memory and time; the suite runs the short one.
"""

import traceback
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ono99_env import Game
from ono99_env.bots.policies.onnx_bot import OnnxBot
from ono99_env.bots.policies.shipped_files import shipped_files
from ono99_env.messages.errors import BotFileError
from tests.bots.policies.bot_files import linear_weights, write_bot_file
from tests.bots.policies.odd_networks import odd_files

_WORDS = [
    b"Loop",
    b"Scan",
    b"If",
    b"Tile",
    b"Expand",
    b"ConstantOfShape",
    b"NonZero",
    b"RandomNormal",
    *(
        b"MatMul",
        b"Concat",
        b"observation",
        b"logits",
        b"\x1b[2J",
        b"com.microsoft",
        b"ono99.rules",
    ),
    b"null",
    b"1e999",
    b"[[[[",
    b"\xff\xfe",
    b"-1",
    b"99999999999999999999",
]
_BYTES = [0, 1, 0x7F, 0x80, 0xFF]


def mutant(content: bytes, rng: np.random.Generator) -> bytes:
    """A file with one to four changes, most of them where its structure is."""
    changed = bytearray(content)
    for _ in range(rng.integers(1, 5)):
        place = _place(changed, rng)
        match rng.integers(7):
            case 0:
                changed[place] = rng.integers(256)
            case 1:
                changed[place] = _BYTES[rng.integers(len(_BYTES))]
            case 2:
                changed[place] ^= 1 << rng.integers(8)
            case 3:
                del changed[place : place + rng.integers(1, 40)]
            case 4:
                end = place + rng.integers(1, 60)
                changed[place:place] = changed[place:end]
            case 5:
                word = _WORDS[rng.integers(len(_WORDS))]
                changed[place : place + len(word)] = word
            case _:
                changed[place:place] = rng.bytes(rng.integers(1, 12))
        if not changed:
            return b""
    return bytes(changed)


def _place(content: bytearray, rng: np.random.Generator) -> int:
    """A byte; weights, which are most of a file, are rarely it."""
    length = len(content)
    if rng.random() < 0.1:
        return int(rng.integers(length))
    near = int(rng.integers(min(length, 4000)))
    return near if rng.random() < 0.5 else length - 1 - near


def outcome_of(content: bytes) -> str:
    """What becomes of a file: ``refused`` or ``plays``; anything else raises."""
    try:
        bot = OnnxBot.from_bytes(content, "mutant")
        _play(bot)
    except BotFileError as error:
        words = str(error)
        assert words.isprintable(), f"control characters in {words!r}"
        assert len(words) < 1000, f"a message of {len(words)} characters"
        return "refused"
    return "plays"


def _play(bot: OnnxBot) -> None:
    rules = bot.metadata.rules.with_players(bot.metadata.num_players[0])
    game, rng = Game(rules, seed=1), np.random.default_rng(0)
    for _ in range(10):
        if game.is_over:
            break
        (action,) = bot.act(game.views(), rng)
        assert action in game.legal_actions()
        game.play(action)


def originals(folder: Path) -> list[bytes]:
    """The files that mutants are made of: small ones, odd ones, and those of the package."""
    small = write_bot_file(folder / "small.onnx", linear_weights())
    shipped = [path.read_bytes() for path in shipped_files().values()]
    return [small.read_bytes(), *odd_files().values(), *shipped]


def run(contents: list[bytes], seed: int, numbers: range) -> Iterator[tuple[int, str]]:
    """Try mutants in this process: of each its number and what became of it."""
    for number in numbers:
        rng = np.random.default_rng([seed, number])
        content = mutant(contents[number % len(contents)], rng)
        try:
            yield number, outcome_of(content)
        except Exception:
            yield number, traceback.format_exc()
