"""Finding a bot by what a user writes: a name, or the path of a bot file."""

from os import PathLike
from pathlib import Path

from ono99_env.bots.base import Bot
from ono99_env.bots.compiled import CompiledBot
from ono99_env.bots.search import SearchBot

_PACKAGE = Path(__file__).parent.parent

MODEL_FOLDERS = (_PACKAGE / "models", _PACKAGE.parent / "models")
"""Where the bot files that come with the package lie: once installed, and in a checkout."""


def bot_names() -> list[str]:
    """Every name that `load_bot` takes: the scripted bots and the bot files of the package."""
    return [*CompiledBot.NAMES, "search", *sorted(_shipped_files())]


def load_bot(name: str | PathLike[str]) -> Bot:
    """Load a bot.

    Args:
        name: The name of a scripted bot (``"random"``, ``"highest"``), ``"search"`` with or without
            options (``"search:simulations=2000"``, ``"search:milliseconds=50,threads=2"``), the
            name of a bot file that comes with the package (``"2022"`` or ``"models/2022.onnx"``),
            or the path of a bot file (``"runs/x/bot.onnx"``). A bot file may be followed by
            ``?sample`` to draw actions from its policy instead of taking the best.

    Raises:
        ValueError: If there is no such bot, or the file is not a bot file of this version.
        FileNotFoundError: If the path does not exist.
    """
    if not isinstance(name, str | PathLike):
        raise ValueError(f"a bot is named by a string or a path, not by {name!r}")
    name = str(name)
    if name in CompiledBot.NAMES:
        return CompiledBot(name)
    kind, _, options = name.partition(":")
    if kind == "search":
        return SearchBot(**_whole_numbers(options, name))
    path, _, option = name.partition("?")
    if option not in ("", "sample"):
        raise ValueError(f"unknown bot option {option!r} in {name!r}; there is only '?sample'")
    file = _find_file(path)
    from ono99_env.bots.onnx import OnnxBot  # onnxruntime takes a third of a second to import

    return OnnxBot(file, sample=option == "sample", name=name)


def _whole_numbers(options: str, name: str) -> dict[str, int]:
    """Read options such as ``simulations=2000,threads=2``."""
    known = ("simulations", "milliseconds", "threads")
    values = {}
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        if key not in known or not value.isdecimal():
            raise ValueError(
                f"unknown bot option {option!r} in {name!r}; "
                f"known are: {', '.join(known)}, each with a whole number"
            )
        values[key] = int(value)
    return values


def _find_file(path: str) -> Path:
    """The bot file that a user means; a file of the user's own comes before one of the package."""
    is_file_name = path.endswith(".onnx")
    if is_file_name and Path(path).exists():
        return Path(path)
    shipped = _shipped_files()
    stem = path.removeprefix("models/").removesuffix(".onnx")
    if stem in shipped and path in (stem, f"models/{stem}.onnx"):
        return shipped[stem]
    known = f"known are: {', '.join(bot_names())}, or the path of an .onnx file"
    if is_file_name:
        raise FileNotFoundError(f"there is no bot file {path}; {known}")
    raise ValueError(f"unknown bot {path!r}; {known}")


def _shipped_files() -> dict[str, Path]:
    """The bot files of the package by name, those of the first folder that has any."""
    found = (sorted(folder.glob("*.onnx")) for folder in MODEL_FOLDERS)
    return {file.stem: file for file in next(filter(None, found), [])}
