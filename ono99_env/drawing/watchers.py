"""Who looks at a table that is drawn."""

from typing import Any, Literal

from ono99_env.messages.suggestions import did_you_mean
from ono99_env.messages.values import is_whole_number

Watcher = int | Literal["all"]
"""Through whose eyes a table is drawn: one seat's, or ``"all"`` with every card open."""


def check_watcher(watcher: Any, num_players: int, name: str = "seat") -> None:
    """Refuse what is neither a seat nor ``"all"``.

    Args:
        watcher: What the caller gave.
        num_players: Seats at the table.
        name: What the message calls it.

    Raises:
        ValueError: If it is not.
    """
    if isinstance(watcher, str) and watcher == "all":
        return
    if not is_whole_number(watcher) or not 0 <= watcher < num_players:
        hint = did_you_mean(watcher, ["all"])
        raise ValueError(
            f"{name} must be 'all' or from 0 to {num_players - 1}, not {watcher!r}{hint}"
        )
