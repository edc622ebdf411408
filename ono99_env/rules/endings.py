"""Check whether a round can end at all (R22); if it cannot, the rules need a `max_plays`.

A round ends when players go out, and a player goes out with a hand of cards of which none can be
played. So enough cards must be able to get *stuck*: numbers near the limit, ONO 99 cards, and a
Play Two that is no answer to another. Each reason given here is a proof that a round cannot end. A
round that can end may still take very long with a reduced deck, and go on for ever if players
never raise the total.
"""

# ruff: noqa: D102 - the fields of `RoundRules` are described in `ono99_env.Rules`

from collections.abc import Mapping
from typing import Protocol

from ono99_env.rules.cards import Card

_NUMBERS = [card for card in Card if card.added > 0]
_UNPLAYABLE_ONO99_IN_HAND = 3
"""A fourth ONO 99 card can be discarded with the others where R12 allows it."""


class RoundRules(Protocol):
    """The fields of `ono99_env.Rules` that decide whether a round can end."""

    @property
    def deck(self) -> Mapping[str, int]: ...
    @property
    def num_players(self) -> int: ...
    @property
    def hand_size(self) -> int: ...
    @property
    def highest_total(self) -> int: ...
    @property
    def lowest_total(self) -> int | None: ...
    @property
    def play_two_answers(self) -> tuple[str, ...]: ...
    @property
    def ono99_play(self) -> str: ...
    @property
    def four_ono99_discard(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def keep_top_discard(self) -> bool: ...
    @property
    def voluntary_bust(self) -> bool: ...
    @property
    def bust_counts(self) -> bool: ...
    @property
    def missed_draw_by_seat(self) -> tuple[float, ...]: ...


def reason_for_no_end(rules: RoundRules) -> str | None:
    """Say why a round of these rules may have no end, or None if it can end from any position."""
    if not any(_count(rules, card) for card in _NUMBERS):
        return "it has no card from 1 to 10, so no play can raise the total"
    if _shrinks_hands(rules):
        return None
    if rules.lowest_total is None and _points(rules) <= 10 * _count(rules, Card.MINUS_TEN):
        return (
            f"its numbers add {_points(rules)}, its Minus Ten cards take away "
            f"{10 * _count(rules, Card.MINUS_TEN)}, and lowest_total is null, so the total may "
            "fall for ever"
        )
    needed, found = _stuck_cards_needed(rules), _cards_that_get_stuck(rules)
    if found < needed:
        return (
            f"at most {found} of its cards can be unplayable at once, and {needed} are needed for "
            f"a round of {rules.num_players} players with hand_size {rules.hand_size} to end"
        )
    return None


def _count(rules: RoundRules, card: Card) -> int:
    return rules.deck.get(card.label, 0)


def _points(rules: RoundRules) -> int:
    """Return the sum of all numbers in the deck."""
    return sum(card.added * _count(rules, card) for card in _NUMBERS)


def _shrinks_hands(rules: RoundRules) -> bool:
    """R20: whether all players but one go out in any case, since their hands run out of cards."""
    return _seats_that_miss_nothing(rules) < 2


def _seats_that_miss_nothing(rules: RoundRules) -> int:
    return sum(probability == 0 for probability in rules.missed_draw_by_seat)


def _stuck_cards_needed(rules: RoundRules) -> int:
    """Return cards that must be unplayable at once before a round can end.

    R16: chips need one hand. R6: otherwise all players but one go out, each with a hand of them,
    which stays out of the deck. R17: in the points formats a player plays one of them, and draws
    any other card; a bust that counts leaves nothing playable for the others.
    """
    hand, others = _smallest_hand(rules), _seats_that_miss_nothing(rules) - 2
    if rules.voluntary_bust:
        return 1
    if rules.format == "chips" or (rules.format != "single_round" and rules.bust_counts):
        return hand
    if rules.format == "single_round":
        return hand + others * rules.hand_size
    return hand + others * (rules.hand_size - 1)


def _smallest_hand(rules: RoundRules) -> int:
    """R5: where all cards are dealt, the card on top of the discard pile is missing in a hand."""
    is_dealt_out = sum(rules.deck.values()) == rules.num_players * rules.hand_size
    return rules.hand_size - (is_dealt_out and rules.keep_top_discard)


def _cards_that_get_stuck(rules: RoundRules) -> int:
    """Return cards that can be unplayable at once, in the hands of all players but one."""
    numbers = sum(_count(rules, card) for card in _NUMBERS) if _nears_limit(rules) else 0
    ono99 = _count(rules, Card.ONO99)
    if rules.four_ono99_discard != "off":
        ono99 = min(ono99, _UNPLAYABLE_ONO99_IN_HAND * (rules.num_players - 1))
    play_two = _count(rules, Card.PLAY_TWO)
    # One Play Two has been played where another is owed for.
    stuck_play_two = max(play_two - 1, 0) if "play_two" not in rules.play_two_answers else 0
    return numbers + ono99 + stuck_play_two


def _nears_limit(rules: RoundRules) -> bool:
    """Return whether the total can come so near the limit that some number does not fit.

    Between two shuffles every card that is not held back in a hand is played, so with so many Minus
    Ten cards that some must always be played the total only rises by what the numbers add in two
    passes of the deck.
    """
    held_back = rules.num_players * rules.hand_size
    must_be_played = max(_count(rules, Card.MINUS_TEN) - held_back, 0)
    if rules.lowest_total is None or _points(rules) > 10 * must_be_played:
        return True
    highest = max(card.added for card in _NUMBERS if _count(rules, card))
    return 2 * _points(rules) > rules.highest_total - highest
