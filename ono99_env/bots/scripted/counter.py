"""`counter`: count the cards that were played, and estimate who will be stuck.

Cards that are not on the discard pile, in its own hand or face up are in the draw pile or in other
hands. So it can estimate how likely the next player has no play at a total, and how likely it will
have none itself. For each play it weighs

- the chance that the next player is out (worth a share of that player's win to each of the others)
  against the chance that it has no play itself next time round,
- what it keeps: every pip in hand is a burden, and of the other cards some are dearer than others,
- owing two cards, whether the play leaves the debt to others or makes room for the second card.

Counting cards is what good human players of any such game do; the chances are hypergeometric, and
the weights were tuned by an evolution strategy (CMA-ES, Hansen 2016, arXiv:1604.00772) in games
against `highest` under both editions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ono99_env.bots.scripted.preferences import NONE, cards_within_limit, choose_bust
from ono99_env.engine import legal, seats, turn, words
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import Action, Card

_NUM_CARDS = len(Card)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_ONO99, _REVERSE, _MINUS_TEN, _PLAY_TWO = (
    int(card) for card in (Card.ONO99, Card.REVERSE, Card.MINUS_TEN, Card.PLAY_TWO)
)

_LIMIT_OF_WEIGHTS = 98
"""The `highest_total` that the weights were tuned for."""
_RISK = 0.624
"""Weight of the chance of being stuck next time round."""
_FAIL = 2.09
"""Weight of the chance that the next player goes out, divided by the number of others."""
_ONE_GOOD_CARD = 0.443
"""How much of the chance that one of two owed cards cannot be played counts."""
_GROWTH = 0.135
_GROWTH_BY_PLAYER = -0.23
"""How far the total is expected to rise until the turn comes back: by next to nothing near the
limit, where it falls as often."""
_WIDTH = 0.726
_SHARP = 0.1
"""How uncertain the room is when the turn comes back, and when it goes on at once."""
_BURDEN = 0.551
"""What a pip of a number left in hand costs."""
_KEEP = np.zeros(_NUM_CARDS)
_KEEP[Card.HOLD] = 0.133
_KEEP[Card.N0] = -0.345
_KEEP[Card.REVERSE] = 0.048
_KEEP[Card.PLAY_TWO] = 0.057
_KEEP[Card.MINUS_TEN] = 0.003
_KEEP.flags.writeable = False
"""What a card left in hand is worth."""
_REPEATED = 0.862
"""How much of that the second of a kind is worth."""
_KEEP_FAR = 0.955
"""How much of all that counts while the total is 0; at the limit all of it does."""
_FULLNESS = -0.251
"""Weight of the total after the play, as a share of the limit."""
_PASS_TWO = -0.161
_PASS_TWO_DANGER = 0.449
"""What it is worth that the next player owes two cards, at total 0, and more at the limit."""
_ANSWER = 1.07
"""What it is worth at the limit to pass a debt of two cards on."""
_ROOM_FOR_SECOND = 5.6
"""What it is worth at the limit to play Minus Ten as first of two owed cards."""
_MINUS_TEN_NOW = 0.129
_REVERSE_NOW = 0.025
"""What it is worth to play these cards now."""

_NO_CARDS = np.uint64(0)
_USUAL_HAND = 4
"""Cards in a hand under both editions."""
_ALL_BUT_ONO99 = words.ALL_CARDS & ~words.card_set(Card.ONO99)
_ALWAYS_PLAYABLE = words.card_set(Card.N0, *range(Card.REVERSE, _NUM_CARDS)) * np.uint64(0xF)
"""The counts in a hand of the cards that fit whatever the total is."""


def _tabulate_keep_values() -> NDArray[np.float64]:
    """Tabulate what cards of a kind left in hand are worth, by card and count, shape (16, 16)."""
    counts = 1 << words.BITS_IN_HAND
    table = np.zeros((_NUM_CARDS, counts))
    for card in range(_NUM_CARDS):
        for count in range(1, counts):
            if Card.N1 <= card <= Card.N10:
                table[card, count] = -(_BURDEN * card * count)
            else:
                table[card, count] = _KEEP[card] * (1 + _REPEATED * (count - 1))
    table.flags.writeable = False
    return table


_KEEP_VALUES = _tabulate_keep_values()
"""Any count that a hand can hold has an entry, so that no record leads out of the table."""


class Sight(NamedTuple):
    """What the scores of all plays of a decision have in common."""

    hand: Word
    """The cards in hand before the play."""
    held: Whole
    """Hidden cards of the next player."""
    held_after_reverse: Whole
    """Hidden cards of the next player after a Reverse."""
    unseen: Whole
    """Cards in the draw pile and in hidden hands."""
    growth: float
    """How far the total is expected to rise until the turn comes back."""
    others: Whole
    """The other players in the round."""


@compiled
def choose_counter(view: State, rules: RulesRecord, random: Word) -> Whole:
    """Choose the card of the highest score; ONO 99 cards go first where the rules allow it."""
    if view.may_discard_four:
        return np.int64(_DISCARD_FOUR)
    cards = cards_within_limit(view, rules)
    if words.count_in_hand(cards, _ONO99) != 0:
        return np.int64(_ONO99)
    if cards != _NO_CARDS and words.without_card(cards, words.lowest_card(cards)) == _NO_CARDS:
        return words.lowest_card(cards)
    sight = sight_of(view)
    best, best_score = np.int64(NONE), -np.inf
    while cards != _NO_CARDS:
        card = words.lowest_card(cards)
        cards = words.without_card(cards, card)
        score = score_play(view, rules, card, sight)
        if score > best_score:
            best, best_score = card, score
    return choose_bust(view) if best == NONE else best


@inlined
def sight_of(view: State) -> Sight:
    """Return what the player to act sees, whichever card it plays."""
    seat, direction = view.current_player, np.int64(view.direction)
    follower = seats.next_seat(view.in_round, seat, direction)
    turned = seats.next_seat(view.in_round, seat, -direction)  # the same one of two players left
    others = np.int64(view.players_left) - 1
    return Sight(
        view.hands[seat],
        np.int64(view.hidden_cards[follower]),
        np.int64(view.hidden_cards[turned]),
        words.pile_size(view.draw_pile),
        _GROWTH + _GROWTH_BY_PLAYER * others,
        others,
    )


@inlined
def score_play(view: State, rules: RulesRecord, card: Whole, sight: Sight) -> float:
    """Return what a play promises, in arbitrary units."""
    after = legal.total_after(rules, np.int64(view.total), card)
    fullness = 1 + (after - np.float64(rules.highest_total)) / _LIMIT_OF_WEIGHTS
    danger = max(0.0, fullness)
    answers = turn.answers_play_two(view, rules, card)
    goes_on = view.plays_owed == 2 and not answers
    hand = sight.hand - words.one_card(card)
    score = keep_value(hand) * (_KEEP_FAR + (1 - _KEEP_FAR) * danger) + _FULLNESS * fullness
    score -= _RISK * own_risk(view, rules, hand, after, goes_on, sight)
    if card == _REVERSE:
        score += _REVERSE_NOW
    if card == _MINUS_TEN:
        score += _MINUS_TEN_NOW + (_ROOM_FOR_SECOND * danger if goes_on else 0.0)
    if answers:
        score += _ANSWER * danger
    if goes_on:
        return float(score)
    passes_two = answers or card == _PLAY_TWO
    if passes_two:
        score += _PASS_TWO + _PASS_TWO_DANGER * fullness
    held = sight.held_after_reverse if card == _REVERSE else sight.held
    fails = next_fails(view, rules, held, sight.unseen, after, passes_two)
    return float(score + _FAIL * fails / sight.others)


@inlined
def next_fails(
    view: State, rules: RulesRecord, held: Whole, unseen: Whole, after: Whole, owes_two: bool
) -> float:
    """Return the chance that the next player goes out before the turn is over.

    Args:
        view: The redacted record of the seat to act.
        rules: The rules of the game.
        held: Hidden cards of the next player.
        unseen: Cards in the draw pile and in hidden hands.
        after: The running total that the next player finds.
        owes_two: Whether the next player owes two cards.
    """
    good = count_unseen(view, legal.fitting_cards(rules, after))
    none_good = chance_of_none(good, unseen, held)
    if not owes_two or held == 0:
        return none_good
    answers = count_unseen(view, rules.play_two_answers)
    share = 1 / max(1.0, unseen)
    one_good = held * (good - answers) * share * chance_of_none(good, unseen, held - 1)
    return float(min(1.0, none_good + _ONE_GOOD_CARD * one_good * (1 - good * share)))


@inlined
def own_risk(
    view: State, rules: RulesRecord, hand: Word, after: Whole, goes_on: bool, sight: Sight
) -> float:
    """Return the chance that no card left, nor the one drawn, fits when the turn comes back.

    Args:
        view: The redacted record of the seat to act.
        rules: The rules of the game.
        hand: The cards left after the play.
        after: The running total after the play.
        goes_on: Whether the second of two owed cards is due now.
        sight: What the player sees before the play.
    """
    if hand & _ALWAYS_PLAYABLE != _NO_CARDS:
        return 0.0
    growth = 0.0 if goes_on else sight.growth
    width = _SHARP if goes_on else _WIDTH
    stuck, numbers = 1.0, words.without_card(hand, _ONO99)
    while numbers != _NO_CARDS:
        card = words.lowest_card(numbers)
        count = words.count_in_hand(numbers, card)
        numbers = words.without_card(numbers, card)
        room = rules.highest_total - after - growth - card + 0.5
        fails = 1 - 1 / (1 + np.exp(-room / width))
        stuck *= fails if count == 1 else fails**count
    total = min(np.int64(rules.highest_total), np.int64(after + max(0.0, growth)))
    fitting = count_unseen(view, legal.fitting_cards(rules, total))
    return float(stuck * (1 - fitting / max(1, sight.unseen)))


@inlined
def keep_value(hand: Word) -> float:
    """Return what the cards left are worth later; the second of a kind is worth less."""
    value = 0.0
    while hand != _NO_CARDS:
        card = words.lowest_card(hand)
        count = words.count_in_hand(hand, card)
        value += float(_KEEP_VALUES[words.index(card), words.index(count)])
        hand = words.without_card(hand, card)
    return value


@inlined
def count_unseen(view: State, cards: Word) -> Whole:
    """Return how many cards of a set, ONO 99 left out, may be drawn or in hidden hands."""
    return words.count_set_in_pile(view.draw_pile, cards & _ALL_BUT_ONO99)


@inlined
def chance_of_none(good: Whole, unseen: Whole, held: Whole) -> float:
    """Return the chance that a hand of unseen cards holds no good one (hypergeometric)."""
    if held == _USUAL_HAND and unseen >= _USUAL_HAND:  # the divisions run side by side
        bad, all_cards = np.float64(max(0, unseen - good)), np.float64(unseen)
        first, second = bad / all_cards, max(0.0, bad - 1) / (all_cards - 1)
        third, fourth = max(0.0, bad - 2) / (all_cards - 2), max(0.0, bad - 3) / (all_cards - 3)
        return first * second * third * fourth
    chance = 1.0
    for drawn in range(held):
        chance *= max(0, unseen - good - drawn) / max(1, unseen - drawn)
    return chance
