"""The arena: games between bots, played so that luck cancels, with intervals to rely on."""

from ono99_env.arena.duplicates import WinRate, one_vs_rest, play_deals

__all__ = ["WinRate", "one_vs_rest", "play_deals"]
