"""Whether a round can end at all (R22): rules under which it never can need a `max_plays`.

A round ends when players go out, and a player goes out with a whole hand of cards that cannot be
played. So enough cards must be able to get *stuck*: numbers near the limit, ONO 99 cards, and a
Play Two that is no answer to another. A deck without numbers is refused because R22 says so; every
other refusal is a proof that no round ever ends. That a round can end does not say that it will
soon: the engine cuts a round off after `ono99_env.engine.records.NO_LIMIT` plays.
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
    """Return why a round of these rules may have no end, or None if it can end."""
    if not any(_count(rules, card) for card in _NUMBERS):
        return "it has no card from 1 to 10, so no play can raise the total"
    hands = _hands_needed(rules)
    needed, found = _stuck_cards_needed(rules, hands), _cards_that_get_stuck(rules, hands)
    if found < needed:
        return (
            f"at most {found} of its cards can be unplayable at once, and {needed} are needed for "
            f"a round of {rules.num_players} players with hand_size {rules.hand_size} to end"
        )
    return None


def _count(rules: RoundRules, card: Card) -> int:
    return rules.deck.get(card.label, 0)


def _has_points(rules: RoundRules) -> bool:
    return rules.format in ("points_last_standing", "points_lowest")


def _hands_needed(rules: RoundRules) -> int:
    """Return the least number of hands that get stuck, all cards of each, before a round ends.

    All players but one go out (R6). A round of chips ends with the first of them (R16), and a bust
    that counts leaves the others nothing to play, too (R17). Seats that may miss draws run out of
    cards (R20): nothing is needed of them.
    """
    steady = sum(probability == 0 for probability in rules.missed_draw_by_seat)
    if rules.format == "chips" or (_has_points(rules) and rules.bust_counts):
        return int(steady == rules.num_players)
    return max(steady - 1, 0)


def _stuck_cards_needed(rules: RoundRules, hands: int) -> int:
    """Return the least number of cards that are unplayable at once when that many hands are stuck.

    The hand of a player who is out stays out of the deck (R6). In the points formats a player plays
    one card of it and draws any other (R17), all but the last of them before the end. Where all
    cards are dealt, and the top of the discard pile is kept there, one card is missing (R5).
    """
    if hands == 0:
        return 0
    if rules.voluntary_bust:
        return 1
    is_dealt_out = sum(rules.deck.values()) == rules.num_players * rules.hand_size
    missing = is_dealt_out and rules.keep_top_discard
    return hands * rules.hand_size - _has_points(rules) * (hands - 1) - missing


def _cards_that_get_stuck(rules: RoundRules, hands: int) -> int:
    """Return how many cards can be unplayable at once, at most, in that many hands.

    Where four ONO 99 cards can be discarded as a play, a hand that is stuck holds three. Every Play
    Two can be in a hand that is obliged by one: it was drawn again, and the obligation came back.
    """
    numbers = sum(_count(rules, card) for card in _NUMBERS) if _can_near_limit(rules) else 0
    ono99 = _count(rules, Card.ONO99)
    if rules.four_ono99_discard == "as_play":
        ono99 = min(ono99, _UNPLAYABLE_ONO99_IN_HAND * hands)
    play_two = 0 if "play_two" in rules.play_two_answers else _count(rules, Card.PLAY_TWO)
    return numbers + ono99 + play_two


def _can_near_limit(rules: RoundRules) -> bool:
    """Return whether the total may come so near the limit that some number does not fit.

    Between two shuffles every card is played that is not in a hand or kept on top (R5). If the
    Minus Ten cards among these take away all that the numbers add, P points, the total after a pass
    of the deck is at most P or what it was before, and it rises by at most P within the next pass.
    """
    points = sum(card.added * _count(rules, card) for card in _NUMBERS)
    held_back = rules.num_players * rules.hand_size + rules.keep_top_discard
    played_in_every_pass = max(_count(rules, Card.MINUS_TEN) - held_back, 0)
    if points > 10 * played_in_every_pass:
        return True
    highest_number = max(card.added for card in _NUMBERS if _count(rules, card))
    return 2 * points + highest_number > rules.highest_total
