"""Find bot files by name: those that come with the package, and a user's own."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[2]

MODEL_FOLDERS = (_PACKAGE / "models", _PACKAGE.parent / "models")
"""Folders of the bot files that come with the package: when installed, and in a checkout."""


def shipped_files() -> dict[str, Path]:
    """Return the bot files of the package by name, from the first folder that has any."""
    found = (sorted(folder.glob("*.onnx")) for folder in MODEL_FOLDERS)
    return {file.stem: file for file in next(filter(None, found), [])}


def find_file(name: str) -> Path:
    """Return the bot file that a user means; a file of their own comes before the package's.

    Args:
        name: A path, or the name of a bot file of the package: ``"2022"`` or
            ``"models/2022.onnx"``.

    Raises:
        FileNotFoundError: If there is none; the message names those of the package.
    """
    if name.endswith(".onnx") and Path(name).exists():
        return Path(name)
    shipped = shipped_files()
    stem = name.removeprefix("models/").removesuffix(".onnx")
    if stem in shipped and name in (stem, f"models/{stem}.onnx"):
        return shipped[stem]
    where = "" if Path(name).is_absolute() else f" in {Path.cwd()}"
    raise FileNotFoundError(
        f"there is no bot file {name}{where}; those that come with the package are: "
        f"{', '.join(shipped) or 'none'}"
    )
