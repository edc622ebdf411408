"""`Showing`: a game that is only looked at, moment by moment."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ono99_env.bots.answers import AskedBot, Question, ask_strictly
from ono99_env.bots.base import Bot
from ono99_env.drawing.table_picture import draw_table
from ono99_env.drawing.table_text import write_table
from ono99_env.game import Frame, Game, Play
from ono99_env.play.news import tell_play
from ono99_env.rules.rules import Rules

MOST_MOVES = 100_000
"""Moves after which a game between bots is no longer played on: nobody would watch it."""


class Showing:
    """A game move by move, as a page or a terminal shows it.

    Args:
        frames: Its moments; see `ono99_env.game.list_frames`.
        history: Its plays.
        title: What it is called.
        plays_itself: Whether it begins to move as soon as it is opened.
    """

    def __init__(
        self,
        frames: Sequence[Frame],
        history: Sequence[Play],
        title: str,
        plays_itself: bool = False,
    ) -> None:
        self.title, self.plays_itself = title, plays_itself
        self.frames = list(frames)
        missed = [play.missed_draw for play in history]
        self.moments = [_tell(self.frames, number, missed) for number in range(len(self.frames))]
        """What happened last, for each moment."""

    def as_data(self) -> dict[str, Any]:
        """Return the title and the words of all moments, as JSON-serialisable data."""
        moments = [
            {"told": told, "text": write_table(frame.scene)}
            for told, frame in zip(self.moments, self.frames, strict=True)
        ]
        return {"title": self.title, "plays_itself": self.plays_itself, "moments": moments}

    def picture(self, number: int, theme: str) -> str:
        """Return the picture of a moment, as SVG.

        Args:
            number: From 0, the deal.
            theme: Theme of the picture.

        Raises:
            ValueError: If there is no such moment or theme.
        """
        if not 0 <= number < len(self.frames):
            raise ValueError(f"moments go from 0 to {len(self.frames) - 1}")
        return draw_table(self.frames[number].scene, theme)


def play_bots(bots: Sequence[Bot], rules: Rules, seed: int) -> Game:
    """Let bots play a game to its end.

    Args:
        bots: A bot for each seat.
        rules: The rules.
        seed: Decides all chance.

    Raises:
        BotError: If a bot fails.
        ValueError: If the game does not end.
    """
    game = Game(rules, seed)
    asked = [AskedBot(bot, seat, rules, seed) for seat, bot in enumerate(bots)]
    while game.current_player is not None:
        if len(game.history) >= MOST_MOVES:
            raise ValueError(f"the game did not end within {MOST_MOVES} moves; set max_plays")
        bot = asked[game.current_player]
        answer = ask_strictly(Question(bot, rules, np.array(game.games)))
        game.play(int(answer[0]))
    return game


def _tell(frames: Sequence[Frame], number: int, missed: Sequence[bool]) -> str:
    play = frames[number].play
    if number == 0:
        return "The cards are dealt."
    if play is None:
        return f"A player gives the game up. {frames[number].scene.outcome}"
    before, after = frames[number - 1].scene, frames[number].scene
    return tell_play(before, after, play, missed[number - 1])
