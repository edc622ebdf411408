"""`TableSetup`: what a host chooses before a game, checked."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ono99_env.messages.errors import RefusedError
from ono99_env.messages.fields import checked
from ono99_env.play.offered_bots import bot_title
from ono99_env.rules.cards import MAX_PLAYERS
from ono99_env.rules.rules import Edition, Rules

LONGEST_NAME = 24


class SeatSetup(BaseModel):
    """Who sits in a seat: a bot, or else a person."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    bot: Annotated[str, Field(max_length=1000)] | None = None
    """The name of a bot, or null for a person."""
    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    """What the seat is called; by default after the bot or the number of the seat."""

    @field_validator("name")
    @classmethod
    def _strip(cls, name: str) -> str:
        return " ".join("".join(each if each.isprintable() else " " for each in name).split())


class TableSetup(BaseModel):
    """What a host chooses before a game."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    edition: Edition = "2022"
    """The edition whose rules are played."""
    house_rules: dict[str, Any] = {}
    """Fields of `Rules` that differ from the edition."""
    seats: Annotated[tuple[SeatSetup, ...], Field(min_length=2, max_length=MAX_PLAYERS)]
    """Who sits where."""
    seed: Annotated[int, Field(ge=0, lt=2**64, strict=True)] | None = None
    """Decides all chance; by default drawn at random."""
    draw_seconds: Annotated[float, Field(ge=0.2, le=60)] | None = None
    """Time in which people must draw after a play, or they miss the draw (R20); null: no clock."""
    bot_seconds: Annotated[float, Field(ge=0, le=10)] = 0.8
    """How long a bot waits before it plays, so that people can follow."""
    coach: Annotated[bool, Field(strict=True)] = True
    """Whether people may ask what a bot would play."""

    @classmethod
    def of_data(cls, data: Any) -> "TableSetup":
        """Check data that a page has sent.

        Raises:
            RefusedError: Naming the field that is wrong.
        """
        if not isinstance(data, dict):
            raise RefusedError("a table is set up by an object with the key 'seats'")
        try:
            return checked(cls, data)
        except ValueError as error:
            raise RefusedError(str(error)) from error

    def rules(self) -> Rules:
        """Return the rules of the table.

        Raises:
            RefusedError: Naming the rule that is impossible.
        """
        fields = {**self.house_rules, "edition": self.edition, "num_players": len(self.seats)}
        try:
            return Rules.of_fields(fields)
        except ValueError as error:
            raise RefusedError(str(error)) from error

    def names(self) -> list[str]:
        """Return what the seats are called, each differently."""
        names: list[str] = []
        for number, seat in enumerate(self.seats):
            wanted = seat.name or _default_name(seat, number)
            name, again = wanted, 2
            while name in names:
                name, again = f"{wanted} {again}", again + 1
            names.append(name)
        return names


def _default_name(seat: SeatSetup, number: int) -> str:
    if seat.bot is None:
        return f"Player {number + 1}"
    return "Champion" if bot_title(seat.bot) != seat.bot else seat.bot[:LONGEST_NAME]
