"""`search`: play by simulation, from what the seat may know."""

from ono99_env.bots.search.search_bot import SearchBot

__all__ = ["SearchBot"]
