"""One table as an object, with exact snapshots, records and replays."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ono99_env.game.game import Game
from ono99_env.game.play import Play

if TYPE_CHECKING:
    from ono99_env.game.game_records import read_record, write_record
    from ono99_env.game.replay import Frame, list_frames

__all__ = ["Frame", "Game", "Play", "list_frames", "read_record", "write_record"]

_MODULES = {
    **dict.fromkeys(("read_record", "write_record"), "game_records"),
    **dict.fromkeys(("Frame", "list_frames"), "replay"),
}


def __getattr__(name: str) -> Any:
    """Load what only some programs need when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module 'ono99_env.game' has no attribute {name!r}")
    return getattr(import_module(f"ono99_env.game.{_MODULES[name]}"), name)
