"""The drawing of a table: one picture and one text, made of what a seat may see.

Each name brings its module when it is first used: who only plays needs no drawing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ono99_env.drawing.scene import Scene, ScenePlay, SceneSeat
    from ono99_env.drawing.table_picture import draw_table
    from ono99_env.drawing.table_text import write_table
    from ono99_env.drawing.watchers import Watcher

__all__ = ["Scene", "ScenePlay", "SceneSeat", "Watcher", "draw_table", "write_table"]

_MODULES = {
    **dict.fromkeys(("Scene", "ScenePlay", "SceneSeat"), "scene"),
    "Watcher": "watchers",
    "draw_table": "table_picture",
    "write_table": "table_text",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module 'ono99_env.drawing' has no attribute {name!r}")
    return getattr(import_module(f"ono99_env.drawing.{_MODULES[name]}"), name)
