"""How the champions fare that come with the package: what a run is compared with."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ono99_env.bots.policies.bot_file import read_metadata
from ono99_env.bots.policies.shipped_files import shipped_files
from ono99_env.messages.errors import BotFileError
from ono99_env.rules.rules import Rules
from training.measure.measurements import Measurement

Match = tuple[str, int, str]
"""A match format, a number of players, and an opponent."""


class Champion(NamedTuple):
    """How a champion fares in one match."""

    name: str
    """The name of its bot file."""
    win_rate: float
    """Its win rate, as its bot file says."""


Champions = Mapping[Match, Champion]
"""The best champion of each match; those that nobody has measured are missing."""


def match_of(measurement: Measurement) -> Match:
    """Return the match that was measured."""
    return measurement.format, measurement.num_players, measurement.opponent


def find_champions(tables: Iterable[Rules]) -> dict[Match, Champion]:
    """Find in the bot files of the package how they fare at some tables.

    Args:
        tables: The rules of each table.
    """
    found: dict[Match, Champion] = {}
    measured = _measured_champions()
    for rules in tables:
        for name, metadata, match, win_rate in measured:
            if match[:2] != (rules.format, rules.num_players) or not _fits(metadata, rules):
                continue
            if match not in found or win_rate > found[match].win_rate:
                found[match] = Champion(name, win_rate)
    return found


def _measured_champions() -> list[tuple[str, Any, Match, float]]:
    rows = []
    for name, path in shipped_files().items():
        try:
            metadata = read_metadata(path)
        except BotFileError:  # of another version: nothing to compare with
            continue
        for each in metadata.results.get("evaluation", []):
            match = (each["format"], each["num_players"], each["opponent"])
            rows.append((name, metadata, match, float(each["win_rate"])))
    return rows


def _fits(metadata: Any, rules: Rules) -> bool:
    try:
        metadata.check_rules(rules)
    except ValueError:
        return False
    return True
