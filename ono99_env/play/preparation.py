"""Compile and load before the first person waits for it."""

import numpy as np

from ono99_env.bots.answers import AskedBot, Question, ask_strictly
from ono99_env.game import Game
from ono99_env.messages.errors import RefusedError
from ono99_env.play.coach import ask_coach
from ono99_env.play.offered_bots import OfferedBots
from ono99_env.rules.rules import Rules


def prepare_bots(bots: OfferedBots) -> None:
    """Ask every bot once, and the coach: nobody then waits for a compiler or a file.

    Args:
        bots: The bots that will be seated.
    """
    for edition in ("2022", "1980"):
        rules = Rules.preset(edition)
        game = Game(rules)
        for name in bots.names:
            try:
                bot = bots.bot(name, rules)
            except RefusedError:
                continue  # it plays by other rules
            ask_strictly(Question(AskedBot(bot, 0, rules), rules, np.array(game.games)))
        ask_coach(bots.bot("highest", rules), "highest", rules, game.views())
