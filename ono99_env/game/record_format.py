"""The JSON form of a record: a whole game as its start and its plays.

Cards and actions are named as `ono99_env.Card.label` and `ono99_env.Action.label` name them.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ono99_env.game.snapshot_format import Seat
from ono99_env.messages.errors import RecordError
from ono99_env.messages.fields import FieldsError, explain_invalid
from ono99_env.rules.cards import Action, Card

RECORD_FORMAT = "ono99-game"
"""Value of the key ``format``."""

RECORD_VERSION = 1
"""Version of the format that this package writes, and the only one that it reads."""

_MOST_PLAYS = 1_000_000
"""Plays of a record at most; a game has some hundred."""


def _known_action(label: str) -> str:
    return Action.from_label(label).label


def _known_card(label: str) -> str:
    return Card.from_label(label).label


class RecordedPlay(BaseModel):
    """One play. A text alone stands for a play with that action and nothing else."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: str
    """The label of the action, such as ``"7"`` or ``"discard_four_ono99"``."""
    seat: Seat | None = None
    """Who acted; may be left out, since the rules say whose turn it is."""
    drawn: tuple[str, ...] | None = None
    """Every card dealt as a consequence, in order; may be left out if there is none."""
    missed_draw: Annotated[bool, Field(strict=True)] = False
    """Whether the replacement draw was missed (R20)."""

    @model_validator(mode="before")
    @classmethod
    def _of_text(cls, value: Any) -> Any:
        return {"action": value} if isinstance(value, str) else value

    @field_validator("action")
    @classmethod
    def _check_action(cls, label: str) -> str:
        return _known_action(label)

    @field_validator("drawn")
    @classmethod
    def _check_drawn(cls, labels: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return labels if labels is None else tuple(map(_known_card, labels))


class Record(BaseModel):
    """The keys of a record and the types of their values.

    Chance comes from one of three places: the cards are named in ``dealt`` and in every play, the
    game goes on from a ``start``, where they are named too, or all follows from ``seed``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["ono99-game"]
    format_version: Literal[1]
    rules: dict[str, Any]
    """Fields of `Rules`; those left out have the values of the edition."""
    names: tuple[str, ...] | None = None
    """What the players are called, by seat."""
    seed: Annotated[int, Field(ge=0, lt=2**64, strict=True)] | None = None
    """All chance follows from it, unless the cards are named."""
    dealer: Seat | None = None
    """Who dealt the first round; needed if the cards are named and the rules do not say it."""
    dealt: tuple[str, ...] | None = None
    """The cards of the first deal, one at a time, clockwise from the dealer's left."""
    start: dict[str, Any] | None = None
    """A snapshot, if the record does not begin with a deal."""
    plays: Annotated[tuple[RecordedPlay, ...], Field(max_length=_MOST_PLAYS)]
    forfeited: Seat | None = None
    """Who lost the game by an illegal action after the last play."""
    rng: Annotated[str, Field(pattern=r"^0x[0-9a-f]{1,16}$")] | None = None
    """Counter of the random generator after the last play: the game goes on from there."""
    total: Annotated[int, Field(strict=True)] | None = None
    """The running total after the last play; checked."""
    winners: tuple[Seat, ...] | None = None
    """Who has won; checked."""

    @field_validator("dealt")
    @classmethod
    def _check_dealt(cls, labels: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return labels if labels is None else tuple(map(_known_card, labels))

    @model_validator(mode="after")
    def _check_source_of_chance(self) -> "Record":
        if self.start is not None and (self.dealt is not None or self.seed is not None):
            raise FieldsError("start", "stands in place of seed and dealt", ["seed", "dealt"])
        if self.start is None and self.dealt is None and self.seed is None:
            raise FieldsError("seed", "is missing; give it, or name the cards in dealt", ["dealt"])
        return self

    @property
    def names_cards(self) -> bool:
        """Whether the cards are named, and do not follow from the seed."""
        return self.dealt is not None or self.start is not None


def checked_record(data: Any) -> Record:
    """Return a record as JSON gives it, with its keys and types checked.

    Raises:
        RecordError: Naming the key that is wrong.
    """
    if not isinstance(data, Mapping) or data.get("format") != RECORD_FORMAT:
        raise RecordError(f"this is no record of a game: its 'format' must be {RECORD_FORMAT!r}")
    version = data.get("format_version")
    if version != RECORD_VERSION:
        raise RecordError(
            f"format_version: this package reads version {RECORD_VERSION}, not {version!r}"
        )
    try:
        return Record.model_validate(dict(data))
    except ValidationError as error:
        raise RecordError(explain_invalid(error, Record)) from None
