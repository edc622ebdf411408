"""The arena: games between bots, played so that luck cancels, with intervals to rely on."""

from ono99_env.arena.analysis.duplicates import WinRate, one_vs_rest, play_deals
from ono99_env.arena.analysis.results import Results
from ono99_env.arena.arena import Arena
from ono99_env.arena.play.ray_cluster import RayExecutor

__all__ = ["Arena", "RayExecutor", "Results", "WinRate", "one_vs_rest", "play_deals"]
