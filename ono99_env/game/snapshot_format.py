"""The JSON form of a game: the keys of a snapshot, and what makes one a possible game.

Cards are named as `ono99_env.Card.label` names them; hands and piles are ``{name: count}``.
"""

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ono99_env.messages.errors import SnapshotError
from ono99_env.rules.cards import MAX_DECK, MAX_PLAYERS, NUM_CARDS, Card
from ono99_env.rules.rules import Rules

Seat = Annotated[int, Field(ge=0, lt=MAX_PLAYERS, strict=True)]
Count = Annotated[int, Field(ge=0, strict=True)]
Number = Annotated[int, Field(ge=0, le=2**30, strict=True)]  # leaves room to go on counting
Flag = Annotated[bool, Field(strict=True)]
Cards = dict[str, Count]


def _not_a_flag(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("Input should be 1 or -1")
    return value


class History(BaseModel):
    """What happened earlier and the position alone does not show; may be left out."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    busted: list[Flag] | None = None
    """By seat: went out of this round by busting (R17)."""
    first_out: Seat | None = None
    """Who went out first in this round (R15)."""
    plays: Number = 0
    """Actions taken in this round (R22)."""
    reshuffles: Number = 0
    """Times the discard pile was reshuffled in this round (R5)."""
    top_discard: str | None = None
    """The card played last onto the discard pile."""
    receiver: Seat | None = None
    """Who was dealt a card last."""
    plays_passed_on: Annotated[int, Field(ge=0, le=2, strict=True)] = 0
    """Cards that the last card obliged the next player to play; 0 before the first."""
    recent_plays: list[list[str]] | None = None
    """By seat: its latest actions in this round, newest first, at most 4; ``bust:`` if busted."""
    truncated: Flag = False
    """Whether the game was cut short (R22)."""


class Snapshot(BaseModel):
    """The keys of a snapshot and the types of their values."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    rules: dict[str, Any]
    """Every field of `Rules`."""
    total: Annotated[int, Field(strict=True, ge=-(2**30), le=2**30)]
    """The running total."""
    direction: Annotated[Literal[1, -1], BeforeValidator(_not_a_flag)]
    """1 clockwise, -1 counter-clockwise."""
    dealer: Seat
    current_player: Seat | None
    """The seat to act, null when the game is over."""
    plays_owed: Annotated[int, Field(ge=0, le=2, strict=True)]
    """Cards the current player still has to play this turn; 0 when the game is over."""
    second_play: Flag
    """Whether the second of two owed cards is due."""
    ono99_played_this_turn: Flag
    hands: list[Cards]
    eliminated: list[Flag]
    """By seat: out of this round or of the match."""
    draw_pile: Cards
    discard_pile: Cards
    last_player: Seat | None
    """Who played a card last in this round."""
    round: Annotated[int, Field(ge=1, le=2**30, strict=True)]
    chips: list[Annotated[int, Field(ge=0, le=99, strict=True)]]
    points: list[Annotated[int, Field(ge=0, lt=2**15, strict=True)]]
    is_over: Flag
    winners: list[Seat]
    returns: list[float]
    """Follows from the other keys; what is given here is not used."""
    rng: Annotated[str, Field(pattern=r"^0x[0-9a-f]{1,16}$")]
    """Counter of the game's random generator, hexadecimal: it has 64 bits, JSON numbers have 53."""
    history: History = History()


def card_counts(cards: Cards, field: str) -> NDArray[np.uint8]:
    """Return the counts by card id, shape (16,), of a hand or pile.

    Raises:
        SnapshotError: For an unknown card name or a count above 127.
    """
    counts = np.zeros(NUM_CARDS, np.uint8)
    for name, count in cards.items():
        try:
            card = Card.from_label(name)
        except ValueError as error:
            raise SnapshotError(f"{field}: {error}") from error
        if count > MAX_DECK:
            raise SnapshotError(f"{field}: {count} cards {name} are more than any deck holds")
        counts[card] = count
    return counts


def check_lengths(data: Snapshot, rules: Rules) -> None:
    """Refuse lists by seat of another length, and seats that are not at the table.

    Raises:
        SnapshotError: Naming the key.
    """
    by_seat: dict[str, list[Any] | None] = {
        **{name: getattr(data, name) for name in ("hands", "eliminated", "chips", "points")},
        "returns": data.returns,
        "history.busted": data.history.busted,
        "history.recent_plays": data.history.recent_plays,
    }
    for name, values in by_seat.items():
        if values is not None and len(values) != rules.num_players:
            raise SnapshotError(
                f"{name}: needs one entry for each of {rules.num_players} seats, not {len(values)}"
            )
    seats = {
        **{name: getattr(data, name) for name in ("dealer", "current_player", "last_player")},
        "history.first_out": data.history.first_out,
        "history.receiver": data.history.receiver,
        **{f"winners[{index}]": seat for index, seat in enumerate(data.winners)},
    }
    for name, seat in seats.items():
        if seat is not None and seat >= rules.num_players:
            raise SnapshotError(f"{name}: there is no seat {seat} with {rules.num_players} players")


def check_position(data: Snapshot, rules: Rules) -> None:
    """Refuse a position that could not arise in a game.

    Raises:
        SnapshotError: Naming the key.
    """
    _check_cards(data, rules)
    _check_score(data, rules)
    if data.is_over:
        _check_finished(data, rules)
    else:
        _check_turn(data, rules)


def _check_cards(data: Snapshot, rules: Rules) -> None:
    places = {"draw_pile": data.draw_pile, "discard_pile": data.discard_pile}
    places |= {f"hands[{seat}]": hand for seat, hand in enumerate(data.hands)}
    held = {name: card_counts(cards, name) for name, cards in places.items()}
    for seat in range(rules.num_players):
        size = int(held[f"hands[{seat}]"].sum())
        if size > rules.hand_size:
            raise SnapshotError(f"hands[{seat}]: {size} cards, but hand_size is {rules.hand_size}")
    found = np.sum([counts.astype(int) for counts in held.values()], axis=0)
    for card in Card:
        expected = rules.deck.get(card.label, 0)
        if found[card] != expected:
            raise SnapshotError(
                f"hands, draw_pile and discard_pile together hold {found[card]} cards "
                f"{card.label}, but the deck has {expected}"
            )
    top = data.history.top_discard
    if top is not None and not data.discard_pile.get(top):
        raise SnapshotError(f"history.top_discard: {top!r} is not in discard_pile")


def _check_score(data: Snapshot, rules: Rules) -> None:
    may_exceed = rules.has_points and rules.bust_counts
    if data.total > rules.highest_total and not may_exceed:
        raise SnapshotError(f"total: {data.total} is above highest_total {rules.highest_total}")
    if rules.lowest_total is not None and data.total < rules.lowest_total:
        raise SnapshotError(f"total: {data.total} is below lowest_total {rules.lowest_total}")
    if max(data.chips) > rules.chips:
        raise SnapshotError(
            f"chips: {max(data.chips)} is more than the {rules.chips} to start with"
        )
    if rules.format == "single_round" and data.round != 1:
        raise SnapshotError(f"round: a single_round game has only round 1, not {data.round}")
    for seat, points in enumerate(data.points):
        at_target = rules.has_points and points >= rules.target_points
        if at_target and not data.is_over and not data.eliminated[seat]:
            raise SnapshotError(
                f"points[{seat}]: {points} reach target_points {rules.target_points}, "
                "so the seat would be out of the match"
            )


def _check_turn(data: Snapshot, rules: Rules) -> None:
    seat = data.current_player
    if seat is None:
        raise SnapshotError("current_player: null, but the game is not over")
    if data.eliminated[seat]:
        raise SnapshotError(f"current_player: seat {seat} is eliminated and cannot be to move")
    if data.eliminated.count(False) < 2:
        raise SnapshotError("eliminated: fewer than two players are left, but is_over is false")
    if data.winners:
        raise SnapshotError("winners: must be empty while the game is not over")
    if data.history.truncated:
        raise SnapshotError("history.truncated: true, but is_over is false")
    first_out = data.history.first_out
    if first_out is not None and not data.eliminated[first_out]:
        raise SnapshotError(f"history.first_out: seat {first_out} is not eliminated")
    if data.plays_owed == 0:
        raise SnapshotError("plays_owed: the current player owes 1 or 2 cards, not 0")
    if data.second_play and data.plays_owed != 1:
        raise SnapshotError("second_play: true, so plays_owed must be 1")
    if rules.format == "points_lowest" and max(data.points) >= rules.target_points:
        raise SnapshotError("points: a score reaches target_points, so the match would be over")
    if rules.max_plays is not None and data.history.plays >= rules.max_plays:
        raise SnapshotError("history.plays: reaches max_plays, so the game would be over")
    for out, busted in zip(data.eliminated, data.history.busted or [], strict=False):
        if busted and not out:
            raise SnapshotError("history.busted: a player who busted must be eliminated")


def _check_finished(data: Snapshot, rules: Rules) -> None:
    if data.current_player is not None:
        raise SnapshotError("current_player: must be null when the game is over")
    if data.plays_owed != 0:
        raise SnapshotError("plays_owed: must be 0 when the game is over")
    if not data.winners:
        raise SnapshotError("winners: a game that is over has at least one")
    if len(set(data.winners)) < len(data.winners):
        raise SnapshotError("winners: a seat is named twice")
    if data.history.truncated and rules.max_plays is None:
        raise SnapshotError("history.truncated: true, but the rules have no max_plays")
    expected = _possible_winners(data, rules)
    if data.eliminated.count(False) < 1:
        raise SnapshotError("eliminated: at least one player is left at the end of a round")
    in_round = {seat for seat, out in enumerate(data.eliminated) if not out}
    forfeiters = in_round - set(data.winners)
    is_forfeited = len(forfeiters) == 1 and not data.history.truncated and len(in_round) > 1
    if set(data.winners) != expected and not is_forfeited:
        raise SnapshotError(f"winners: by the other keys they are {sorted(expected)}")


def _possible_winners(data: Snapshot, rules: Rules) -> set[int]:
    """Return who has won a finished game, by its other keys (R13, R16, R19, R22)."""
    left = {seat for seat, out in enumerate(data.eliminated) if not out}
    if rules.format == "single_round":
        return left if len(left) == 1 or data.history.truncated else set()
    if data.history.truncated or rules.format == "chips":
        return set(data.winners)
    below = {seat for seat, points in enumerate(data.points) if points < rules.target_points}
    if rules.format == "points_last_standing":
        return below if len(below) == 1 else set(data.winners)
    lowest = min(data.points)
    return {seat for seat, points in enumerate(data.points) if points == lowest}
