"""Finding a bot by what a user writes: a name, or the path of a bot file."""

from pathlib import Path

from ono99_env.bots.base import Bot
from ono99_env.bots.compiled import CompiledBot

MODELS = Path(__file__).parent.parent / "models"
"""Where the bot files that come with the package lie, once installed."""

_CHECKOUT_MODELS = Path(__file__).parent.parent.parent / "models"


def bot_names() -> list[str]:
    """Every name that `load_bot` takes: the scripted bots and the bot files of the package."""
    return [*CompiledBot.NAMES, *sorted(_shipped_files())]


def load_bot(name: str) -> Bot:
    """Load a bot.

    Args:
        name: The name of a scripted bot (``"random"``, ``"highest"``), the name of a bot file that
            comes with the package (``"2022"``), or the path of a bot file (``"runs/x/bot.onnx"``).
            A path may end in ``?sample`` to draw actions from the policy instead of taking the best.

    Raises:
        ValueError: If there is no such bot, or the file is not a bot file of this version.
        FileNotFoundError: If the path does not exist.
    """
    if name in CompiledBot.NAMES:
        return CompiledBot(name)
    path, _, option = name.partition("?")
    if option not in ("", "sample"):
        raise ValueError(f"unknown bot option {option!r} in {name!r}; there is only '?sample'")
    file = _shipped_files().get(path) or (Path(path) if path.endswith(".onnx") else None)
    if file is None:
        raise ValueError(
            f"unknown bot {name!r}; known are: {', '.join(bot_names())}, or the path of an .onnx file"
        )
    from ono99_env.bots.onnx import OnnxBot  # onnxruntime takes a third of a second to import

    return OnnxBot(file, sample=option == "sample")


def _shipped_files() -> dict[str, Path]:
    files = [*_CHECKOUT_MODELS.glob("*.onnx"), *MODELS.glob("*.onnx")]
    return {file.stem: file for file in files}
