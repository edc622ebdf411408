"""Read and write the record of a tournament: JSON to repeat it, CSV for spreadsheets."""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ono99_env.arena.plan.tournament_setup import TournamentSetup
from ono99_env.files.atomic import write_atomically
from ono99_env.files.regular_files import UnreadableError, read_regular_file
from ono99_env.messages.fields import explain_invalid
from ono99_env.messages.text import spreadsheet_cell

_COLUMNS = (
    "num_players",
    "name",
    "games",
    "win_rate",
    "low",
    "high",
    "score",
    "mean_place",
    "mean_points",
    "forfeits",
    "rating",
    "rating_low",
    "rating_high",
)

_LARGEST_RECORD = 2**26
"""The most bytes of a record that are read: 64 MiB."""

RESULTS_VERSION = 2
"""Version of the results file. Since 2, each round draws its own mixed table."""


def write_json(path: Path, record: Mapping[str, Any]) -> None:
    """Write a record (see `Arena.record`); an older file stays until the new one is complete."""
    write_atomically(path, f"{json.dumps(record, indent=1)}\n".encode())


def read_json(path: Path) -> dict[str, Any]:
    """Read a record.

    Raises:
        ValueError: If it cannot be read, or is not a record of this version.
        FileNotFoundError: If there is no such file.
    """
    try:
        record = json.loads(read_regular_file(path, _LARGEST_RECORD).decode())
    except UnreadableError as error:
        raise ValueError(f"{path} {error}") from error
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(record, dict) or record.get("format") != "ono99-arena":
        raise ValueError(f"{path} does not hold the results of a tournament")
    if record.get("format_version") != RESULTS_VERSION:
        raise ValueError(
            f"{path} is in version {record.get('format_version')} of the format; this package "
            f"reads version {RESULTS_VERSION}"
        )
    return record


def setup_of(record: Mapping[str, Any], path: Path) -> TournamentSetup:
    """Return the setup in a record or in the identity of a state.

    Raises:
        ValueError: If there is none, or it is impossible.
    """
    try:
        return TournamentSetup.model_validate(record["setup"])
    except KeyError as error:
        raise ValueError(f"{path}: it has no setup") from error
    except ValidationError as error:
        raise ValueError(
            f"{path}: its setup is impossible: {explain_invalid(error, TournamentSetup)}"
        ) from error


def write_csv(path: Path, record: Mapping[str, Any]) -> None:
    """Write a row for each bot over all player counts (``all``), and one at each."""
    rows = [("all", bot) for bot in record["bots"]]
    rows += [(count["num_players"], bot) for count in record["players"] for bot in count["bots"]]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, _COLUMNS, extrasaction="ignore")
    writer.writeheader()
    for num_players, bot in rows:
        low, high = bot["interval"]
        rating_low, rating_high = bot.get("rating_interval", (None, None))
        ends = {"low": low, "high": high, "rating_low": rating_low, "rating_high": rating_high}
        name = spreadsheet_cell(bot["name"])
        writer.writerow({"num_players": num_players, **bot, "name": name, **ends})
    write_atomically(path, text.getvalue().encode())
