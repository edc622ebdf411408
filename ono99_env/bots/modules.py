"""Import the module of a user's own bot, which may be in the current folder."""

import importlib
import sys
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType


def import_module(name: str) -> ModuleType:
    """Import a module from Python's path or, if it is not there, from the current folder.

    An installed command does not search the current folder. The folder is added to the end of the
    path, and only if the module is nowhere else, so no file in it can replace another module. It
    stays on the path for worker processes, unless the import fails.

    Args:
        name: The module, such as ``my_bots`` or ``my_package.bots``.

    Raises:
        ModuleNotFoundError: If there is no such module.
        Exception: Whatever importing it raises.
    """
    folder = _folder_to_add(name.partition(".")[0])
    if folder is None:
        return importlib.import_module(name)
    sys.path.append(folder)
    try:
        return importlib.import_module(name)
    except BaseException:
        sys.path.remove(folder)
        raise


def _folder_to_add(package: str) -> str | None:
    """Return the current folder if a module is there and nowhere on the path."""
    importlib.invalidate_caches()
    if package in sys.modules or find_spec(package) is not None:
        return None
    try:
        folder = str(Path.cwd())
    except OSError:  # it was removed
        return None
    return folder if PathFinder.find_spec(package, [folder]) is not None else None
