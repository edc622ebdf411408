"""Words of the command line that several commands read."""

from collections.abc import Sequence

from ono99_env.messages.errors import UsageError
from ono99_env.rules.cards import MAX_PLAYERS

_FEWEST_PLAYERS = 2

PLAYERS_SPELLINGS = ("--players", "--num-players", "--num_players")
"""All spellings of the option for the number of players; messages use the first."""

_COUNT_OPTIONS = (*PLAYERS_SPELLINGS, "--evaluation.num_players")


def join_player_counts(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with ``--players 2 4`` written as ``--players 2,4``.

    Only single digits are combined_figures, since ``2022`` after a player count is a bot.
    """
    combined_figures: list[str] = []
    is_list = False
    for word in words:
        is_count = len(word) == 1 and word.isdecimal()
        if is_list and is_count and combined_figures[-1][-1].isdecimal():
            combined_figures[-1] += f",{word}"
            continue
        is_list = word.partition("=")[0] in _COUNT_OPTIONS or (
            is_list and combined_figures[-1] in _COUNT_OPTIONS
        )
        combined_figures.append(word)
    return combined_figures


def player_counts(texts: Sequence[str]) -> list[int]:
    """Parse the player counts that ``--players`` says, perhaps several times.

    Raises:
        UsageError: If one is no whole number that a table can have.
    """
    try:
        return [count for text in texts for count in parse_player_counts(text)]
    except ValueError as error:
        raise UsageError(f"--players: {error}") from error


def parse_player_counts(text: str) -> list[int]:
    """Parse player counts such as ``2,4``.

    Raises:
        ValueError: If one is no whole number that a table can have; the message does not name the
            option.
    """
    return [_count(part) for part in text.split(",")]


def _count(text: str) -> int:
    count = int(text) if text.strip().isdecimal() else 0
    if not _FEWEST_PLAYERS <= count <= MAX_PLAYERS:
        raise ValueError(
            f"must be numbers from {_FEWEST_PLAYERS} to {MAX_PLAYERS}, such as 4 or 2,4, not "
            f"{text.strip()!r}"
        )
    return count
