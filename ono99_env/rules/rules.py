"""The rules of one game as data: presets, options and their validation (R1-R22)."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from ono99_env.files.yaml_files import read_fields
from ono99_env.messages.fields import checked
from ono99_env.messages.suggestions import known_names
from ono99_env.messages.text import shown_value
from ono99_env.rules.cards import MAX_DECK, MAX_HAND_SIZE, Card
from ono99_env.rules.endings import reason_for_no_end

Edition = Literal["2022", "1980"]
Format = Literal["single_round", "chips", "points_last_standing", "points_lowest"]

_MAX_PLAYERS_OF_EDITION = {"2022": 6, "1980": 8}

_DECKS: dict[str, dict[str, int]] = {
    "2022": {
        "0": 8,
        **{str(number): 6 for number in range(1, 10)},
        **{"10": 10, "ono99": 10, "reverse": 10, "minus_ten": 10, "play_two": 10},
    },
    "1980": {
        **{str(number): 3 for number in range(2, 10)},
        **{"10": 10, "ono99": 4, "reverse": 6, "minus_ten": 4, "play_two": 2, "hold": 4},
    },
}

_PRESETS: dict[str, dict[str, Any]] = {
    "2022": {
        "deck": _DECKS["2022"],
        "lowest_total": 0,
        "play_two_answers": ("reverse", "play_two"),
        "four_ono99_discard": "as_play",
        "format": "single_round",
    },
    "1980": {
        "deck": _DECKS["1980"],
        "lowest_total": None,
        "play_two_answers": ("reverse", "hold"),
        "four_ono99_discard": "off",
        "format": "chips",
    },
}

Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Probability = Annotated[float, Field(ge=0, le=1, strict=True)]
AnswerCard = Literal["reverse", "play_two", "hold"]


class Deck(dict[str, int]):
    """Counts of cards by name that cannot be changed, as nothing in `Rules` can."""

    def _refuse(self, *arguments: Any, **keywords: Any) -> NoReturn:
        raise TypeError("a deck cannot be changed; make new Rules with deck={name: count, ...}")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type["Deck"], tuple[dict[str, int]]]:
        return Deck, (dict(self),)


class Rules(BaseModel):
    """The rules of one game. Immutable; fields left out take the value of the edition's preset.

    Rule numbers (R7) refer to the rule book in ``docs/rules.md``.

    Raises:
        pydantic.ValidationError: For an unknown field or an impossible value; it names the field.
            `preset`, `from_yaml` and `of_fields` say the same in a sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)

    edition: Edition = "2022"
    """The edition whose preset fills the fields that are left out."""
    num_players: Annotated[Whole, Field(ge=2)] = 4
    """Seats at the table: 2 to 6 in the 2022 edition, 2 to 8 in the 1980 edition."""
    deck: dict[str, Annotated[Whole, Field(ge=0, le=MAX_DECK)]] = _DECKS["2022"]
    """How many of each card the deck holds, by card name (R1); a card left out is not in it."""
    hand_size: Annotated[Whole, Field(ge=1, le=MAX_HAND_SIZE)] = 4
    """Cards dealt to each player (R2)."""
    highest_total: Annotated[Whole, Field(ge=0, le=999)] = 98
    """The highest total that may stand (R4)."""
    lowest_total: Annotated[Whole, Field(ge=-999, le=0)] | None = 0
    """The floor of the running total, or null for none (R9)."""
    play_two_answers: tuple[AnswerCard, ...] = ("reverse", "play_two")
    """Cards that pass a Play Two obligation on (R7). Reverse always does, listed or not."""
    reverse_deflects_heads_up: Flag = True
    """Whether a Reverse answers a Play Two with two players left (R8)."""
    ono99_play: Literal["never", "total_ends_in_zero", "total_is_zero"] = "never"
    """When an ONO 99 card may be played (R11)."""
    four_ono99_discard: Literal["as_play", "then_play", "off"] = "as_play"
    """What discarding four ONO 99 cards counts as (R12)."""
    stuck_round_winner: Literal["last_to_play", "last_remaining"] = "last_to_play"
    """Who wins a single round when no player left can play (R13)."""
    eliminated_hands: Literal["face_up", "face_down"] = "face_up"
    """Whether the hand of a player who is out is shown (R6)."""
    keep_top_discard: Flag = False
    """Whether the top card stays on the discard pile in a reshuffle (R5)."""
    voluntary_bust: Flag = False
    """Whether a player may bust although another play is legal (R3); points formats only."""
    bust_counts: Flag = False
    """Whether a bust card changes the total (R17)."""
    missed_draw_probability: Probability | tuple[Probability, ...] = 0.0
    """How often a play's replacement draw is missed: one number, or one for each seat (R20)."""
    dealer: Annotated[Whole, Field(ge=0, le=7)] | Literal["random"] = "random"
    """The first dealer's seat, or drawn from the game's seed (R2)."""
    next_dealer: Literal["rotate", "loser_starts"] = "rotate"
    """Who deals the next round of a match (R15)."""
    format: Format = "single_round"
    """How the game is scored (R14)."""
    chips: Annotated[Whole, Field(ge=0, le=99)] = 3
    """Chips each player starts with in the chips format (R16)."""
    target_points: Annotated[Whole, Field(ge=1, le=10_000)] = 200
    """Points that end a match in the points formats (R19)."""
    max_plays: Annotated[Whole, Field(ge=1, le=1_000_000_000)] | None = None
    """Plays in a round after which the game is truncated, or null for no limit (R22).

    Rules under which a round could not end need one; see `ono99_env.rules.endings`."""

    @classmethod
    def preset(cls, name: Edition, **overrides: Any) -> Self:
        """Return the rules of an edition, with some fields changed.

        Args:
            name: ``"2022"`` (Mattel's O'NO 99) or ``"1980"`` (International Games).
            **overrides: Fields of `Rules` that differ from the preset.

        Raises:
            ValueError: For an unknown preset, field or value; the message names it.
        """
        if "edition" in overrides:
            raise ValueError("edition: is given by the name of the preset; leave it out")
        return cls.of_fields({**overrides, "edition": name})

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> Self:
        """Return the rules with some fields; like ``Rules(**fields)``, with errors for people.

        Raises:
            ValueError: If a field is unknown or impossible: the message names it and says
                what is allowed.
        """
        return checked(cls, fields)

    @classmethod
    def from_yaml(cls, path: str | Path, **overrides: Any) -> Self:
        """Read rules from a YAML file of fields; those left out come from its edition's preset.

        Args:
            path: A file that holds a mapping of `Rules` fields.
            **overrides: Fields that take precedence over the file's.

        Raises:
            FileNotFoundError: If there is no such file.
            ValueError: If the file is not a YAML mapping, or a field is unknown or impossible.
        """
        fields = read_fields(path, "edition: 2022")
        if fields.get("four_ono99_discard") is False:
            fields["four_ono99_discard"] = "off"  # YAML reads a bare off as false
        if isinstance(fields.get("deck"), dict):
            fields["deck"] = {str(name): count for name, count in fields["deck"].items()}
        try:
            return cls.of_fields({**fields, **overrides})
        except ValueError as error:
            is_override = re.split(r"\W", str(error))[0] in overrides
            raise ValueError(str(error) if is_override else f"{path}: {error}") from None

    @property
    def has_points(self) -> bool:
        """Whether the match is scored in points (R17-R19)."""
        return self.format in ("points_last_standing", "points_lowest")

    @property
    def missed_draw_by_seat(self) -> tuple[float, ...]:
        """The probability of a missed draw (R20) for each seat."""
        if isinstance(self.missed_draw_probability, tuple):
            return self.missed_draw_probability
        return (self.missed_draw_probability,) * self.num_players

    def with_players(self, num_players: int) -> Self:
        """Return the same rules for another number of players.

        Raises:
            ValueError: If the rules are impossible for that number; the message says why.
        """
        return self.of_fields({**self.model_dump(), "num_players": num_players})

    @model_validator(mode="before")
    @classmethod
    def _fill_from_preset(cls, fields: Any) -> Any:
        if not isinstance(fields, dict):
            return fields
        edition = str(fields.get("edition", "2022"))
        return {**_PRESETS.get(edition, {}), **fields, "edition": edition}

    @field_validator("deck")
    @classmethod
    def _check_deck(cls, deck: dict[str, int]) -> dict[str, int]:
        known = [card.label for card in Card]
        unknown = sorted(set(deck) - set(known))
        if unknown:
            raise ValueError(
                f"unknown cards {shown_value(unknown)}{known_names(unknown[0], known)}"
            )
        if sum(deck.values()) > MAX_DECK:
            raise ValueError(f"{sum(deck.values())} cards are too many; at most {MAX_DECK}")
        return Deck({name: deck[name] for name in known if deck.get(name)})

    @field_validator("play_two_answers")
    @classmethod
    def _always_answer_by_reverse(cls, answers: tuple[AnswerCard, ...]) -> tuple[AnswerCard, ...]:
        order: tuple[AnswerCard, ...] = ("reverse", "play_two", "hold")
        return tuple(card for card in order if card == "reverse" or card in answers)

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        self._check_players()
        self._check_options()
        reason = None if self.max_plays is not None else reason_for_no_end(self)
        if reason is not None:
            raise ValueError(
                f"deck: {reason}, so a round may never end. Set max_plays, the number of plays "
                "after which a round is cut short, or change the deck"
            )
        return self

    def _check_players(self) -> None:
        most = _MAX_PLAYERS_OF_EDITION[self.edition]
        if self.num_players > most:
            raise ValueError(
                f"num_players: the {self.edition} edition is for 2 to {most} players, "
                f"not {self.num_players}"
            )
        needed = self.num_players * self.hand_size
        if sum(self.deck.values()) < needed:
            raise ValueError(
                f"deck: {sum(self.deck.values())} cards are too few to deal {self.hand_size} "
                f"(hand_size) to each of {self.num_players} players; at least {needed}"
            )

    def _check_options(self) -> None:
        if self.voluntary_bust and not self.has_points:
            raise ValueError(
                "voluntary_bust: needs format points_last_standing or points_lowest, "
                f"not {self.format}"
            )
        if self.dealer != "random" and self.dealer >= self.num_players:
            raise ValueError(
                f"dealer: must be 'random' or a seat from 0 to {self.num_players - 1}, "
                f"not {self.dealer}"
            )
        if len(self.missed_draw_by_seat) != self.num_players:
            raise ValueError(
                f"missed_draw_probability: needs one number, or one for each of the "
                f"{self.num_players} seats, not {len(self.missed_draw_by_seat)}"
            )
