"""Bots: policies for any seat, loaded by name with `load_bot`."""

from ono99_env.bots.base import Bot
from ono99_env.bots.catalogue import BotEntry, list_bots
from ono99_env.bots.loader import bot_names, load_bot, load_bot_of_file

__all__ = ["Bot", "BotEntry", "bot_names", "list_bots", "load_bot", "load_bot_of_file"]
