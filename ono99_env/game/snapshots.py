"""Snapshots: a game as JSON-serialisable data, and back exactly."""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from ono99_env.engine import batch
from ono99_env.engine.possible import describe_flaws
from ono99_env.engine.records import (
    BUST_FLAG,
    GAME_OVER,
    NOBODY,
    RECENT_PLAYS,
    STATE,
    TO_ACT,
    TRUNCATED,
    WON,
    counts_from_hand,
    counts_from_pile,
    hand_from_counts,
    pile_from_counts,
    rules_array,
)
from ono99_env.game.snapshot_format import Snapshot, card_counts, check_lengths, check_position
from ono99_env.jit.types import State, States
from ono99_env.messages.errors import SnapshotError
from ono99_env.messages.fields import explain_invalid
from ono99_env.rules.cards import MAX_PLAYERS, Action, Card
from ono99_env.rules.rules import Rules

_BUST_PREFIX = "bust:"


def to_snapshot(rules: Rules, games: States) -> dict[str, Any]:
    """Write one game as JSON-serialisable data.

    Args:
        rules: The rules of the game.
        games: A length-1 `STATE` array.
    """
    # Reading a field of a NumPy record costs microseconds, of a plain object next to nothing.
    state: State = SimpleNamespace(**dict(zip(STATE.names or (), games[0].item(), strict=True)))
    seats = range(rules.num_players)
    is_over = state.phase in GAME_OVER
    hands = counts_from_hand(state.hands)
    return {
        "rules": rules.model_dump(mode="json"),
        "total": int(state.total),
        "direction": int(state.direction),
        "dealer": int(state.dealer),
        "current_player": None if is_over else int(state.current_player),
        "plays_owed": int(state.plays_owed),
        "second_play": bool(state.second_play),
        "ono99_played_this_turn": bool(state.ono99_played),
        "hands": [_names(hands[seat]) for seat in seats],
        "eliminated": [not _has(state.in_round, seat) for seat in seats],
        "draw_pile": _names(counts_from_pile(state.draw_pile)),
        "discard_pile": _names(counts_from_pile(state.discard_pile)),
        "last_player": _seat_or_none(state.last_player),
        "round": int(state.round_number),
        "chips": [int(state.chips[seat]) for seat in seats],
        "points": [int(state.points[seat]) for seat in seats],
        "is_over": is_over,
        "winners": list_winners(state),
        "returns": returns(games),
        "rng": f"0x{int(state.random_counter):016x}",
        "history": _history(state),
    }


def from_snapshot(snapshot: dict[str, Any]) -> tuple[Rules, States]:
    """Read one game, checking that it is a possible one.

    Returns:
        The rules, and a length-1 `STATE` array.

    Raises:
        SnapshotError: If a key is missing, unknown or of a wrong type, or the position could not
            arise in a game; the message names the key.
    """
    try:
        rules = Rules.model_validate({**snapshot["rules"]})
        data = Snapshot.model_validate(snapshot)
    except (KeyError, TypeError) as error:
        raise SnapshotError("a snapshot is a dict with the key 'rules', another dict") from error
    except ValidationError as error:
        model = Rules if error.title == Rules.__name__ else Snapshot
        raise SnapshotError(explain_invalid(error, model)) from error
    check_lengths(data, rules)
    check_position(data, rules)
    games = np.zeros(1, STATE)
    _fill_state(games[0], data, rules)
    if not data.is_over and not batch.refresh_legal_actions(games, rules_array(rules)):
        raise SnapshotError(
            f"current_player: seat {data.current_player} has no legal action, so it would be out"
        )
    flaw = describe_flaws(games, rules_array(rules))
    if flaw is not None:
        raise SnapshotError(flaw[1])
    return rules, games


def list_winners(state: State) -> list[int]:
    """Return the seats that have won, none while the game goes on."""
    if state.phase not in GAME_OVER:
        return []
    return [seat for seat in range(state.num_players) if _has(state.in_match, seat)]


def returns(games: States) -> list[float]:
    """Return what each seat of one game has won or lost so far."""
    values = np.zeros((1, MAX_PLAYERS))
    batch.fill_returns(games, values)
    return [float(value) for value in values[0, : games[0].num_players]]


