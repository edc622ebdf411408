"""Check whether the rules of a game are those that a bot was trained for."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from ono99_env.rules.cards import Card
from ono99_env.rules.rules import Edition, Format, Rules

_FREE_RULES = frozenset(
    {
        "edition",
        "num_players",
        "format",
        "dealer",
        "next_dealer",
        "missed_draw_probability",
        "max_plays",
    }
)
_RULES_OF_FORMATS = {
    "stuck_round_winner": ("single_round",),
    "chips": ("chips",),
    "target_points": ("points_last_standing", "points_lowest"),
    "voluntary_bust": ("points_last_standing", "points_lowest"),
    "bust_counts": ("points_last_standing", "points_lowest"),
}

_MOST_CARDS = 3
"""Cards of a deck that a message names at most; two editions differ in nearly all."""


def check_fit(
    trained: Rules, counts: Sequence[int], formats: Sequence[Format], asked: Rules
) -> None:
    """Refuse rules that a bot was not trained for; see `BotMetadata.check_rules`.

    Args:
        trained: The rules that it was trained for; the next two replace their fields.
        counts: The player counts that it was trained for, in increasing order.
        formats: The match formats that it was trained for.
        asked: The rules of the game.

    Raises:
        ValueError: If the bot does not fit; the message names what differs, and what to do.
    """
    fields = differing_fields(trained, asked)
    differences = differences_in_words(fields, trained, asked)
    if asked.format not in formats:
        differences.append(f"format (it is {asked.format}, and not {_listed(formats, 'or')})")
    has_other_rules = bool(differences)
    players = counts_in_words(counts)
    if asked.num_players not in counts:
        differences.append(f"num_players (it is {asked.num_players}, and not {players})")
    if differences:
        remedy = f"Play it with {players} players"
        if has_other_rules:
            remedy = f"Play it by {_name_of(trained, formats)}, with {players} players"
        raise ValueError(
            "the game's rules are not those it was trained for. What differs: "
            f"{_listed(differences, 'and')}. {remedy}; or take another bot."
        )


def counts_in_words(counts: Sequence[int]) -> str:
    """Write player counts, in increasing order, as ``"2 to 6"`` or ``"2 or 4"``."""
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{counts[0]} to {counts[-1]}"
    return _listed(counts, "or")


def differing_fields(trained: Rules, asked: Rules) -> list[str]:
    """Return the names of fields that matter to a bot and differ."""
    return [
        name
        for name in Rules.model_fields
        if name not in _FREE_RULES
        and asked.format in _RULES_OF_FORMATS.get(name, (asked.format,))
        and getattr(asked, name) != getattr(trained, name)
    ]


def differences_in_words(fields: Iterable[str], trained: Rules, asked: Rules) -> list[str]:
    """Describe fields that differ, each with both values; of a deck, the cards that differ.

    Args:
        fields: Their names.
        trained: The rules that the bot is for.
        asked: The rules of the game.
    """
    return [_in_words(name, getattr(asked, name), getattr(trained, name)) for name in fields]


def _in_words(name: str, asked: Any, trained: Any) -> str:
    if name == "deck":
        return f"deck ({_deck_in_words(asked, trained)})"
    return f"{name} (it is {_plain(asked)}, and not {_plain(trained)})"


def _deck_in_words(asked: Mapping[str, int], trained: Mapping[str, int]) -> str:
    cards = [card.label for card in Card]
    counts = [(card, asked.get(card, 0), trained.get(card, 0)) for card in cards]
    different = [(card, now, then) for card, now, then in counts if now != then]
    if len(different) > _MOST_CARDS:
        return f"{len(different)} of the {len(cards)} cards in other numbers"
    return ", ".join(f"{now} cards {card}, and not {then}" for card, now, then in different)


def _plain(value: Any) -> str:
    """Write a value as in a file of rules."""
    if isinstance(value, tuple):
        return _listed(value, "and")
    return "null" if value is None else str(value).lower()


def _name_of(trained: Rules, formats: Sequence[Format]) -> str:
    """Return how a user can ask for the rules that a bot was trained for."""
    played = f"format {_listed(formats, 'or')}"
    for edition in get_args(Edition):
        if not differing_fields(trained, Rules.preset(edition, format=trained.format)):
            return f"the {edition} rules (--rules {edition}; {played})"
    return f"its own rules (metadata.rules of the bot; {played})"


def _listed(words: Sequence[object], last: str) -> str:
    *most, end = map(str, words)
    return f"{', '.join(most)} {last} {end}" if most else end
