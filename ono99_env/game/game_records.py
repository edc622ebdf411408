"""Records: a whole game as small JSON data, and back by playing it through the engine."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from pydantic import ValidationError

from ono99_env.files.atomic import write_atomically
from ono99_env.files.regular_files import UnreadableError, read_regular_file
from ono99_env.game.play import Play
from ono99_env.game.record_format import (
    RECORD_FORMAT,
    RECORD_VERSION,
    Record,
    RecordedPlay,
    checked_record,
)
from ono99_env.messages.errors import IllegalActionError, RecordError, SnapshotError
from ono99_env.messages.fields import explain_invalid
from ono99_env.rules.cards import Action
from ono99_env.rules.rules import Rules

if TYPE_CHECKING:
    from ono99_env.game.game import Game

AnyGame = TypeVar("AnyGame", bound="Game")

_LARGEST = 64 * 2**20
"""Bytes of a file of a record at most."""


def to_record(game: "Game", names: Sequence[str] | None = None) -> dict[str, Any]:
    """Write a game as JSON-serialisable data; see `Record`.

    Args:
        game: The game, over or not.
        names: What the players are called, by seat.
    """
    record: dict[str, Any] = {
        "format": RECORD_FORMAT,
        "format_version": RECORD_VERSION,
        "rules": game.rules.model_dump(mode="json"),
    }
    if names is not None:
        record["names"] = [str(name) for name in names]
    if game.start is None:
        record["seed"], record["dealer"] = game.seed, game.initial_dealer
        record["dealt"] = [card.label for card in game.initial_draws]
    else:
        record["start"] = game.start
    record["plays"] = [_play_as_data(play) for play in game.history]
    if game.forfeiter is not None:
        record["forfeited"] = game.forfeiter
    record["rng"] = f"0x{int(game.state.random_counter):016x}"
    return {**record, "total": int(game.state.total), "winners": game.winners}


def play_record(data: Any, game_class: type[AnyGame]) -> AnyGame:
    """Read a game by playing it through the engine.

    Raises:
        RecordError: If a key is wrong or a play is not possible; the message says which.
    """
    record = checked_record(data)
    game = _begin(record, game_class)
    if record.names is not None and len(record.names) != game.num_players:
        raise RecordError(
            f"names: must be {game.num_players}, one for each seat, not {len(record.names)}"
        )
    for number, play in enumerate(record.plays):
        _replay(game, play, f"plays[{number}]", record.names_cards)
    if record.forfeited is not None:
        _check_seat(game, record.forfeited, "forfeited")
        game.forfeit()
    if record.rng is not None:
        game.games["random_counter"] = np.uint64(int(record.rng, 16))
    _check_end(game, record)
    return game


def read_record(path: str | Path) -> dict[str, Any]:
    """Read the data of a record from a JSON file; `Game.from_record` checks what it says.

    Raises:
        FileNotFoundError: If there is no such file.
        RecordError: If it cannot be read, or is no JSON.
    """
    try:
        data = json.loads(read_regular_file(Path(path), _LARGEST).decode())
    except UnreadableError as error:
        raise RecordError(f"{path} {error}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path} is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise RecordError(f"{path} is no record of a game: it must hold an object")
    return data


def write_record(path: str | Path, record: Mapping[str, Any]) -> None:
    """Write a record to a JSON file, a line for each play; an older file stays until it is done.

    Raises:
        OSError: If it cannot be written.
    """
    plays = ",\n  ".join(json.dumps(play) for play in record["plays"])
    lines = [
        f" {json.dumps(key)}: "
        + (f"[\n  {plays}\n ]" if key == "plays" and plays else json.dumps(value))
        for key, value in record.items()
    ]
    write_atomically(Path(path), ("{\n" + ",\n".join(lines) + "\n}\n").encode())


def _play_as_data(play: Play) -> dict[str, Any]:
    data: dict[str, Any] = {"seat": play.seat, "action": play.action.label}
    if play.drawn:
        data["drawn"] = [card.label for card in play.drawn]
    if play.missed_draw:
        data["missed_draw"] = True
    return data


def _begin(record: Record, game_class: type[AnyGame]) -> AnyGame:
    """Return the game of a record before its first play."""
    if record.start is not None:
        try:
            return game_class.from_snapshot(record.start)
        except SnapshotError as error:
            raise RecordError(f"start: {error}") from error
    try:
        rules = Rules.model_validate(record.rules)
    except ValidationError as error:
        raise RecordError(f"rules: {explain_invalid(error, Rules)}") from None
    if record.dealer is not None and record.dealer >= rules.num_players:
        raise RecordError(
            f"dealer: there is no seat {record.dealer} with {rules.num_players} players"
        )
    seed = 0 if record.seed is None else record.seed
    if record.dealt is None:
        game = game_class(rules, seed)
        if record.dealer not in (None, game.initial_dealer):
            raise RecordError(f"dealer: by the seed it is seat {game.initial_dealer}")
        return game
    if record.dealer is None and rules.dealer == "random":
        raise RecordError("dealer: is missing; it says who gets the first card of 'dealt'")
    try:
        game = game_class(rules, seed, draws=record.dealt, dealer=record.dealer)
    except ValueError as error:
        raise RecordError(f"dealt: {_without_name(error)}") from error
    _check_dealt(game.initial_draws, record.dealt, "dealt")
    return game


def _replay(game: "Game", play: RecordedPlay, place: str, names_cards: bool) -> None:
    """Play one play of a record.

    Raises:
        RecordError: If it is not possible, beginning with the place.
    """
    if game.is_over:
        raise RecordError(f"{place}: the game is over before this play")
    if play.seat is not None:
        _check_seat(game, play.seat, f"{place}.seat")
    given = (play.drawn or ()) if names_cards else None
    try:
        played = game.play(
            Action.from_label(play.action),
            missed_draw=play.missed_draw if names_cards else None,
            draws=given,
        )
    except IllegalActionError as error:
        raise RecordError(f"{place}.action: {error}") from error
    except ValueError as error:
        raise RecordError(f"{place}.drawn: {_without_name(error)}") from error
    if names_cards or play.drawn is not None:
        _check_dealt(played.drawn, play.drawn or (), f"{place}.drawn")


def _check_seat(game: "Game", seat: int, place: str) -> None:
    if game.is_over:
        raise RecordError(f"{place}: the game is over")
    if seat != game.current_player:
        raise RecordError(f"{place}: it is the turn of seat {game.current_player}, not {seat}")


def _check_dealt(dealt: Sequence[Any], named: Sequence[str], place: str) -> None:
    labels = [card.label for card in dealt]
    if len(named) < len(labels):
        raise RecordError(f"{place}: names {len(named)} cards, but {len(labels)} are due")
    if labels != list(named):
        raise RecordError(f"{place}: by the seed these are {', '.join(labels) or 'none'}")


def _check_end(game: "Game", record: Record) -> None:
    total = int(game.state.total)
    if record.total is not None and record.total != total:
        raise RecordError(f"total: the plays lead to {total}, not {record.total}")
    if record.winners is not None and sorted(record.winners) != game.winners:
        raise RecordError(f"winners: by the plays they are {game.winners}")


def _without_name(error: ValueError) -> str:
    return str(error).removeprefix("draws: ")
