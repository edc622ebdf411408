"""The drawing of a table: one picture and one text, made of what a seat may see."""

from ono99_env.drawing.scene import Scene, ScenePlay, SceneSeat, Watcher
from ono99_env.drawing.table_picture import draw_table
from ono99_env.drawing.table_text import write_table

__all__ = ["Scene", "ScenePlay", "SceneSeat", "Watcher", "draw_table", "write_table"]
