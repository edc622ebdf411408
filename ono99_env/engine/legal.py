"""Which actions are legal (R3, R4, R7, R11, R12, R17)."""

import numpy as np

from ono99_env.engine import words
from ono99_env.engine.effects import LEAST_HEADROOM, MOST_HEADROOM
from ono99_env.engine.records import (
    AS_PLAY,
    CHIPS,
    ENDS_IN_ZERO,
    IS_ZERO,
    NEVER,
    THEN_PLAY,
)
from ono99_env.jit.compile import compiled, inlined
from ono99_env.jit.types import RulesRecord, State, Whole, Word
from ono99_env.rules.cards import NUM_ACTIONS, Action, Card

_NO_CARDS = np.uint64(0)
_DISCARD_FOUR = int(Action.DISCARD_FOUR_ONO99)
_NUM_ACTIONS = int(NUM_ACTIONS)
_ONO99_ONLY = words.card_set(Card.ONO99)


@inlined
def total_after(rules: RulesRecord, total: Whole, action: Whole) -> Whole:
    """R1, R9: return the running total after an action, floored where the rules have a floor."""
    return max(total + rules.added[words.index(action)], rules.lowest_total)


@inlined
def fitting_cards(rules: RulesRecord, total: Whole) -> Word:
    """R4: return the set of cards after which the total stays within the limit."""
    return cards_within(rules, max(rules.highest_total - total, LEAST_HEADROOM))


@inlined
def cards_within(rules: RulesRecord, headroom: Whole) -> Word:
    """R4: return the cards that add at most `headroom`, which is at least `LEAST_HEADROOM`."""
    return rules.fitting_cards[words.index(min(headroom, MOST_HEADROOM) - LEAST_HEADROOM)]


@inlined
def allows_ono99(rules: RulesRecord, total: Whole, already_played: Whole) -> bool:
    """R11: return whether an ONO 99 card may be played now, where the rules ever allow it."""
    if already_played != 0:
        return False
    if rules.ono99_play == ENDS_IN_ZERO:
        return bool(total % 10 == 0)
    return bool(rules.ono99_play == IS_ZERO and total == 0)


@inlined
def allows_discard_of_four(state: State, rules: RulesRecord, hand: Word) -> bool:
    """R12: return whether four ONO 99 cards may be discarded; a play that adds 0 must fit (R4)."""
    if hand & rules.four_ono99 == _NO_CARDS:
        return False
    return bool(rules.four_ono99_discard == THEN_PLAY or state.total <= rules.highest_total)


@inlined
def playable_cards(rules: RulesRecord, hand: Word, plays_owed: Whole) -> Word:
    """R7: return the cards in hand that may be played if the total allows it."""
    return words.held_among(hand, rules.playable[words.index(plays_owed)])


@inlined
def without_banned_ono99(
    state: State, rules: RulesRecord, cards: Word, already_played: Whole
) -> Word:
    """R11: return a set of cards without the ONO 99 where that may not be played now."""
    total = np.int64(state.total)
    if rules.ono99_play != NEVER and not allows_ono99(rules, total, already_played):
        return cards & ~_ONO99_ONLY
    return cards


@inlined
def update_legal_actions(state: State, rules: RulesRecord) -> None:
    """Write what the current player may do; no action at all means that the player is out."""
    hand = state.hands[words.index(state.current_player)]
    set_legal_actions(state, rules, hand, fitting_cards(rules, np.int64(state.total)))


@inlined
def set_legal_actions(state: State, rules: RulesRecord, hand: Word, fitting: Word) -> None:
    """Do as `update_legal_actions`, from the player's hand and the cards that fit (R4)."""
    playable = playable_cards(rules, hand, state.plays_owed)
    legal = playable & fitting
    discard = allows_discard_of_four(state, rules, hand)
    if rules.has_exceptions:
        playable = without_banned_ono99(state, rules, playable, state.ono99_played)
        legal = playable & fitting
        if may_bust(rules, legal != _NO_CARDS or discard):
            legal |= bust_cards(playable, fitting)
    state.legal_plays = legal
    state.may_discard_four = discard


@inlined
def may_bust(rules: RulesRecord, has_another_action: bool) -> bool:
    """R17: return whether a player may go out by busting."""
    return bool(rules.format > CHIPS and (rules.voluntary_bust or not has_another_action))


@inlined
def bust_cards(playable: Word, fitting: Word) -> Word:
    """R17: return the cards that a player may bust with: those over the limit except ONO 99."""
    return playable & ~fitting & ~_ONO99_ONLY


@inlined
def could_start_turn(state: State, rules: RulesRecord, seat: Whole) -> bool:
    """R13: return whether a seat has a legal play at the standing total, owing one card.

    The discard of four ONO 99 cards counts where it is a play (R12), not where it precedes one: a
    draw would decide the round then, and R13 decides it the moment a player goes out.
    """
    hand = state.hands[seat]
    playable = without_banned_ono99(state, rules, playable_cards(rules, hand, 1), 0)
    can_play = (playable & fitting_cards(rules, np.int64(state.total))) != _NO_CARDS
    is_play = rules.four_ono99_discard == AS_PLAY
    return bool(can_play or (is_play and allows_discard_of_four(state, rules, hand)))


@inlined
def has_legal_action(state: State) -> bool:
    """Return whether the current player has a legal action."""
    return bool(state.legal_plays != _NO_CARDS or state.may_discard_four != 0)


@compiled
def is_legal(state: State, action: Whole) -> bool:
    """Return whether an action is legal for the current player; any integer may be asked for."""
    if action < 0 or action >= _NUM_ACTIONS:
        return False
    if action == _DISCARD_FOUR:
        return bool(state.may_discard_four != 0)
    return bool(words.count_in_hand(state.legal_plays, action) != 0)


@inlined
def num_legal_actions(state: State) -> Whole:
    """Return how many legal actions the current player has."""
    return words.set_size(state.legal_plays) + np.int64(state.may_discard_four)


@inlined
def nth_legal_action(state: State, n: Whole) -> Whole:
    """Return the n-th legal action, in order of action id, counted from 0.

    After the last card comes 16, which is the discard of four ONO 99 cards.
    """
    return words.nth_in_set(state.legal_plays, n)
