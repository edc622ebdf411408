"""What new episodes are drawn from: opponents, the learner's seat, and numbers of players."""

import reprlib
from collections.abc import Sequence
from os import PathLike
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots import Bot, load_bot
from ono99_env.bots.foreign import check_bot
from ono99_env.messages.suggestions import did_you_mean
from ono99_env.messages.values import is_whole_number
from ono99_env.rules.rules import Rules

Opponents = Bot | str | Sequence[Bot | str]
"""What environments take as ``opponents``: one bot or several, or names that `load_bot` takes."""

_MOST_OPPONENTS = 100

ANY_SEAT = -1
"""In place of the learner's seat: one is drawn for each game."""

MOST_COUNTS = 64
"""Player counts, repeated ones too, that games may be drawn from."""

NEW_GAMES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # Player counts to draw from, the first `num_counts` of them.
                ("player_counts", "i8", (MOST_COUNTS,)),
                ("num_counts", "i8"),
                # The learner's seat, or `ANY_SEAT`.
                ("learner_seat", "i8"),
                # How many bots may hold the other seats.
                ("num_bots", "i8"),
            ],
            align=True,
        ),
    )
)
"""What new games are drawn from."""


def check_seat(seat: int | Literal["random"], counts: Sequence[int]) -> None:
    """Refuse a seat that is not at every table.

    Raises:
        ValueError: If it is not at every table, or there are no player counts, or too many.
    """
    if not 0 < len(counts) <= MOST_COUNTS:
        raise ValueError(
            f"num_players must be a player count or a list of 1 to {MOST_COUNTS}, not "
            f"{reprlib.repr(counts)}"
        )
    if seat != "random" and not (is_whole_number(seat) and 0 <= seat < min(counts)):
        raise ValueError(
            f"seat must be 'random' or from 0 to {min(counts) - 1}, not {seat!r}"
            f"{did_you_mean(seat, ['random'])}"
        )


def load_opponents(opponents: Opponents, rules: Rules, counts: Sequence[int]) -> list[Bot]:
    """Return the opponents as bots, each of which can play at every player count.

    Raises:
        ValueError: If one cannot, or if there are none, or too many.
    """
    named = [opponents] if isinstance(opponents, Bot | str | PathLike) else opponents
    if not isinstance(named, list | tuple) or not 0 < len(named) <= _MOST_OPPONENTS:
        raise ValueError(
            f"opponents must be a bot or a list of 1 to {_MOST_OPPONENTS}, such as ['highest'], "
            f"not {reprlib.repr(opponents)}"
        )
    bots = [bot if isinstance(bot, Bot) else load_bot(bot) for bot in named]
    for count in counts:
        for bot in bots:
            check_bot(bot, rules.with_players(count))
    return bots


def new_games_array(
    counts: Sequence[int], seat: int | Literal["random"], num_bots: int
) -> NDArray[np.void]:
    """Return the length-1 `NEW_GAMES` array that compiled functions take."""
    new_games = np.zeros(1, NEW_GAMES)
    new_games["player_counts"][0, : len(counts)] = counts
    new_games["num_counts"] = len(counts)
    new_games["learner_seat"] = ANY_SEAT if seat == "random" else seat
    new_games["num_bots"] = num_bots
    return new_games
