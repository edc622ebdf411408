"""The arena: games between bots, played so that luck cancels, with intervals to rely on."""

from ono99_env.arena.arena import Arena
from ono99_env.arena.duplicates import WinRate, one_vs_rest, play_deals
from ono99_env.arena.ray_cluster import RayExecutor
from ono99_env.arena.results import Results

__all__ = ["Arena", "RayExecutor", "Results", "WinRate", "one_vs_rest", "play_deals"]
