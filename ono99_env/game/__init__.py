"""One table as an object, with exact snapshots, records and replays."""

from ono99_env.game.game import Game
from ono99_env.game.game_records import read_record, write_record
from ono99_env.game.play import Play
from ono99_env.game.replay import Frame, list_frames

__all__ = ["Frame", "Game", "Play", "list_frames", "read_record", "write_record"]