def _fill_state(state: State, data: Snapshot, rules: Rules) -> None:
    history = data.history
    state.num_players = rules.num_players
    state.eliminated_face_up = rules.eliminated_hands == "face_up"
    for name in ("total", "direction", "dealer", "plays_owed", "second_play"):
        setattr(state, name, getattr(data, name))
    state.current_player = NOBODY if data.current_player is None else data.current_player
    state.receiver = NOBODY if history.receiver is None else history.receiver
    state.plays_passed_on = history.plays_passed_on
    state.round_number = data.round
    state.ono99_played = data.ono99_played_this_turn
    state.last_player = NOBODY if data.last_player is None else data.last_player
    state.first_out = NOBODY if history.first_out is None else history.first_out
    state.top_discard = NOBODY if history.top_discard is None else _card(history.top_discard)
    state.random_counter = np.uint64(int(data.rng, 16))
    state.draw_pile = pile_from_counts(card_counts(data.draw_pile, "draw_pile"))
    state.discard_pile = pile_from_counts(card_counts(data.discard_pile, "discard_pile"))
    state.plays, state.reshuffles = history.plays, history.reshuffles
    for seat, hand in enumerate(data.hands):
        state.hands[seat] = hand_from_counts(card_counts(hand, f"hands[{seat}]"))
        state.chips[seat], state.points[seat] = data.chips[seat], data.points[seat]
    for seat, plays in enumerate(history.recent_plays or []):
        state.recent_plays[seat] = _pack_recent(plays)
    state.in_round = _seat_set(not out for out in data.eliminated)
    state.players_left = data.eliminated.count(False)
    state.in_match = _seats_in_match(data, rules)
    state.busted = _seat_set(history.busted or [])
    state.phase = (TRUNCATED if history.truncated else WON) if data.is_over else TO_ACT


def _seats_in_match(data: Snapshot, rules: Rules) -> int:
    """Return the set of seats still in the match, by the format and the score (R16, R19)."""
    if data.is_over:
        return sum(1 << seat for seat in set(data.winners))
    if rules.format == "points_lowest":
        return (1 << rules.num_players) - 1
    if rules.format == "points_last_standing":
        return _seat_set(points < rules.target_points for points in data.points)
    return _seat_set(not out for out in data.eliminated)


def _history(state: State) -> dict[str, Any]:
    seats = range(state.num_players)
    top = int(state.top_discard)
    return {
        "busted": [_has(state.busted, seat) for seat in seats],
        "first_out": _seat_or_none(state.first_out),
        "plays": int(state.plays),
        "reshuffles": int(state.reshuffles),
        "top_discard": None if top == NOBODY else Card(top).label,
        "receiver": _seat_or_none(state.receiver),
        "plays_passed_on": int(state.plays_passed_on),
        "recent_plays": [_unpack_recent(int(state.recent_plays[seat])) for seat in seats],
        "truncated": bool(state.phase == TRUNCATED),
    }


def _pack_recent(plays: list[str]) -> np.uint32:
    """Pack a seat's latest plays into a word, one byte each.

    A byte is the action + 1, with `BUST_FLAG` for a bust, or 0 for none:

        bits    0-7      8-15             16-23     24-31
        play    newest   the one before   ...       oldest
    """
    if len(plays) > RECENT_PLAYS:
        raise SnapshotError(f"history.recent_plays: at most {RECENT_PLAYS} of each seat are kept")
    packed = 0
    for name in reversed(plays):
        try:
            action = Action.from_label(name.removeprefix(_BUST_PREFIX))
        except ValueError as error:
            raise SnapshotError(f"history.recent_plays: {error}") from error
        code = action + 1 | (BUST_FLAG if name.startswith(_BUST_PREFIX) else 0)
        packed = packed << 8 | code
    return np.uint32(packed)


def _unpack_recent(packed: int) -> list[str]:
    codes = [packed >> shift & 0xFF for shift in range(0, 8 * RECENT_PLAYS, 8)]
    names = [Action((code & ~BUST_FLAG) - 1).label for code in codes if code]
    return [
        _BUST_PREFIX + name if code & BUST_FLAG else name
        for code, name in zip(codes, names, strict=False)
    ]


def _names(counts: NDArray[np.uint8]) -> dict[str, int]:
    return {Card(int(card)).label: int(counts[card]) for card in np.flatnonzero(counts)}


def _card(name: str) -> Card:
    try:
        return Card.from_label(name)
    except ValueError as error:
        raise SnapshotError(f"history.top_discard: {error}") from error


def _has(seats: int, seat: int) -> bool:
    return bool(int(seats) >> seat & 1)


def _seat_set(members: Iterable[bool]) -> int:
    return sum(1 << seat for seat, member in enumerate(members) if member)


def _seat_or_none(seat: int) -> int | None:
    return None if seat == NOBODY else int(seat)
